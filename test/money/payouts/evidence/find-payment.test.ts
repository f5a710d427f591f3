import { createPublicClient, custom, type EIP1193RequestFn, type Hash, type PublicClient } from 'viem'
import { expect, test } from 'vitest'
import { findOwnPayment } from '../../../../server/money/payouts/evidence/find-payment.ts'
import { getPayout } from '../../../../server/money/payouts/store.ts'
import { createTestMarket } from '../../../support/market.ts'

const market = await createTestMarket()

test('a payment in a block that the chain has taken back is none, though a node still has its receipt', async () => {
  const { node } = market.chain
  const bounty = await market.bountyInReview()
  const answer = await market.act(bounty, 'approve', bounty.founder, {})
  expect(answer.status).toBe(200)
  const hash: Hash = answer.body.contributor_tx_hash
  const payout = await getPayout(market.db, bounty.submissionId)
  const find = (client: PublicClient) => findOwnPayment(client, payout, [hash])
  expect(await find(node as unknown as PublicClient)).toMatchObject({ hash, exact: true })

  const request = node.request as EIP1193RequestFn
  const receipt = await request({ method: 'eth_getTransactionReceipt', params: [hash] })
  const forgetful = createPublicClient({
    transport: custom({
      request: async (call) => (call.method === 'eth_getTransactionReceipt' ? receipt : request(call)),
    }),
  })
  expect(await find(forgetful)).toMatchObject({ hash, exact: true })
  await market.stopEngines()
  await market.chain.reorganise(1)
  expect(await find(forgetful)).toBeUndefined()
})
