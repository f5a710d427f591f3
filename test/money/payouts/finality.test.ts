import { afterEach, expect, test } from 'vitest'
import { createTestMarket, type TestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'

// Makes what there is to pay; the market whose engines pay it has other settings.
const market = await createTestMarket()
let patient: TestMarket
afterEach(async () => {
  await patient.close()
  await market.chain.node.setAutomine(true)
})

async function statusOf(entityId: string): Promise<string | undefined> {
  const query = market.db.selectFrom('transactions').select('status').where('entity_id', '=', entityId)
  return (await query.executeTakeFirst())?.status
}

/** Approves while only this test mines, until the payout is in a block that does not count yet. */
async function mineApproval(tag: string) {
  market.startEngines()
  const bounty = await market.bountyInReview()
  await market.stopEngines()
  patient = await createTestMarket({ sharing: market, settings: { FINALITY: tag } })
  const { node } = market.chain
  await node.setAutomine(false)
  const answer = patient.act(bounty, 'approve', bounty.founder, {})
  await until(async () => (await node.getTxpoolStatus()).pending === 1)
  await node.mine({ blocks: 1 })
  const block = await node.getBlockNumber()
  await until(async () => (await statusOf(bounty.submissionId)) === 'mined')
  return { bounty, answer, block }
}

test.each(['safe', 'finalized'] as const)('200 once the block of the payout is %s', async (tag) => {
  const { node } = market.chain
  const { answer, block } = await mineApproval(tag)
  const taggedNumber = async () => (await node.getBlock({ blockTag: tag })).number
  expect(await taggedNumber()).toBeLessThan(block)
  while ((await taggedNumber()) < block) await node.mine({ blocks: 1 })
  expect((await answer).status).toBe(200)
})

test('a reorganisation before it is final: nobody was told of it, and it is paid once', async () => {
  const { node } = market.chain
  const { bounty, answer } = await mineApproval('finalized')
  await market.chain.reorganise(1)
  await until(async () => (await statusOf(bounty.submissionId)) === 'unconfirmed')
  await until(async () => (await node.getTxpoolStatus()).pending === 1)
  await node.mine({ blocks: 3 })
  const { status, body } = await answer
  expect(status).toBe(200)
  expect((await node.getTransactionReceipt({ hash: body.contributor_tx_hash })).status).toBe('success')
})

test('502 payout_unconfirmed says how old the newest block is, where the chain brings no new one', async () => {
  market.startEngines()
  const bounty = await market.bountyInReview()
  await market.stopEngines()
  patient = await createTestMarket({
    proxied: true,
    sharing: market,
    engines: false,
    settings: { APPROVE_WAIT_SECONDS: '1' },
  })
  patient.chainProxy.alter(({ method }, result) =>
    method === 'eth_getBlockByNumber' ? { ...(result as object), timestamp: '0x1' } : result,
  )
  const { status, body } = await patient.act(bounty, 'approve', bounty.founder, {})
  expect(status).toBe(502)
  expect(body.error.message).toMatch(/The newest block of the chain is \d{10} s old/)
})
