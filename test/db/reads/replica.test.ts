import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../server/config/config.ts'
import { createDatabase, createPool, type Database } from '../../../server/db/client.ts'
import type { PreparedStatement } from '../../../server/db/prepared.ts'
import { pipelinedReads } from '../../../server/db/reads/reads.ts'
import { standbyProblem } from '../../../server/db/reads/replica-identity.ts'
import { observe } from '../../../server/observability/observe.ts'
import { checkReplica } from '../../../server/ops/checks/replica.ts'
import { connectDatabase } from '../../../server/startup/connect/database.ts'
import { type Served, serve } from '../../http/serve.ts'
import { createTestDatabase } from '../../support/database.ts'
import { openGate } from '../../support/gate.ts'
import { createRows } from '../../support/rows.ts'
import { type PrimaryAndStandby, startPrimaryAndStandby } from '../../support/standby.ts'
import { until } from '../../support/until.ts'

let pair: PrimaryAndStandby
let db: Database
let rows: ReturnType<typeof createRows>
let served: Served[]
/** A superuser's connection to the standby. */
let standby: pg.Client
const reported: (string | undefined)[][] = []

beforeAll(async () => {
  pair = await startPrimaryAndStandby()
  db = createDatabase(createPool(pair.primary.url, { size: 8 }))
  rows = createRows(db)
  standby = await connected(pair.standby.url)
  const database = { url: pair.primary.url, drop: async () => undefined }
  const settings = { DATABASE_REPLICA_URL: pair.standby.url }
  served = await Promise.all([serve({ database, settings }), serve({ database, settings })])
  for (const { services } of served) {
    const problems: (string | undefined)[] = []
    reported.push(problems)
    services.reads.replica?.watch((problem) => problems.push(problem))
  }
})

afterAll(async () => {
  for (const one of served) await one.close()
  await standby.end().catch(() => undefined)
  await db.destroy()
  await pair.close()
})

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

const one = () => served[0] as Served
const outcomes = () => ({ ...one().services.reads.replica?.outcomes }) as Record<string, number>
const title = async (from: Served, id: string): Promise<string> => {
  const { status, body } = await from.api('GET', `/api/bounties/${id}`)
  expect(status).toBe(200)
  return body.bounty.title
}
const rename = (id: string, to: string) =>
  db.updateTable('bounties').set({ title: to }).where('id', '=', id).execute()
/** A read that nobody remembers, until the replica is the one that answers it. */
const untilReplicaAnswers = (id: string) =>
  until(async () => {
    const before = outcomes().replica as number
    await rename(id, 'another')
    await title(one(), id)
    return (outcomes().replica as number) > before
  })

test('the replica serves public reads, the primary all others', async () => {
  const id = await rows.bounty({ title: 'First' })
  await untilReplicaAnswers(id)
  const seen = async () => {
    const { rows: found } = await standby.query(
      `select count(*)::int as n from pg_stat_activity where query like '%from "bounties"%' and pid <> pg_backend_pid()`,
    )
    return found[0].n as number
  }
  expect(await seen()).toBeGreaterThan(0)
  const before = outcomes()
  const agent = await one().agent()
  expect((await one().api('POST', `/api/bounties/${id}/claim`, { key: agent.key })).status).toBe(200)
  expect(outcomes()).toEqual(before)
  expect((await one().api('GET', `/api/bounties/${id}`)).body.bounty.status).toBe('claimed')
  expect(reported.every(([first]) => first === undefined)).toBe(true)
})

test('every process returns acknowledged writes while the replica replays nothing', async () => {
  const id = await rows.bounty({ title: '0' })
  await untilReplicaAnswers(id)
  await standby.query('select pg_wal_replay_pause()')
  await until(async () => {
    const { rows: found } = await standby.query('select pg_get_wal_replay_pause_state() as state')
    return found[0].state === 'paused'
  })
  const before = outcomes()
  for (let value = 1; value <= 30; value++) {
    await rename(id, String(value))
    expect(await Promise.all(served.map((from) => title(from, id)))).toEqual([String(value), String(value)])
  }
  const during = outcomes()
  expect(during.replica).toBe(before.replica)
  expect(during.lagged).toBeGreaterThanOrEqual((before.lagged as number) + 30)
  await until(() => reported.every((problems) => problems.at(-1)?.includes('lags behind') ?? false))
  await standby.query('select pg_wal_replay_resume()')
  await untilReplicaAnswers(id)
  await title(served[1] as Served, await rows.bounty())
  await until(() => reported[0]?.at(-1) === undefined)
})

