import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, createPool } from '../../server/db/client.ts'
import { createTestDatabase } from '../support/database.ts'
import { createRows } from '../support/rows.ts'

/** The statements of the plan for growth, by the name in their first line. */
const page = readFileSync(new URL('../../server/ops/GROWTH.md', import.meta.url), 'utf8')
const statements = new Map(
  [...page.matchAll(/```sql\n-- (\S+)\n([\s\S]*?)```/g)].map(([, name, text]) => [name, text]),
)

const database = await createTestDatabase()
const db = createDatabase(createPool(database.url, { size: 4 }))
const rows = createRows(db)
const clients = [new pg.Client(database.url), new pg.Client(database.url)] as const
beforeAll(() => Promise.all(clients.map((client) => client.connect())))
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()))
  await db.destroy()
  await database.drop()
})

/** Runs the statement with that name on the first connection, or the one given. */
async function run(name: string, values: unknown[] = [], client = clients[0]) {
  const text = statements.get(name)
  if (text === undefined) throw new Error(`the page has no statement ${name}`)
  return (await client.query(text, values)).rows
}

/** Whether the second connection has to wait for `lock` while the first one's transaction holds it. */
async function excludes(lock: (client: pg.Client) => Promise<unknown>): Promise<boolean> {
  const [holder, other] = clients
  await holder.query('begin')
  await lock(holder)
  await other.query(`begin; set local lock_timeout = '100ms'`)
  const refused = await lock(other).then(
    () => false,
    (error) => error.code === '55P03',
  )
  await Promise.all([holder.query('rollback'), other.query('rollback')])
  return refused
}

test('sums are what the triggers count', async () => {
  const project_id = await rows.project()
  for (const status of ['open', 'claimed', 'in_review', 'done'] as const)
    await rows.bountyAt(status, { project_id, reward_amount: 7 })
  const kept = await db
    .selectFrom('projects')
    .select('committed')
    .where('id', '=', project_id)
    .executeTakeFirst()
  expect(await run('committed', [project_id])).toEqual([{ committed: String(kept?.committed) }])
  const counted =
    await sql`select sum(bounties_open)::text as bounties_open, sum(bounties_claimed)::text as bounties_claimed,
    sum(bounties_in_review)::text as bounties_in_review, sum(bounties_done)::text as bounties_done,
    sum(rewards_paid)::text as rewards_paid from statistics`.execute(db)
  expect(await run('statistics')).toEqual(counted.rows)
})

test('a transition that names its state changes what the trigger allows, and nothing else', async () => {
  const open = await rows.bountyAt('open')
  expect(await run('transition', [open, 'claimed', 'open'])).toEqual([])
  expect(await run('transition', [open, 'open', 'done'])).toEqual([])
  expect(await run('transition', [await rows.bountyAt('claimed'), 'claimed', 'open'])).toHaveLength(1)
  expect(await run('transition', [open, 'open', 'cancelled'])).toEqual([{ id: open }])
})

test('an update without a change locks like for no key update, and a row like an advisory lock', async () => {
  const id = await rows.project()
  const locked = 'select committed from projects where id = $1 for no key update'
  expect(await excludes((client) => client.query(locked, [id]))).toBe(true)
  expect(await excludes((client) => run('lock-project', [id], client))).toBe(true)
  expect(await excludes((client) => run('lock-by-row', ['event log: positions'], client))).toBe(true)
  expect(await run('lock-project', [id])).toEqual([{ committed: '0' }])
})

test('of two that take the same reading one gets it', async () => {
  const url = 'https://github.com/acme/app/pull/1'
  await rows.pullRequest({ url, due_at: new Date(Date.now() - 1000) })
  const { due_at } = await db
    .selectFrom('pull_requests')
    .select('due_at')
    .where('url', '=', url)
    .executeTakeFirstOrThrow()
  const taken = await Promise.all(clients.map((client) => run('take-reading', [url, due_at], client)))
  expect(taken.map((found) => found.length).toSorted()).toEqual([0, 1])
})

test('one expression in the index finds what two columns find', async () => {
  await rows.project({ name: 'Zebra Crossing', description: 'Stripes of paint' })
  await rows.project({ name: 'Paint', description: 'A zebra for everybody' })
  await rows.project({ name: 'Half a zeb', description: 'ra is not one' })
  await run('keyword-index')
  for (const pattern of ['%zebra%', '%paint%', '%crossing stripes%', '%zeb ra%']) {
    const two =
      await sql`select id from projects where name_folded like ${pattern} or description_folded like ${pattern}
      order by id`.execute(db)
    expect(await run('keyword', [pattern])).toEqual(two.rows)
  }
  const { rows: generated } =
    await sql`select name_folded, description_folded from projects where name = 'Zebra Crossing'`.execute(db)
  expect(await run('folded', ['Zebra Crossing', 'Stripes of paint'])).toEqual(generated)
})

test('with the project in front the index still allows one approved submission of a bounty', async () => {
  await run('one-approved')
  const { rows: found } = await sql<{
    definition: string
  }>`select pg_get_indexdef('submissions_one_approved_sharded'::regclass)
    as definition`.execute(db)
  expect(found[0]?.definition).toMatch(/UNIQUE INDEX .* \(project_id, bounty_id\) WHERE/)
})
