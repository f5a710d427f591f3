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
  /** Rows inserted, all tables together. */
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
  await client.query(`${own} alter system set full_page_writes = off`)
  await client.query(`${own} select pg_reload_conf()`)
  await client.query(`${own} checkpoint`)

  async function position(): Promise<Usage> {
    const { rows } = await client.query(`${own} select
      (select coalesce(sum(calls), 0) from pg_stat_statements s
        where query not like '%${own}%' and dbid = (select oid from pg_database where datname = current_database()))::bigint
        as statements,
      (select sum(n_tup_ins) from pg_stat_user_tables)::bigint as rows,
      (pg_current_wal_insert_lsn() - '0/0')::bigint as wal`)
    return {
      seconds: performance.now() / 1000,
      nodeMicros: cpuSeconds(serverPid) * 1e6,
      postgresMicros: cpuSecondsOfTree(postgresPid) * 1e6,
      statements: Number(rows[0].statements),
      walBytes: Number(rows[0].wal),
      rows: Number(rows[0].rows),
      ...tally,
    }
  }

  return {
    async usage(work) {
      const before = await position()
      await work()
      // Backends report their rows at most a second late.
      await delay(1200)
      const after = await position()
      const names = ['seconds', ...amountNames] as const
      return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as unknown as Usage
    },
    async rowsByTable() {
      const { rows: tables } = await client.query(
        `${own} select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
      )
      const counts = tables.map(
        ({ relname }) => `select '${relname}' as name, count(*)::int as rows from ${relname}`,
      )
      const { rows } = await client.query(`${own} ${counts.join(' union all ')}`)
      return Object.fromEntries(rows.map(({ name, rows }) => [name, rows]))
    },
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
