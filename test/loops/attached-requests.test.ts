import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createDatabase, createPool } from '../../server/db/client.ts'
import { createAttachedRequests } from '../../server/loops/attached-requests.ts'
import { openTestDatabase } from '../support/database.ts'
import { whileUncommitted } from '../support/row-locks.ts'
import { createRows } from '../support/rows.ts'
import { until } from '../support/until.ts'

/** Longer than any test runs. */
const forever = 2 ** 30
const longSeconds = 60

const { db, url } = await openTestDatabase()
const rows = createRows(db)

/** The requests of one process, and what it logs. It reads outcomes when a test asks for it, unless a pause is given. */
function newProcess({ pollMs = forever, seconds = longSeconds, connections = db } = {}) {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line).msg) })
  const options = {
    db: connections,
    pollMs,
    requestLockSeconds: seconds,
    onWait: () => void lines.push('waits'),
    log,
  }
  return { requests: createAttachedRequests('activations', () => ({ state: 'done' }), options), lines }
}

const patient = (attachedRequest: string) => ({
  attachedRequest,
  timeoutMs: forever,
  signal: new AbortController().signal,
})

/** A running activation. Returns its id. */
async function work(): Promise<string> {
  const project_id = await rows.project()
  await db
    .insertInto('activations')
    .values({ project_id, founder_wallet: `0x${'1'.repeat(40)}` })
    .execute()
  return project_id
}

const set = (id: string, values: Record<string, unknown>, trx = db) =>
  trx.updateTable('activations').set(values).where('project_id', '=', id).execute()
const fail = (id: string, trx = db) =>
  set(id, { status: 'failed', error_code: 'deployment_failed', error: 'refused' }, trx)
const failed = { state: 'failed', code: 'deployment_failed', message: 'refused' }
const attachedTo = async (id: string) => {
  const row = db.selectFrom('activations').where('project_id', '=', id)
  return (await row.select('served_by').executeTakeFirstOrThrow()).served_by
}
/** Changes with every write of the row. */
const version = async (id: string) =>
  (await sql<{ xmin: string }>`select xmin::text from activations where project_id = ${id}`.execute(db))
    .rows[0]?.xmin
const soonOver = (id: string) => set(id, { served_until: sql`clock_timestamp() + interval '1 second'` })
const joinedBy = (id: string, request: string) => newProcess().requests.join(db, id, request)

test('each request gets the outcome of its work when this process has stored it', async () => {
  const { requests, lines } = newProcess()
  const first = await work()
  const second = await work()
  const waiting = [requests.wait(first, patient('a')), requests.wait(second, patient('b'))]
  expect(lines).toEqual(['waits', 'waits'])
  await fail(first)
  await set(second, { status: 'needs_operator' })
  requests.poll()
  expect(await Promise.all(waiting)).toEqual([failed, { state: 'stuck' }])
})

test('of many that wait only the request whose work has an outcome reads', async () => {
  // One connection, so that the work ends after both have read that it runs.
  const single = createDatabase(createPool(url, { size: 1 }))
  const { requests } = newProcess({ connections: single })
  const ids = [await work(), await work()] as const
  const over = new AbortController()
  const waiting = ids.map((id) => requests.wait(id, { ...patient(id), signal: over.signal }))
  await Promise.all(ids.map((id) => fail(id, single)))
  requests.poll(ids[0])
  expect(await waiting[0]).toEqual(failed)
  over.abort()
  expect(await waiting[1]).toEqual({ state: 'running' })
  await single.destroy()
})

test('polls at intervals without being asked, until the outcome is other than running', async () => {
  const id = await work()
  const waiting = newProcess({ pollMs: 1 }).requests.wait(id, patient('a'))
  await fail(id)
  expect(await waiting).toEqual(failed)
})

test('an outcome that is stored while another one is read is found right after it', async () => {
  const { requests } = newProcess()
  const id = await work()
  await requests.attach(db, id, 'a')
  await soonOver(id)
  // The renewal of the first read waits for the lock, and its statement sees no later outcome.
  const outcome = await whileUncommitted(
    db,
    (trx) => fail(id, trx),
    () => {
      const waiting = requests.wait(id, patient('a'))
      requests.poll()
      return waiting
    },
  )
  expect(outcome).toEqual(failed)
})

test('others are refused while a request is attached, and not once its process fell silent', async () => {
  const { requests } = newProcess()
  const id = await work()
  await requests.attach(db, id, 'a')
  expect(await requests.join(db, id, 'b')).toBe(false)
  await set(id, { served_until: sql`clock_timestamp() - interval '1 second'` })
  expect(await requests.join(db, id, 'b')).toBe(true)
  expect(await attachedTo(id)).toBe('b')
})

