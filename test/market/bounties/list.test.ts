import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createTestMarket } from '../../support/market.ts'
import { isoTime } from '../../support/values.ts'

const market = await createTestMarket()

const project = await market.activeProject()
const other = await market.activeProject()

async function offer(title: string, extra: Record<string, unknown> = {}, to = project): Promise<string> {
  const { body } = await market.api('POST', `/api/projects/${to.id}/bounties`, {
    key: to.founder.key,
    body: { title, description: 'Work.', reward_amount: 10, ...extra },
  })
  return body.bounty.id
}
async function ids(query: string): Promise<string[]> {
  const { status, body } = await market.api('GET', `/api/bounties${query}`)
  expect(status).toBe(200)
  return body.bounties.map((bounty: { id: string }) => bounty.id)
}

const open: string[] = []
for (let index = 0; index < 21; index++) open.unshift(await offer(`Task ${index}`))
const hard = await offer('50%_off', { difficulty: 'hard', description: 'Größe und \\ mehr' })
const elsewhere = await offer('Elsewhere', { difficulty: 'hard' }, other)
const done = await market.doneBounty({ project: other })
const inReview = await market.bountyInReview({ project })
const claimed = await market.claimedBounty({ project })
const everything = [claimed.id, inReview.id, done.id, elsewhere, hard, ...open]

test('200 with 20 bounties, newest first, by default', async () => {
  expect(await ids('')).toEqual(everything.slice(0, 20))
})

test('200 with whole bounties and nothing about claimants or submissions', async () => {
  const { body } = await market.api('GET', '/api/bounties?limit=1')
  expect(body).toEqual({
    bounties: [
      {
        id: claimed.id,
        project_id: project.id,
        title: 'Add division',
        description: 'Without remainder.',
        reward_amount: 100,
        difficulty: 'medium',
        status: 'claimed',
        created_at: isoTime,
      },
    ],
  })
})

test('200 pages through everything once', async () => {
  const pages = await Promise.all([0, 9, 18, 27].map((offset) => ids(`?limit=9&offset=${offset}`)))
  expect(pages.flat()).toEqual(everything)
})

test('200 pages through bounties of the same instant once, ties broken by id', async () => {
  const before = await market.db.selectFrom('bounties').select(['id', 'created_at']).execute()
  const instant = new Date('2020-01-01T00:00:00Z')
  // An index on both columns would put ids in order even for a query that forgot to ask.
  await sql`drop index bounties_newest`.execute(market.db)
  await market.db.updateTable('bounties').set({ created_at: instant }).execute()
  const pages = await Promise.all([0, 9, 18, 27].map((offset) => ids(`?limit=9&offset=${offset}`)))
  expect(pages.flat()).toEqual(everything.toSorted().reverse())
  for (const { id, created_at } of before)
    await market.db.updateTable('bounties').set({ created_at }).where('id', '=', id).execute()
})

test.each([
  ['status=open&limit=100', [elsewhere, hard, ...open]],
  ['status=claimed', [claimed.id]],
  ['status=in_review', [inReview.id]],
  ['status=done', [done.id]],
  [`project_id=${other.id}`, [done.id, elsewhere]],
  ['project_id=proj_00000000000000000000', []],
  ['difficulty=hard', [elsewhere, hard]],
  ['difficulty=extreme', []],
  [`difficulty=hard&status=open&project_id=${project.id}&q=off`, [hard]],
])('200 filtered by %s', async (query, expected) => {
  expect(await ids(`?${query}`)).toEqual(expected)
})

describe('q', () => {
  test.each([
    ['tASK 2', [open[0], open[18]]],
    ['DIVISION', [claimed.id, inReview.id, done.id]],
    ['größe', [hard]],
    ['GRÖSSE', []],
    ['Ö', [hard]],
    ['sE', [elsewhere]],
    ['5', [hard, open[5], open[15]]],
    ['0%', [hard]],
    ['\\ M', [hard]],
    ['ßE', [hard]],
    ['zq', []],
    ['🦀', []],
    ['!!!', []],
    ['%', [hard]],
    ['_', [hard]],
    ['\\', [hard]],
    ['50%_', [hard]],
    ['T%k', []],
    ["'; drop table bounties; --", []],
  ])('200 for %j, in title or description, whatever the letter case', async (q, expected) => {
    expect(await ids(`?limit=100&q=${encodeURIComponent(q)}`)).toEqual(expected)
  })
})