test('no response is older than an acknowledged write while the replica lags, stops and starts', async () => {
  const project_id = await rows.project()
  const ids = await Promise.all([1, 2, 3].map(() => rows.bounty({ project_id, title: '0' })))
  await untilReplicaAnswers(ids[0] as string)
  await rename(ids[0] as string, '0')
  const committed = ids.map(() => 0)
  const begun = ids.map(() => 0)
  const before = outcomes()
  let writing = true
  let answers = 0

  const enough = () =>
    (outcomes().replica as number) > (before.replica as number) + 20 &&
    (outcomes().lagged as number) > (before.lagged as number)
  const write = async (index: number) => {
    const id = ids[index] as string
    for (let value = 1; value <= 150 || !enough(); value++) {
      begun[index] = value
      await db.transaction().execute(async (trx) => {
        // Acknowledged before its record has left the server.
        if (value % 3 === 0) await sql`set local synchronous_commit = off`.execute(trx)
        await trx
          .updateTable('bounties')
          .set({ title: String(value) })
          .where('id', '=', id)
          .execute()
      })
      committed[index] = value
      // Now and then the replica has the time to catch up.
      if (value % 10 === index) await until(() => answers > value * 4)
    }
  }
  const check = (index: number, found: string, least: number[]) => {
    expect(Number(found)).toBeGreaterThanOrEqual(least[index] as number)
    expect(Number(found)).toBeLessThanOrEqual(begun[index] as number)
    answers++
  }
  const poll = async (from: Served, step: number) => {
    for (let turn = step; writing; turn++) {
      const index = turn % ids.length
      const least = [...committed]
      if (turn % 4 > 0) check(index, await title(from, ids[index] as string), least)
      else {
        const { body } = await from.api('GET', `/api/bounties?project_id=${project_id}`)
        for (const bounty of body.bounties) check(ids.indexOf(bounty.id), bounty.title, least)
      }
    }
  }
  const hinder = async () => {
    while (writing) {
      await standby.query('select pg_wal_replay_pause()')
      await delay(30)
      await standby.query('select pg_wal_replay_resume()')
      await delay(300)
    }
  }
  const others = [hinder(), ...served.flatMap((from) => [0, 1, 2].map((step) => poll(from, step)))]
  await Promise.all(ids.map((_, index) => write(index)))
  writing = false
  await Promise.all(others)
  expect(answers).toBeGreaterThan(300)
})

test('the log reports that the replica serves, and metrics count the reads of each server', async () => {
  const lines: string[] = []
  const log = pino({}, { write: (line) => void lines.push(line) })
  const settings = { DATABASE_URL: pair.primary.url, DATABASE_REPLICA_URL: pair.standby.url }
  const config = readConfig({ ...settings, EMBEDDED: 'off', METRICS_PORT: '0' })
  const opened = await connectDatabase(pair.primary.url, config, () => undefined)
  const { reads, pool } = opened
  const connections = { ...one().services, db: opened.db, reads, config, log }
  const watching = await observe({ connections, pool, embedded: undefined })
  onTestFinished(async () => {
    await watching.stop()
    await reads.close()
    await opened.db.destroy()
  })
  await until(() => lines.some((line) => line.includes('the replica serves public reads')))
  const state = await reads.snapshots?.now()
  if (!state || !reads.since) throw new Error('no state')
  const statement: PreparedStatement<{ yes: boolean }> = {
    name: 'standby',
    text: 'select pg_is_in_recovery() as yes',
    values: [],
  }
  await until(async () => (await reads.since?.(state).run(statement))?.[0]?.yes === true)
  for (let scrape = 0; scrape < 2; scrape++) {
    const text = await (await fetch(`http://127.0.0.1:${watching.metricsPort}/metrics`)).text()
    const sample = `bounty_database_replica_reads_total{outcome="replica"} ${reads.replica?.outcomes.replica}`
    expect(text.split('\n')).toContain(sample)
  }
})

test('without cached responses no replica is connected, because no read could know what it must have', async () => {
  const settings = { DATABASE_URL: pair.primary.url, DATABASE_REPLICA_URL: pair.standby.url }
  const config = readConfig({ ...settings, EMBEDDED: 'off', REMEMBER_RESPONSES: 'false' })
  const { db, reads } = await connectDatabase(pair.primary.url, config, () => undefined)
  onTestFinished(async () => {
    await reads.close()
    await db.destroy()
  })
  expect([reads.replica, reads.since]).toEqual([undefined, undefined])
})

