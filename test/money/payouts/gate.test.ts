import { beforeEach, expect, test } from 'vitest'
import { payoutIdOf } from '../../../server/money/chain/on-chain-ids.ts'
import { createTestChain } from '../../support/chain.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import type { SubmittedBounty } from '../../support/scenarios.ts'
import { until } from '../../support/until.ts'
import { reviewsOn } from './support/reviews.ts'

const market = await createTestMarket({ settings: { APPROVE_WAIT_SECONDS: '1' } })
beforeEach(market.startEngines)

const { approve, reject, stateOf, payByOtherKey } = reviewsOn(market)

/** The founder approves, and the payout fails before it is sent. */
async function approveInVain(bounty: SubmittedBounty): Promise<void> {
  await market.stopEngines()
  expectError(await approve(bounty), 'payout_unconfirmed')
  await market.chain.pause()
  market.startEngines()
  await until(async () => (await stateOf(bounty)).submissions[0] === 'pending')
  await market.stopEngines()
  await market.chain.unpause()
}

test('409 approval_in_progress for every end without a payment after the platform wallet of an earlier approval has paid', async () => {
  const bounty = await market.bountyInReview()
  await approveInVain(bounty)
  await payByOtherKey(bounty, payoutIdOf(31_337, bounty.id))

  const sharing = { ...market, chain: await createTestChain() }
  const changed = await createTestMarket({ sharing, engines: false })
  for (const end of Object.values(reviewsOn(changed).endings))
    expectError(await end(bounty), 'approval_in_progress')
})

test('409 approval_in_progress for a rejection during which a payout was begun, although it has failed since', async () => {
  const bounty = await market.bountyInReview()
  const other = await createTestMarket({ proxied: true, sharing: market, engines: false })
  // It has read that no payout was begun, and waits for the chain.
  const responses = other.chainProxy.hold()
  const rejecting = reviewsOn(other).reject(bounty)
  await until(() => responses.count() > 0)
  await approveInVain(bounty)
  responses.release()
  expectError(await rejecting, 'approval_in_progress')
  expect((await reject(bounty)).status).toBe(200)
})
