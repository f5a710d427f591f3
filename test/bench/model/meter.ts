import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { cpuSeconds, cpuSecondsOfTree } from '../harness/proc.ts'

/** What was used in some time by the service and everything behind it. */
export interface Usage {
  seconds: number
  nodeMicros: number
  /** Of the whole Postgres server, its background processes included. */
  postgresMicros: number
  statements: number
  /** Without images of whole pages. */
  walBytes: number
  rpcCalls: number
  /** Requests to the code host that sent content, that found nothing new (304), and that wrote. */
  hostReads: number
  hostUnchanged: number
  hostWrites: number
  deliveries: number
  /** By how many rows all tables have grown together. */
  rows: number
}

/** Everything but the time: what a step costs, or what passes in a second. */
export type Amounts = Omit<Usage, 'seconds'>

/** Names of {@link Amounts}, in the order of the tables. */
export const amountNames = [
  'nodeMicros',
  'postgresMicros',
  'statements',
  'walBytes',
  'rows',
  'rpcCalls',
  'hostReads',
  'hostUnchanged',
  'hostWrites',
  'deliveries',
] as const satisfies (keyof Amounts)[]

/** What the proxies and the receiver of webhooks have counted since they were started. */
export type Tally = Pick<Usage, 'rpcCalls' | 'hostReads' | 'hostUnchanged' | 'hostWrites' | 'deliveries'>

/** Measures what work uses. */
export interface Meter {
  usage(work: () => Promise<unknown>): Promise<Usage>
  /** Rows of all tables now. */
  rowsByTable(): Promise<Record<string, number>>
  close(): Promise<void>
}

/** Statements of the meter itself carry this, so that it does not count them. */
const own = '/* meter */'

/** Opens a meter on a service. The Postgres server must have loaded pg_stat_statements. */
export async function openMeter(options: {
  url: string
  postgresPid: number
  serverPid: number
  tally: Tally
}): Promise<Meter> {
  const { url, postgresPid, serverPid, tally } = options
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  await client.query(`${own} create extension if not exists pg_stat_statements`)
  await client.query(`${own} create extension if not exists pg_walinspect`)
  await client.query(`${own} alter system set full_page_writes = off`)
  await client.query(`${own} select pg_reload_conf()`)
  await client.query(`${own} checkpoint`)

  async function rowsByTable(): Promise<Record<string, number>> {
    const { rows: tables } = await client.query(
      `${own} select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    )
    const counts = tables.map(
      ({ relname }) => `select '${relname}' as name, count(*)::int as rows from ${relname}`,
    )
    const { rows } = await client.query(`${own} ${counts.join(' union all ')}`)
    return Object.fromEntries(rows.map(({ name, rows }) => [name, rows]))
  }

  async function position() {
    // Statistics of inserted rows come up to ten seconds late.
    const counts = Object.values(await rowsByTable())
    const { rows } = await client.query(`${own} select
      (select coalesce(sum(calls), 0) from pg_stat_statements s
        where query not like '%${own}%' and dbid = (select oid from pg_database where datname = current_database()))::bigint
        as statements,
      pg_current_wal_flush_lsn() as log`)
    return {
      seconds: performance.now() / 1000,
      nodeMicros: cpuSeconds(serverPid) * 1e6,
      postgresMicros: cpuSecondsOfTree(postgresPid) * 1e6,
      statements: Number(rows[0].statements),
      log: String(rows[0].log),
      rows: counts.reduce((sum, count) => sum + count, 0),
      ...tally,
    }
  }

  /** Checksums of pages cost images of them even with `full_page_writes` off: they are left out here. */
  async function logBytes(from: string, to: string): Promise<number> {
    if (from === to) return 0
    const { rows } = await client.query(
      `${own} select coalesce(sum(record_size), 0)::bigint as bytes from pg_get_wal_stats($1, $2)`,
      [from, to],
    )
    return Number(rows[0].bytes)
  }

  return {
    async usage(work) {
      const before = await position()
      await work()
      // Until what the last responses did not wait for is done.
      await delay(1000)
      const after = await position()
      const walBytes = await logBytes(before.log, after.log)
      const [start, end] = [
        { ...before, walBytes: 0 },
        { ...after, walBytes },
      ]
      const names = ['seconds', ...amountNames] as const
      return Object.fromEntries(names.map((name) => [name, end[name] - start[name]])) as unknown as Usage
    },
    rowsByTable,
    close: () => client.end(),
  }
}

/** What one of `count` steps cost, beside what passes in each second anyway. */
export function costOf(usage: Usage, count: number, perSecond: Amounts | undefined): Amounts {
  const of = (name: keyof Amounts) =>
    Math.max(0, usage[name] - (perSecond?.[name] ?? 0) * usage.seconds) / count
  return Object.fromEntries(amountNames.map((name) => [name, of(name)])) as unknown as Amounts
}

/** What passed in a second. */
export const rateOf = (usage: Usage): Amounts => costOf(usage, usage.seconds, undefined)
