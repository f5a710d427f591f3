import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { branchFor } from '../../../server/lifecycle/pull-requests/attribution.ts'
import { beatHeart, lapse } from '../../support/deadlines.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { proxyPage } from '../../support/request-faults.ts'
import type { ClaimedBounty } from '../../support/scenarios.ts'
import { isoTime } from '../../support/values.ts'

let isHostAway = false
const market = await createTestMarket({
  onGitHubRequest: () => (isHostAway ? proxyPage : undefined),
})
const { db } = market
const project = await market.activeProject()
const hour = 3_600_000

const extend = ({ id }: { id: string }, key?: string) => market.act({ id }, 'extend', { key })
/** Extends a claim after another push. */
const workAndExtend = async (bounty: ClaimedBounty) => {
  await market.work(bounty)
  return extend(bounty, bounty.claimant.key)
}
const claimOf = async ({ id }: { id: string }, key: string) =>
  (await market.api('GET', `/api/bounties/${id}/claim`, { key })).body.claim
const time = (text: string) => new Date(text).getTime()

test('200 twice, each adds half the time of the difficulty and is recorded; then 409 no_extension_left', async () => {
  const bounty = await market.claimedBounty({ project })
  const { key, id } = bounty.claimant
  const before = await claimOf(bounty, key)
  const first = await workAndExtend(bounty)
  expect(first.status).toBe(200)
  expect(first.body).toEqual({
    claim: {
      bounty_id: bounty.id,
      agent_id: id,
      claimed_at: before.claimed_at,
      expires_at: isoTime,
      proof_due_at: null,
      extensions_left: 1,
    },
  })
  expect(await claimOf(bounty, key)).toEqual(first.body.claim)
  expect(time(first.body.claim.expires_at) - time(before.expires_at)).toBe(36 * hour)
  const feed = await market.api('GET', '/api/activity?limit=2')
  const of = { agent_id: id, project_id: project.id, bounty_id: bounty.id }
  expect(feed.body.activity).toMatchObject([
    { type: 'claim.extended', ...of },
    { type: 'claim.proved', ...of },
  ])
  const second = await workAndExtend(bounty)
  expect(time(second.body.claim.expires_at) - time(before.expires_at)).toBe(72 * hour)
  expect(second.body.claim.extensions_left).toBe(0)
  expectError(await workAndExtend(bounty), 'no_extension_left')
})

test.each([
  ['easy', 12],
  ['hard', 84],
  ['extreme', 168],
] as const)('200 adds half the time of a claim that is %s', async (difficulty, hours) => {
  const bounty = await market.claimedBounty({ project })
  await db.updateTable('bounties').set({ difficulty }).where('id', '=', bounty.id).execute()
  const before = await claimOf(bounty, bounty.claimant.key)
  const { body } = await workAndExtend(bounty)
  expect(time(body.claim.expires_at) - time(before.expires_at)).toBe(hours * hour)
})

test('200 adds to the end that an outage has put off', async () => {
  const bounty = await market.claimedBounty({ project })
  await sql`update heartbeat set nothing_lapses_before = date_trunc('second', now()) + interval '100 days'`.execute(
    db,
  )
  const before = await claimOf(bounty, bounty.claimant.key)
  const { body } = await workAndExtend(bounty)
  await beatHeart(db)
  expect(time(body.claim.expires_at) - time(before.expires_at)).toBe(36 * hour)
  expect(await claimOf(bounty, bounty.claimant.key)).toEqual(body.claim)
})

test('200 for exactly one of ten at once after one push, else 409 no_progress', async () => {
  const bounty = await market.claimedBounty({ project })
  await market.work(bounty)
  const responses = await Promise.all(Array.from({ length: 10 }, () => extend(bounty, bounty.claimant.key)))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const response of responses.filter(({ status }) => status !== 200))
    expectError(response, 'no_progress')
})

test('409 no_progress without work, with that of others, and with what was seen before; 200 after another push', async () => {
  const bounty = await market.claimedBounty({ project })
  const other = await market.claimedBounty({ project })
  expectError(await extend(bounty, bounty.claimant.key), 'no_progress')
  await market.work(other)
  await market.pullRequest(project)
  await market.pullRequest(project, branchFor(bounty.claimant.id, other.id))
  expectError(await extend(bounty, bounty.claimant.key), 'no_progress')
  expect((await workAndExtend(bounty)).status).toBe(200)
  expectError(await extend(bounty, bounty.claimant.key), 'no_progress')
  expect((await workAndExtend(bounty)).status).toBe(200)
})

test('409 no_progress after a review until there is another commit than the one that was submitted', async () => {
  const bounty = await market.claimedBounty({ project })
  const pr_url = await market.work(bounty)
  const post = (verb: string, { key }: { key: string }, body: object) =>
    market.act(bounty, verb, { key }, body)
  expect((await post('submit', bounty.claimant, { pr_url })).status).toBe(201)
  expect((await post('request-changes', bounty.founder, { review_notes: 'Test it.' })).status).toBe(200)
  expectError(await extend(bounty, bounty.claimant.key), 'no_progress')
  expect((await workAndExtend(bounty)).status).toBe(200)
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
  for (const verb of ['release', 'claim']) await market.act({ id }, verb, claimant)
  expectError(await extend({ id }, claimant.key), 'no_extension_left')
})

test('502 repository_unreachable while the code host fails, which costs no claim, and 200 after', async () => {
  const bounty = await market.claimedBounty({ project })
  await market.work(bounty)
  await sql`update bounties set claim_expires_at = now() + interval '1 minute' where id = ${bounty.id}`.execute(
    db,
  )
  isHostAway = true
  expectError(await extend(bounty, bounty.claimant.key), 'repository_unreachable')
  isHostAway = false
  const left = time((await claimOf(bounty, bounty.claimant.key)).expires_at) - Date.now()
  expect(left).toBeGreaterThan(0.8 * hour)
  expect((await extend(bounty, bounty.claimant.key)).status).toBe(200)
})
