import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { pipelinedReads } from '../../../server/db/reads/reads.ts'
import type { State } from '../../../server/db/reads/snapshots.ts'
import { tagged } from '../../../server/http/cache/etag.ts'
import { createResponseCache } from '../../../server/http/cache/response-cache.ts'
import { bountyVersions } from '../../../server/market/bounties/queries.ts'
import { openTestDatabase } from '../../support/database.ts'
import { afterFile } from '../../support/leaks/closing.ts'
import { createRows } from '../../support/rows.ts'
import { until } from '../../support/until.ts'
import { serve } from '../serve.ts'

const database = await openTestDatabase({ size: 12 })
const { db } = database
const rows = createRows(db)
const reads = pipelinedReads(database.url, db)
afterFile(reads.close)
const one = await serve({ database })
const other = await serve({ database })

const rename = (trx: typeof db, id: string, title: string) =>
  trx.updateTable('bounties').set({ title }).where('id', '=', id).execute()
const known = () => until(async () => (await reads.snapshots?.now()) !== undefined)
const response = (body: string) => tagged({ status: 200, headers: {}, body })

test('304 while nothing has changed, 200 with the change through the other process', async () => {
  const id = await rows.bounty({ title: 'First' })
  const path = `/api/bounties/${id}`
  const first = await one.api('GET', path)
  const headers = { 'if-none-match': first.headers.get('etag') as string }
  for (let i = 0; i < 3; i++) {
    expect((await one.api('GET', path, { headers })).status).toBe(304)
    expect((await one.api('GET', path)).body).toEqual(first.body)
  }
  const agent = await other.agent()
  expect((await other.api('POST', `${path}/claim`, { key: agent.key })).status).toBe(200)
  const changed = await one.api('GET', path, { headers })
  expect(changed).toMatchObject({ status: 200, body: { bounty: { status: 'claimed' } } })
})

test('304 if something else has changed', async () => {
  const path = `/api/bounties/${await rows.bounty()}`
  const headers = { 'if-none-match': (await one.api('GET', path)).headers.get('etag') as string }
  await rows.bounty()
  const again = await one.api('GET', path, { headers })
  expect(again.status).toBe(304)
  expect(again.headers.get('etag')).toBe(headers['if-none-match'])
})

test('404 is not cached', async () => {
  const id = 'bnt_later000000000000000'
  expect((await one.api('GET', `/api/bounties/${id}`)).status).toBe(404)
  await rows.bounty({ id })
  expect((await one.api('GET', `/api/bounties/${id}`)).status).toBe(200)
})

test('from the second request on the data is read once per state, and again after a commit', async () => {
  await known()
  // Commits in other databases of the cluster make states as well.
  const states = new Set<State | undefined>()
  const note = (state: State | undefined) => {
    states.add(state)
    return state
  }
  const cache = createResponseCache({
    get seen() {
      return note(reads.snapshots?.seen)
    },
    now: async () => note(await reads.snapshots?.now()),
  })
  let read = 0
  const ask = () => cache.get('/x', { read: async () => response(String(++read)) })
  const askMany = async () => {
    const answers = await Promise.all(Array.from({ length: 500 }, ask))
    expect(states.size).toBeLessThan(100)
    expect(read - 1).toBeLessThanOrEqual(states.size)
    return Math.max(...answers.map(({ body }) => Number(body)))
  }
  await askMany()
  const before = await askMany()
  await rows.agent()
  expect(await askMany()).toBeGreaterThan(before)
})

test('a cached bounty is read again if its own rows are written, and not for others', async () => {
  await known()
  const cache = createResponseCache(reads.snapshots)
  const versionOf = reads.versions?.(bountyVersions)
  const [id, submitted] = [await rows.bounty(), await rows.bounty()]
  let read = 0
  const ask = (bounty: string) =>
    cache.get(`/${bounty}`, {
      read: async () => response(String(++read)),
      version: async () => versionOf?.(bounty),
    })
  const askBoth = async () => {
    await ask(id)
    await ask(submitted)
    return read
  }
  await askBoth()
  await rows.agent()
  const before = await askBoth()
  for (let turn = 0; turn < 3; turn++) {
    await rows.agent()
    expect(await askBoth()).toBe(before)
  }
  const submission_id = await rows.submission({ bounty_id: submitted })
  expect(await askBoth()).toBe(before + 1)
  await db.updateTable('submissions').set({ pr_url: 'x' }).where('id', '=', submission_id).execute()
  expect(await askBoth()).toBe(before + 2)
  await rename(db, id, 'Other')
  expect(await askBoth()).toBe(before + 3)
  expect(await askBoth()).toBe(before + 3)
})