test('a request stays attached as long as it waits', async () => {
  const waiter = newProcess()
  const id = await work()
  await waiter.requests.attach(db, id, 'a')
  await soonOver(id)
  const waiting = waiter.requests.wait(id, patient('a'))
  const left = sql<number>`extract(epoch from served_until - clock_timestamp())::float8`.as('left')
  const secondsLeft = () =>
    db.selectFrom('activations').where('project_id', '=', id).select(left).executeTakeFirstOrThrow()
  await until(async () => (await secondsLeft()).left > longSeconds / 2)
  // Stored before the database's clock was set back.
  await set(id, { served_until: sql`clock_timestamp() + interval '1 hour'` })
  await until(async () => {
    waiter.requests.poll()
    return (await secondsLeft()).left <= longSeconds
  })
  await fail(id)
  waiter.requests.poll()
  expect(await waiting).toEqual(failed)
})

test('reading an outcome writes nothing while the attachment is fresh', async () => {
  const { requests } = newProcess()
  const id = await work()
  await requests.attach(db, id, 'a')
  await fail(id)
  const before = await version(id)
  expect(await requests.wait(id, patient('a'))).toEqual(failed)
  expect(await version(id)).toBe(before)
})

test('a request whose time is up gets the last outcome, and others may join', async () => {
  const { requests } = newProcess({ pollMs: 1 })
  const id = await work()
  await requests.attach(db, id, 'a')
  const brief = { attachedRequest: 'a', timeoutMs: 20, signal: new AbortController().signal }
  expect(await requests.wait(id, brief)).toEqual({ state: 'running' })
  expect(await attachedTo(id)).toBeNull()
  expect(await joinedBy(id, 'b')).toBe(true)
})

test('work that waits for an operator may be joined again at once', async () => {
  const { requests } = newProcess()
  const id = await work()
  await requests.attach(db, id, 'a')
  await set(id, { status: 'needs_operator' })
  expect(await requests.wait(id, patient('a'))).toEqual({ state: 'stuck' })
  expect(await joinedBy(id, 'b')).toBe(true)
})

test('a request that was replaced neither renews nor detaches the one that begins the work anew', async () => {
  const waiter = newProcess()
  const id = await work()
  await waiter.requests.attach(db, id, 'a')
  const controller = new AbortController()
  const waiting = waiter.requests.wait(id, { ...patient('a'), signal: controller.signal })
  await waiter.requests.attach(db, id, 'b')
  await soonOver(id)
  const before = await version(id)
  waiter.requests.poll()
  controller.abort()
  expect(await waiting).toEqual({ state: 'running' })
  expect(await version(id)).toBe(before)
  expect(await attachedTo(id)).toBe('b')
})

test('a request that was given up before it waits, or while it does, stops waiting at once', async () => {
  const { requests } = newProcess()
  const id = await work()
  await requests.attach(db, id, 'a')
  expect(await requests.wait(id, { ...patient('a'), signal: AbortSignal.abort() })).toEqual({
    state: 'running',
  })
  await requests.attach(db, id, 'b')
  const controller = new AbortController()
  const waiting = requests.wait(id, { ...patient('b'), signal: controller.signal })
  controller.abort()
  expect(await waiting).toEqual({ state: 'running' })
  expect(await attachedTo(id)).toBeNull()
})

test('a failed read is repeated, and logged once', async () => {
  const { requests, lines } = newProcess({ pollMs: 1 })
  const id = await work()
  await sql`alter table activations rename to elsewhere`.execute(db)
  const waiting = requests.wait(id, patient('a'))
  await until(() => lines.includes('could not read outcomes; polling again'))
  await sql`alter table elsewhere rename to activations`.execute(db)
  await fail(id)
  expect(await waiting).toEqual(failed)
  expect(lines).toEqual(['waits', 'could not read outcomes; polling again', 'outcomes are read again'])
})

test('a database that hangs does not keep a request that has waited long enough', async () => {
  const { requests } = newProcess()
  const id = await work()
  await db.transaction().execute(async (trx) => {
    await sql`lock table activations`.execute(trx)
    expect(await requests.wait(id, { ...patient('a'), timeoutMs: 50 })).toEqual({ state: 'running' })
  })
})

test('the outcome of work that nobody has asked for is unknown', async () => {
  const { requests } = newProcess()
  expect(await requests.outcome(db, 'proj_unknown')).toBeUndefined()
  expect(await requests.outcome(db, await work())).toEqual({ state: 'running' })
})
