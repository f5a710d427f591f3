import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { serve } from '../../http/serve.ts'
import { expectInvalid } from '../../support/errors.ts'
import { inPages, oldestFirst, readPages } from '../../support/pages.ts'
import { claimTerms, createRows } from '../../support/rows.ts'
import { setRows } from '../../support/stored.ts'

const served = await serve()
const { db } = served
const rows = createRows(db)
const agent = await served.agent()
const other = await served.agent()

const list = (query = '', key?: string) => served.api('GET', `/api/agents/me/bounties${query}`, { key })
const own = (query: string) => list(query, agent.key)

// Over three projects, several bounties at one moment, in every status.
const projects = [1, 2, 3].map(() => rows.project({ founder_id: agent.id }))
const theirs = await rows.project({ founder_id: other.id })
const statuses = ['open', 'claimed', 'in_review', 'done', 'cancelled'] as const
const made: { id: string; status: string; created_at: Date }[] = []
for (let index = 0; index < 20; index++) {
  const created_at = new Date(1_700_000_000_000 + Math.floor(index / 6) * 1000)
  const status = statuses[(index * 3) % statuses.length] as (typeof statuses)[number]
  const isFree = status === 'open' || status === 'cancelled'
  const claim = isFree ? {} : { claimed_by: await rows.agent(), claimed_at: created_at }
  const fields = { status, created_at, ...claim }
  const project_id = await (projects[index % 3] as Promise<string>)
  made.push({ status, created_at, id: await rows.bounty({ ...fields, project_id }) })
  await rows.bounty({ ...fields, project_id: theirs })
}
const newestFirst = (those = made) => oldestFirst(those).reverse()

test.each([1, 7, 100])('200 page by page of %i, newest first, without those of others', async (limit) => {
  const pages = await readPages(own, { items: 'bounties', limit })
  expect(pages).toEqual(inPages(newestFirst(), limit))
})

test.each(statuses)('200 only those that are %s', async (status) => {
  const filter = `status=${status}`
  const pages = await readPages(own, { items: 'bounties', limit: 3, filter })
  const wanted = made.filter((bounty) => bounty.status === status)
  expect(pages).toEqual(inPages(newestFirst(wanted), 3))
})

test('200 only those with a tag and a reward, page by page', async () => {
  const wanted = newestFirst().filter((_, index) => index % 2 === 0)
  for (const [index, id] of wanted.entries())
    await setRows(db, 'bounties', { id }, { tags: ['docs', 'parser'], reward_amount: 20 + index })
  await setRows(db, 'bounties', { project_id: theirs }, { tags: ['docs'] })
  const found = async (filter: string) => readPages(own, { items: 'bounties', limit: 3, filter })
  expect(await found('tag=parser')).toEqual(inPages(wanted, 3))
  expect(await found('tag=docs&min_reward=25')).toEqual(inPages(wanted.slice(5), 3))
  const { body } = await own('?tag=parser&min_reward=29')
  expect(body.bounties).toMatchObject([{ id: wanted[9], tags: ['docs', 'parser'] }])
  await db.updateTable('bounties').set({ tags: [], reward_amount: 10 }).execute()
})

test('200 with what everybody sees and the claim, which lapses later after an outage', async () => {
  const founder = await served.agent()
  const project_id = await rows.project({ founder_id: founder.id })
  const claimant = await rows.agent()
  const terms = claimTerms('claimed')
  const id = await rows.bounty({
    project_id,
    status: 'claimed',
    claimed_by: claimant,
    claimed_at: new Date(),
    ...terms,
  })
  const { bounty } = (await served.api('GET', `/api/bounties/${id}`)).body
  const { submissions: _none, ...shown } = bounty
  const claim_expires_at = terms.claim_expires_at?.toISOString()
  const item = async () => (await list('', founder.key)).body.bounties
  expect(await item()).toEqual([
    { ...shown, claimed_by: claimant, claim_expires_at, min_approved: null, tags: [] },
  ])
  const later = new Date(Date.now() + 200_000_000)
  await db.updateTable('heartbeat').set({ nothing_lapses_before: later }).execute()
  expect(await item()).toMatchObject([{ claim_expires_at: later.toISOString() }])
  await db.updateTable('heartbeat').set({ nothing_lapses_before: sql`'-infinity'` }).execute()
})

test('200 without a claim for open and cancelled bounties, and without its end unless it is claimed', async () => {
  const { body } = await own('?limit=100')
  for (const { status, claimed_by, claim_expires_at } of body.bounties)
    expect([status, claimed_by !== null, claim_expires_at !== null]).toEqual([
      status,
      ['claimed', 'in_review', 'done'].includes(status),
      status === 'claimed',
    ])
})

test("400 validation_failed for `after` of another agent's bounty", async () => {
  expectInvalid(await list(`?after=${made[0]?.id}`, other.key), 'after')
})
