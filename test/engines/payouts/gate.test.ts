import { onTestFinished, test } from 'vitest'
import { payoutIdOf } from '../../../server/chain/units.ts'
import { createTestChain } from '../../support/chain.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'
import { reviewsOn } from './support/reviews.ts'

test('409 approval_in_progress for every end without a payment after the platform wallet of an earlier approval has paid', async () => {
  const market = await createTestMarket({ settings: { APPROVE_WAIT_SECONDS: '1' } })
  onTestFinished(market.close)
  const { approve, stateOf, payByOtherKey } = reviewsOn(market)
  const bounty = await market.bountyInReview()
  await market.stopEngines()
  expectError(await approve(bounty), 'payout_unconfirmed')
  await market.chain.pause()
  market.startEngines()
  await until(async () => (await stateOf(bounty)).submissions[0] === 'pending')
  await market.stopEngines()
  await market.chain.unpause()
  await payByOtherKey(bounty, payoutIdOf(31_337, bounty.id))

  const sharing = { ...market, chain: await createTestChain() }
  const changed = await createTestMarket({ sharing, engines: false })
  onTestFinished(changed.close)
  for (const end of Object.values(reviewsOn(changed).endings))
    expectError(await end(bounty), 'approval_in_progress')
})
