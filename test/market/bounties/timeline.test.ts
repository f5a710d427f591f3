import { expect, test } from 'vitest'
import { recordActivity } from '../../../server/events/record.ts'
import { expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'

const market = await createTestMarket()
const { db } = market
const project = await market.activeProject()
const { key } = await market.register()

const read = ({ id }: { id: string }, query = '', as: string | undefined = key) =>
  market.api('GET', `/api/bounties/${id}/timeline${query}`, { key: as })
interface Entry {
  id: string
  type: string
}
const idsOf = (events: Entry[]) => events.map(({ id }) => id)

const bounty = await market.doneBounty({ project })
// Of another bounty, between and behind the entries of the first one.
const other = await market.claimedBounty({ project })
const hidden = await recordActivity(db, {
  type: 'webhook.tested',
  visibility: 'private',
  agent_id: bounty.claimant.id,
  bounty_id: bounty.id,
})

test('200 with everything public that happened to the bounty, oldest first, as the feed has it', async () => {
  const { status, body } = await read(bounty)
  expect(status).toBe(200)
  expect(body).toMatchObject({ next: null })
  expect(body.events.map(({ type }: Entry) => type)).toEqual([
    'bounty.created',
    'bounty.claimed',
    'submission.created',
    'submission.approved',
    'payout.confirmed',
  ])
  const feed = await market.api('GET', `/api/activity?limit=100&project_id=${project.id}`)
  const ofBounty = feed.body.activity.filter((entry: { bounty_id: string }) => entry.bounty_id === bounty.id)
  expect(body.events).toEqual(ofBounty.reverse())
})

test('200 before the log has numbered the events, and for the claimant no more than for others', async () => {
  expect(
    (await db.selectFrom('activity').where('position', 'is not', null).selectAll().execute()).length,
  ).toBe(0)
  for (const { key } of [bounty.claimant, bounty.founder])
    expect((await read(bounty, '', key)).body).toEqual((await read(bounty)).body)
})

test('200 page by page', async () => {
  const all = idsOf((await read(bounty)).body.events)
  const found: string[] = []
  let after = ''
  for (const [size, hasMore] of [
    [2, true],
    [2, true],
    [1, false],
  ] as const) {
    const { body } = await read(bounty, `?limit=2${after}`)
    expect(body).toMatchObject({ next: hasMore ? body.events.at(-1).id : null })
    expect(body.events).toHaveLength(size)
    found.push(...idsOf(body.events))
    after = `&after=${body.next}`
  }
  expect(found).toEqual(all)
  expect((await read(bounty, `?after=${all.at(-1)}`)).body).toEqual({
    events: [],
    next: null,
  })
})

test.each([
  ['an entry of another bounty', async () => (await read(other)).body.events[0].id],
  ['a private entry', async () => hidden],
])('400 validation_failed for `after` with %s', async (_, after) => {
  expectInvalid(await read(bounty, `?after=${await after()}`), 'after')
})
