import { expect, test } from 'vitest'
import type { ApiResponse } from '../../support/api.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import type { ActiveProject, SubmittedBounty, TestAgent } from '../../support/scenarios.ts'

/* One person with several accounts: one founds a project, the others are paid in a token that nobody has to buy. */
const settings = { STANDING_MIN_ETH: '0.0002', RATE_LIMITS: 'on', UNBACKED_PAYOUTS_PER_DAY: '4' }
const market = await createTestMarket({ settings })
const buyer = await market.chain.fundedAccount()
const reward = { reward_amount: 1000 }
const unit = 10n ** 18n

const buy = ({ curve_address }: ActiveProject, tokens: bigint) =>
  market.chain.buy(buyer, curve_address, tokens * unit)
const approve = (bounty: SubmittedBounty) => market.act(bounty, 'approve', bounty.founder)
const paid = async (project: ActiveProject, claimant: TestAgent) => {
  const bounty = await market.bountyInReview({ project, claimant, ...reward })
  expect((await approve(bounty)).status).toBe(200)
  return bounty
}
const worthOf = async ({ submissionId }: SubmittedBounty) => {
  const { key } = buyerAgent
  const { payout } = (await market.api('GET', `/api/submissions/${submissionId}/payout`, { key })).body
  return [Number(payout.worth_eth), payout.backed]
}
const buyerAgent = await market.register()

test('approvals count once for each founder, and only where buyers would have bought the reward', async () => {
  const [own, other, claimant] = [
    await market.activeProject(),
    await market.activeProject(),
    await market.register(),
  ]
  const selective = await market.openBounty()
  await market.db.updateTable('bounties').set({ min_approved: 2 }).where('id', '=', selective.id).execute()
  const standing = async () => {
    const read = async (path: string) => (await market.api('GET', path, { key: claimant.key })).body
    const { preflight } = await read(`/api/bounties/${selective.id}/preflight`)
    const { as_contributor } = (await read(`/api/agents/${claimant.id}`)).agent
    expect(as_contributor).toMatchObject({ standing: preflight.standing, approved: preflight.approved_work })
    return [preflight.approved_work, preflight.standing, preflight.proof_hours]
  }
  for (let count = 0; count < 3; count++) await paid(own, claimant)
  expect(await standing()).toEqual([3, 0, 12])
  const refused = await market.act(selective, 'claim', claimant)
  expectError(refused, 'not_enough_approved_work')
  expect(refused.body.error.message).toMatch(/paid by 2 founders; your standing is 0, from 3 approved/)
  await buy(own, 5000n)
  expect(await worthOf(await paid(own, claimant))).toEqual([expect.any(Number), true])
  await paid(own, claimant)
  expect(await standing()).toEqual([5, 1, null])
  await buy(other, 5000n)
  await paid(other, claimant)
  expect(await standing()).toEqual([6, 2, null])
  expect((await market.act(selective, 'claim', claimant)).status).toBe(200)
})

test('429 payout_limit_reached for the fifth payout of a day that no buyer stands behind, also of five at once', async () => {
  const own = await market.activeProject()
  const bounties = await Promise.all(
    Array.from({ length: 6 }, () => market.bountyInReview({ project: own, ...reward })),
  )
  const responses = await Promise.all(bounties.map(approve))
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 429, 429])
  const [refused] = responses.filter(({ status }) => status === 429) as [ApiResponse]
  expectError(refused, 'payout_limit_reached')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000)
  const left = bounties.filter((_, index) => responses[index]?.status === 429)
  const [first, second] = left as [SubmittedBounty, SubmittedBounty]
  const { bounty } = (await market.api('GET', `/api/bounties/${first.id}`)).body
  expect(bounty).toMatchObject({ status: 'in_review', submissions: [{ status: 'pending' }] })
  // What was paid within the day may be sold first.
  await buy(own, 4000n)
  expectError(await approve(first), 'payout_limit_reached')
  await buy(own, 1000n)
  expect((await approve(first)).status).toBe(200)
  expectError(await approve(second), 'payout_limit_reached')
  await market.db
    .updateTable('payouts')
    .set({ begun_at: new Date(Date.now() - 86_400_000) })
    .where('project_id', '=', own.id)
    .execute()
  expect((await approve(second)).status).toBe(200)
})
