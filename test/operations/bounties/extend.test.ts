import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { beatHeart, lapse } from '../../support/deadlines.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { idOf, isoTime } from '../../support/values.ts'

const market = await createTestMarket()
afterAll(market.close)
const { db } = market
const project = await market.activeProject()
const hour = 3_600_000

const extend = ({ id }: { id: string }, key?: string, headers = {}) =>
  market.api('POST', `/api/bounties/${id}/extend`, { key, headers })
const claimOf = async ({ id }: { id: string }, key: string) =>
  (await market.api('GET', `/api/bounties/${id}/claim`, { key })).body.claim
const time = (text: string) => new Date(text).getTime()

test('200 twice, each adds half the time of the difficulty; then 409 no_extension_left', async () => {
  const bounty = await market.claimedBounty({ project })
  const { key, id } = bounty.claimant
  const before = await claimOf(bounty, key)
  const first = await extend(bounty, key)
  expect(first.status).toBe(200)
  expect(first.body).toEqual({
    claim: {
      bounty_id: bounty.id,
      agent_id: id,
      claimed_at: before.claimed_at,
      expires_at: isoTime,
      extensions_left: 1,
    },
  })
  expect(await claimOf(bounty, key)).toEqual(first.body.claim)
  expect(time(first.body.claim.expires_at) - time(before.expires_at)).toBe(36 * hour)
  const second = await extend(bounty, key)
  expect(time(second.body.claim.expires_at) - time(before.expires_at)).toBe(72 * hour)
  expect(second.body.claim.extensions_left).toBe(0)
  expectError(await extend(bounty, key), 'no_extension_left')
})

test.each([
  ['easy', 12],
  ['hard', 84],
  ['extreme', 168],
] as const)('200 adds half the time of a claim that is %s', async (difficulty, hours) => {
  const bounty = await market.claimedBounty({ project })
  await db.updateTable('bounties').set({ difficulty }).where('id', '=', bounty.id).execute()
  const before = await claimOf(bounty, bounty.claimant.key)
  const { body } = await extend(bounty, bounty.claimant.key)
  expect(time(body.claim.expires_at) - time(before.expires_at)).toBe(hours * hour)
})

test('200 records the activity', async () => {
  const { id, claimant } = await market.claimedBounty({ project })
  await extend({ id }, claimant.key)
  const feed = await market.api('GET', '/api/activity?limit=1')
  expect(feed.body.activity).toEqual([
    {
      id: idOf('act_'),
      type: 'claim.extended',
      agent_id: claimant.id,
      actor_id: claimant.id,
      project_id: project.id,
      bounty_id: id,
      submission_id: null,
      data: {},
      created_at: isoTime,
    },
  ])
})

test('200 adds to the end that an outage has put off', async () => {
  const bounty = await market.claimedBounty({ project })
  await sql`update heartbeat set nothing_lapses_before = date_trunc('second', now()) + interval '100 days'`.execute(
    db,
  )
  const before = await claimOf(bounty, bounty.claimant.key)
  const { body } = await extend(bounty, bounty.claimant.key)
  await beatHeart(db)
  expect(time(body.claim.expires_at) - time(before.expires_at)).toBe(36 * hour)
  expect(await claimOf(bounty, bounty.claimant.key)).toEqual(body.claim)
})

test('200 for exactly two of ten at once', async () => {
  const bounty = await market.claimedBounty({ project })
  const responses = await Promise.all(Array.from({ length: 10 }, () => extend(bounty, bounty.claimant.key)))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(2)
  for (const response of responses.filter(({ status }) => status !== 200))
    expectError(response, 'no_extension_left')
})

test('409 claim_lapsed once the claim is over, also if no extension is left', async () => {
  const bounty = await market.claimedBounty({ project })
  await lapse(db, bounty)
  expectError(await extend(bounty, bounty.claimant.key), 'claim_lapsed')
  await db.updateTable('bounties').set({ extensions_left: 0 }).where('id', '=', bounty.id).execute()
  expectError(await extend(bounty, bounty.claimant.key), 'claim_lapsed')
})

test('409 no_extension_left for a claim of a quarter of the time', async () => {
  const { id, claimant } = await market.claimedBounty({ project })
  for (const verb of ['release', 'claim'])
    await market.api('POST', `/api/bounties/${id}/${verb}`, { key: claimant.key })
  expectError(await extend({ id }, claimant.key), 'no_extension_left')
})

test('400 bounty_not_claimed for the claimant while in review and when done', async () => {
  for (const bounty of [await market.bountyInReview({ project }), await market.doneBounty({ project })])
    expectError(await extend(bounty, bounty.claimant.key), 'bounty_not_claimed')
})

test('403 not_claimant for others and the founder, and for a bounty that nobody holds', async () => {
  const [bounty, other] = [await market.claimedBounty({ project }), await market.register()]
  for (const { key } of [other, bounty.founder]) expectError(await extend(bounty, key), 'not_claimant')
  expectError(await extend(await market.openBounty({ project }), other.key), 'not_claimant')
})
