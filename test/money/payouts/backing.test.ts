import { type Hex, parseEther, toFunctionSelector } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import type { ApiResponse } from '../../support/api.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import type { ActiveProject, SubmittedBounty, TestAgent } from '../../support/scenarios.ts'
import { until } from '../../support/until.ts'

/* One person with several accounts: one founds a project, the others are paid in a token that nobody has to buy. */
const limits = {
  RATE_LIMITS: 'on',
  UNBACKED_PAYOUTS_PER_DAY: '4',
  RATE_LIMIT_NEWCOMER_CLAIMS_PER_HOUR: '100',
}
const market = await createTestMarket({ proxied: true, settings: { STANDING_MIN_ETH: '0.0002', ...limits } })
const buyer = await market.chain.fundedAccount()

const buy = ({ curve_address }: ActiveProject, tokens: bigint) =>
  market.chain.buy(buyer, curve_address, tokens * 10n ** 18n)
const inReview = (project: ActiveProject, claimant?: TestAgent) =>
  market.bountyInReview({ project, reward_amount: 1000, ...(claimant && { claimant }) })
const approve = (bounty: SubmittedBounty) => market.act(bounty, 'approve', bounty.founder)
const pay = async (project: ActiveProject, claimant?: TestAgent) =>
  expect((await approve(await inReview(project, claimant))).status).toBe(200)

test('approvals count once for each founder, and only where buyers would have bought the reward', async () => {
  const own = await market.activeProject()
  const other = await market.activeProject()
  const claimant = await market.register()
  const selective = await market.openBounty()
  await market.db.updateTable('bounties').set({ min_approved: 2 }).where('id', '=', selective.id).execute()
  const standing = async () => {
    const read = async (path: string) => (await market.api('GET', path, { key: claimant.key })).body
    const { preflight } = await read(`/api/bounties/${selective.id}/preflight`)
    const { as_contributor } = (await read(`/api/agents/${claimant.id}`)).agent
    expect(as_contributor).toMatchObject({ standing: preflight.standing, approved: preflight.approved_work })
    return [preflight.approved_work, preflight.standing, preflight.proof_hours]
  }
  for (let count = 0; count < 3; count++) await pay(own, claimant)
  expect(await standing()).toEqual([3, 0, 12])
  const refused = await market.act(selective, 'claim', claimant)
  expectError(refused, 'not_enough_approved_work')
  expect(refused.body.error.message).toMatch(/paid by 2 founders; your standing is 0, from 3 approved/)
  await buy(own, 5000n)
  for (let count = 0; count < 2; count++) await pay(own, claimant)
  expect(await standing()).toEqual([5, 1, null])
  await buy(other, 5000n)
  await pay(other, claimant)
  expect(await standing()).toEqual([6, 2, null])
  expect((await market.act(selective, 'claim', claimant)).status).toBe(200)
})

test('429 payout_limit_reached for the fifth payout of a day that no buyer stands behind, also of six at once', async () => {
  const own = await market.activeProject()
  const bounties = await Promise.all(Array.from({ length: 6 }, () => inReview(own)))
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
  const begun_at = new Date(Date.now() - 86_400_000)
  await market.db.updateTable('payouts').set({ begun_at }).where('project_id', '=', own.id).execute()
  expect((await approve(second)).status).toBe(200)
})

test('what buyers stand behind gets the first nonce; where none of it waits, the last gas pays the others, too', async () => {
  const own = await market.activeProject()
  const bought = await market.activeProject()
  await buy(bought, 5000n)
  const transactionOf = async ({ submissionId }: SubmittedBounty) => {
    const found = market.db.selectFrom('transactions').where('entity_id', '=', submissionId)
    return found.select(['nonce', 'error']).executeTakeFirst()
  }
  const begin = async (project: ActiveProject) => {
    const bounty = await inReview(project)
    const response = approve(bounty)
    await until(async () => (await transactionOf(bounty)) !== undefined)
    return { bounty, isPaid: async () => expect((await response).status).toBe(200) }
  }
  await market.stopEngines()
  const last = await begin(own)
  const first = await begin(bought)
  market.startEngines()
  await last.isPaid()
  await first.isPaid()
  const nonces = [await transactionOf(first.bounty), await transactionOf(last.bounty)].map(
    (sent) => sent?.nonce,
  )
  expect(nonces).toEqual(nonces.toSorted((one, other) => Number(one) - Number(other)))
  const address = privateKeyToAddress(market.chain.operatorKeys[0] as Hex)
  const give = (eth: string) => market.chain.node.setBalance({ address, value: parseEther(eth) })
  await give('0.005')
  // Nothing else waits, so the last gas is not kept.
  await pay(own)
  await give('1000')
})

test('without a reading of the curve a payout is made at once, and counts as one that no buyer stands behind', async () => {
  const bought = await market.activeProject()
  await buy(bought, 5000n)
  const sold = toFunctionSelector('sold()')
  market.chainProxy.refuse(({ params }) =>
    JSON.stringify(params ?? []).includes(`"${sold}"`) ? 'missing trie node' : undefined,
  )
  await pay(bought)
  market.chainProxy.refuse()
  await pay(bought)
  const payouts = market.db.selectFrom('payouts').where('project_id', '=', bought.id).orderBy('created_at')
  expect(await payouts.select('is_backed').execute()).toEqual([{ is_backed: false }, { is_backed: true }])
})