test('a replica that stops responding fails no request', async () => {
  const id = await rows.bounty()
  await untilReplicaAnswers(id)
  const { rows: backends } = await standby.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'bounty-marketplace'`,
  )
  const signal = (name: NodeJS.Signals) => backends.forEach(({ pid }) => void process.kill(pid, name))
  signal('SIGSTOP')
  onTestFinished(() => signal('SIGCONT'))
  const before = outcomes()
  for (let value = 0; value < 10; value++) {
    await rename(id, String(value))
    expect(await title(one(), id)).toBe(String(value))
  }
  expect(outcomes().replica).toBe(before.replica)
  expect(outcomes().down).toBeGreaterThan(before.down as number)
  signal('SIGCONT')
  await untilReplicaAnswers(id)
})

test('a server that is no replica of this database is reported and not used', async () => {
  const [stranger, primary] = [await createTestDatabase(), await connected(pair.primary.url)]
  const other = await connected(stranger.url)
  const elsewhere = await connected(pair.standby.url.replace(/[^/]+$/, 'postgres'))
  onTestFinished(async () => {
    await Promise.all([other, primary, elsewhere].map((client) => client.end()))
    await stranger.drop()
  })
  const asking = (client: pg.Client) => ({
    run: async <Row>({ text }: { text: string }) => (await client.query(text)).rows as Row[],
  })
  const problem = (of: pg.Client, is: pg.Client) => standbyProblem(asking(of), asking(is))
  expect(await problem(primary, standby)).toBeUndefined()
  // Nor does it take a superuser.
  await primary.query('create role ordinary')
  await primary.query('set role ordinary')
  await until(
    async () => (await standby.query(`select from pg_roles where rolname = 'ordinary'`)).rowCount === 1,
  )
  await standby.query('set role ordinary')
  expect(await problem(primary, standby)).toBeUndefined()
  await standby.query('reset role')
  expect(await problem(primary, other)).toContain('takes writes')
  expect(await problem(primary, primary)).toContain('takes writes')
  expect(await problem(other, standby)).toContain('another database server')
  expect(await problem(primary, elsewhere)).toContain('another database of the same server')
  expect(await problem(standby, standby)).toContain('DATABASE_URL')

  expect(await checkReplica(db, pair.standby.url)).toMatchObject([{ level: 'ok' }])
  expect(await checkReplica(db, stranger.url)).toMatchObject([{ level: 'warn' }])
  await sql`create role ungranted login password 'ungranted'`.execute(db)
  const ungranted = Object.assign(new URL(pair.standby.url), { username: 'ungranted', password: 'ungranted' })
  await until(async () => (await checkReplica(db, ungranted.href))[0]?.level === 'ok')
  expect(await checkReplica(db, ungranted.href)).toMatchObject([
    { level: 'ok' },
    { level: 'warn', text: expect.stringContaining('grant pg_read_all_stats') },
  ])

  const reads = pipelinedReads(pair.primary.url, db, stranger.url)
  onTestFinished(() => reads.close())
  await until(async () => (await reads.snapshots?.now()) !== undefined)
  const state = await reads.snapshots?.now()
  if (!state || !reads.since) throw new Error('no state')
  const statement = { name: 'where', text: 'select current_database() as name', values: [] }
  const problems: (string | undefined)[] = []
  reads.replica?.watch((found) => problems.push(found))
  await until(() => problems.length > 0)
  expect(await reads.since(state).run(statement)).toEqual([{ name: 'marketplace' }])
  expect(problems).toEqual([expect.stringContaining('takes writes')])
})

test('an address that leads to the primary is used as soon as it leads to a standby', async () => {
  const gate = await openGate(new URL(pair.primary.url).host)
  const url = Object.assign(new URL(pair.standby.url), { host: gate.host }).href
  const reads = pipelinedReads(pair.primary.url, db, url)
  onTestFinished(() => reads.close())
  const problems: (string | undefined)[] = []
  reads.replica?.watch((found) => problems.push(found))
  await until(() => problems.length > 0)
  gate.target = new URL(pair.standby.url).host
  await until(() => problems.length > 1)
  expect(problems).toEqual([expect.stringContaining('takes writes'), undefined])
})

test('a promoted replica serves no more reads, and neither does a killed one', async () => {
  const project_id = await rows.project()
  const id = await rows.bounty({ project_id, title: 'true' })
  await untilReplicaAnswers(id)
  await rename(id, 'true')
  const written = await sql<{ at: string }>`select pg_current_wal_insert_lsn()::text as at`.execute(db)
  await until(async () => {
    const { rows: is } = await standby.query('select pg_last_wal_replay_lsn() >= $1::pg_lsn as there', [
      written.rows[0]?.at,
    ])
    return is[0].there
  })
  await standby.query('select pg_promote()')
  await standby.query(`update bounties set title = 'false' where id = $1`, [id])
  const before = outcomes()
  // Nothing is written, so that the position the replica was promoted at is still that of the primary.
  for (let limit = 1; limit <= 50; limit++)
    for (const from of served) {
      const { body } = await from.api('GET', `/api/bounties?limit=${limit}&project_id=${project_id}`)
      expect(body.bounties[0].title).toBe('true')
    }
  expect(outcomes().replica).toBe(before.replica)
  await pair.standby.kill()
  for (let value = 0; value < 50; value++) {
    await rename(id, String(value))
    expect(await Promise.all(served.map((from) => title(from, id)))).toEqual([String(value), String(value)])
  }
  await until(() => reported.every((problems) => problems.at(-1)?.includes('cannot be reached') ?? false))
  expect(outcomes().replica).toBe(before.replica)
  expect(outcomes().down).toBeGreaterThan(before.down as number)
  expect(await checkReplica(db, pair.standby.url)).toMatchObject([
    { level: 'warn', text: expect.stringContaining('will not be used') },
  ])
})
