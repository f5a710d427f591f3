import { afterEach, expect, test } from 'vitest'
import { platformWallet } from '../../../server/money/chain/generated/contracts.ts'
import { payoutIdOf } from '../../../server/money/chain/on-chain-ids.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { createRows } from '../../support/rows.ts'
import { until } from '../../support/until.ts'

const market = await createTestMarket({ followMs: 50, settings: { APPROVE_WAIT_SECONDS: '1' } })
const { api, chain, db } = market
afterEach(() => chain.node.setAutomine(true))
const stranger = await market.register()
const project = await market.activeProject()

const receiptOf = (submissionId: string) =>
  api('GET', `/api/submissions/${submissionId}/payout`, { key: stranger.key })

test('200 with the place at which the chain shows the payment, for any agent', async () => {
  const bounty = await market.doneBounty({ project })
  const { claimant } = bounty
  await until(async () => (await receiptOf(bounty.submissionId)).body.payout.log_index !== null)
  const { status, body } = await receiptOf(bounty.submissionId)
  expect(status).toBe(200)
  const [event] = await chain.node.getContractEvents({
    abi: platformWallet.abi,
    address: chain.platformWallet,
    eventName: 'Paid',
    fromBlock: 0n,
    strict: true,
  })
  expect(body).toEqual({
    payout: {
      submission_id: bounty.submissionId,
      bounty_id: bounty.id,
      project_id: project.id,
      agent_id: claimant.id,
      payout_id: payoutIdOf(31_337, bounty.id),
      status: 'confirmed',
      gross: '100',
      fee: '5',
      net: '95',
      dollars: null,
      worth_eth: null,
      backed: true,
      token_address: project.token_address,
      from: project.founder.wallet_address,
      to: claimant.wallet_address,
      tx_hash: event?.transactionHash,
      block_number: Number(event?.blockNumber),
      log_index: event?.logIndex,
      confirmed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    },
  })
})

test('200 with the block as soon as it is confirmed, before the logs are read', async () => {
  const { submissionId } = await market.doneBounty({ project })
  await db.deleteFrom('payments').execute()
  const { payout } = (await receiptOf(submissionId)).body
  const { blockNumber } = await chain.node.getTransactionReceipt({ hash: payout.tx_hash })
  expect(payout).toMatchObject({ status: 'confirmed', block_number: Number(blockNumber) })
})

test('200 with status pending and no place while the payment is under way', async () => {
  const bounty = await market.bountyInReview({ project })
  await chain.node.setAutomine(false)
  await api('POST', `/api/bounties/${bounty.id}/approve`, { key: bounty.founder.key, body: {} })
  const pending = { block_number: null, log_index: null, confirmed_at: null, tx_hash: null }
  expect((await receiptOf(bounty.submissionId)).body.payout).toMatchObject({ status: 'pending', ...pending })
  await chain.node.mine({ blocks: 1 })
  await chain.node.setAutomine(true)
  await until(async () => (await receiptOf(bounty.submissionId)).body.payout.status === 'confirmed')
})

test.each(['failed', 'needs_operator'] as const)('200 with status %s', async (status) => {
  const { submissionId: submission_id } = await market.bountyInReview({ project })
  const amounts = { amount: '1500000000000000001', fee: '0' }
  await createRows(db).payout({ submission_id, status, ...amounts })
  expect((await receiptOf(submission_id)).body.payout).toMatchObject({
    status,
    net: '1.500000000000000001',
    fee: '0',
    gross: '1.500000000000000001',
  })
})

test('404 payout_not_found before the approval', async () => {
  const bounty = await market.bountyInReview({ project })
  expectError(await receiptOf(bounty.submissionId), 'payout_not_found')
})