test.each([
  ['bounties', 'title', () => rows.bounty()],
  ['projects', 'name', () => rows.project()],
] as const)('%s: 304 until its own row is written', async (table, column, create) => {
  const id = await create()
  const path = `/api/${table}/${id}`
  let etag = (await one.api('GET', path)).headers.get('etag') as string
  for (let turn = 0; turn < 4; turn++) {
    for (let other = 0; other < 3; other++) {
      await rows.agent()
      expect((await one.api('GET', path, { headers: { 'if-none-match': etag } })).status).toBe(304)
    }
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${`Turn ${turn}`} where id = ${id}`.execute(
      db,
    )
    const changed = await one.api('GET', path, { headers: { 'if-none-match': etag } })
    expect(changed.status).toBe(200)
    expect(JSON.stringify(changed.body)).toContain(`Turn ${turn}`)
    etag = changed.headers.get('etag') as string
  }
})

test('an error goes to its own request only and is not cached', async () => {
  await known()
  const cache = createResponseCache(reads.snapshots)
  let calls = 0
  const ask = () =>
    cache.get('/x', {
      async read() {
        if (++calls === 1) throw new Error('the first one’s own')
        return response('fine')
      },
    })
  const outcomes = await Promise.allSettled([ask(), ask(), ask()])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect((await ask()).body).toBe('fine')
})

test('the cache is bounded in entries and in bytes', async () => {
  const seen = { snapshot: '1:1:', connection: 1 }
  const cache = createResponseCache({ seen, now: async () => seen }, { entries: 10, bytes: 100_000 })
  const read = new Set<string>()
  const ask = (url: string, size: number) =>
    cache.get(url, {
      async read() {
        read.add(url)
        return response('x'.repeat(size))
      },
    })
  const forgotten = async (urls: string[], size: number) => {
    read.clear()
    for (const url of [...urls].reverse()) await ask(url, size)
    return read.size
  }
  const urls = Array.from({ length: 30 }, (_, index) => `/${index}`)
  for (const url of urls.flatMap((each) => [each, each])) await ask(url, 10)
  expect(await forgotten(urls, 10)).toBe(20)
  const large = urls.slice(0, 8).map((url) => `/large${url}`)
  for (const url of large.flatMap((each) => [each, each])) await ask(url, 20_000)
  expect(await forgotten(large, 20_000)).toBe(6)
  await ask('/huge', 200_000)
  expect(await forgotten(['/huge'], 200_000)).toBe(1)
})

test('no response is older than the last commit before its request, whatever is open, aborted or late', async () => {
  const project_id = await rows.project()
  const ids = await Promise.all([1, 2, 3].map(() => rows.bounty({ project_id, title: '0' })))
  const committed = ids.map(() => 0)
  const begun = ids.map(() => 0)
  let writing = true
  let answers = 0

  /** One bounty's only writer: its title counts up, by transactions of every kind, until enough has been read. */
  const write = async (index: number) => {
    const id = ids[index] as string
    for (let value = 1; value <= 60 || answers <= 500; value++) {
      begun[index] = value
      const kind = (value * 7 + index) % 4
      await db.transaction().execute(async (trx) => {
        await rename(trx, id, String(value))
        // Held open while others read and commit.
        if (kind === 0) await sql`select pg_sleep(0.005)`.execute(trx)
        if (kind === 1) await sql`savepoint s`.execute(trx)
        if (kind === 1) await rename(trx, id, String(value))
      })
      committed[index] = value
      if (kind === 2)
        await db
          .transaction()
          .execute(async (trx) => {
            await rename(trx, id, '-1')
            throw new Error('never happened')
          })
          .catch(() => undefined)
    }
  }
  const check = (index: number, title: string, before: number[]) => {
    expect(Number(title)).toBeGreaterThanOrEqual(before[index] as number)
    expect(Number(title)).toBeLessThanOrEqual(begun[index] as number)
    answers++
  }
  const poll = async (served: typeof one, step: number) => {
    const etags = new Map<string, { etag: string; body: ReturnType<typeof JSON.parse> }>()
    for (let turn = step; writing; turn++) {
      const index = turn % ids.length
      const list = turn % 4 === 0
      const path = list ? `/api/bounties?project_id=${project_id}` : `/api/bounties/${ids[index]}`
      const before = [...committed]
      const last = etags.get(path)
      const headers = last ? { 'if-none-match': last.etag } : undefined
      const { status, body: sent, headers: got } = await served.api('GET', path, { headers })
      const body = status === 304 ? last?.body : sent
      etags.set(path, { etag: got.get('etag') as string, body })
      if (list) for (const { id, title } of body.bounties) check(ids.indexOf(id), title, before)
      else check(index, body.bounty.title, before)
    }
  }
  const polling = [one, other].flatMap((served) => [0, 1, 2, 3].map((step) => poll(served, step)))
  await Promise.all(ids.map((_, index) => write(index)))
  writing = false
  await Promise.all(polling)
  expect(answers).toBeGreaterThan(500)
})

test.each([
  ['nothing', 0],
  ['nothing of its own', 1],
])(
  'a response of which %s has changed is made anew after a minute, because time passes',
  async (_what, step) => {
    const start = performance.now()
    const clock = vi.spyOn(performance, 'now').mockReturnValue(start)
    onTestFinished(() => clock.mockRestore())
    let state = { snapshot: '0', connection: 1 }
    const now = async () => {
      if (step > 0) state = { ...state, snapshot: `${Number(state.snapshot) + step}` }
      return state
    }
    const cache = createResponseCache({ seen: state, now })
    let made = 0
    const read = async () => response(String(++made))
    const get = async () => (await cache.get('/', { read, version: async () => 'the same' })).body
    await get()
    const first = await get()
    clock.mockReturnValue(start + 59_000)
    expect(await get()).toBe(first)
    clock.mockReturnValue(start + 61_000)
    await until(async () => (await get()) === String(Number(first) + 1))
  },
)
