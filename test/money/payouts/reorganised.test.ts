import type { Hash } from 'viem'
import { expect, test } from 'vitest'
import { createTestMarket } from '../../support/market.ts'
import type { SubmittedBounty } from '../../support/scenarios.ts'
import { until } from '../../support/until.ts'
import { reviewsOn } from './support/reviews.ts'

/* What a founder was told stays true when the chain is reorganised. */
const market = await createTestMarket({
  settings: { REPLACE_AFTER_SECONDS: '1800', FINALITY_BLOCKS: '2' },
  // Only the reorganisation itself is a reason to send them again.
  resendAfterSeconds: 3600,
})
const { node } = market.chain

const reviews = reviewsOn(market)
const approve = (bounty: SubmittedBounty) => reviews.approve(bounty, `approval-of-${bounty.id}`)
const isMined = async (hash: Hash) =>
  (await node.getTransactionReceipt({ hash }).catch(() => undefined)) !== undefined
async function transactionOf(bounty: SubmittedBounty) {
  const [transaction] = await reviews.transactionsOf(bounty)
  if (!transaction) throw new Error('the payout has no transaction')
  return transaction
}

/** An approved bounty, whose transaction was signed an hour ago. */
async function paidLongAgo() {
  const bounty = await market.bountyInReview()
  const { body } = await approve(bounty)
  const { id } = await transactionOf(bounty)
  await market.db
    .updateTable('transaction_attempts')
    .set({ created_at: new Date(Date.now() - 3_600_000) })
    .where('transaction_id', '=', id)
    .execute()
  return { bounty, hash: body.contributor_tx_hash as Hash }
}

const attemptsOf = async (bounty: SubmittedBounty) =>
  market.db
    .selectFrom('transaction_attempts')
    .where('transaction_id', '=', (await transactionOf(bounty)).id)
    .select('hash')
    .execute()

test('a payment that a reorganisation took back is sent again as it was, so the hash that was told stays true', async () => {
  const { bounty, hash } = await paidLongAgo()
  await market.chain.reorganise(1)
  await until(() => isMined(hash))
  await until(async () => (await transactionOf(bounty)).status === 'confirmed')
  expect(await attemptsOf(bounty)).toEqual([{ hash }])
  expect((await approve(bounty)).body.contributor_tx_hash).toBe(hash)
})

test('a reorganisation deeper than FINALITY_BLOCKS is noticed while the signer has nothing to do, and healed', async () => {
  const { bounty, hash } = await paidLongAgo()
  await node.mine({ blocks: 3 })
  await until(async () => (await transactionOf(bounty)).is_final)
  await market.chain.reorganise(5)
  await until(() => isMined(hash))
  await until(async () => (await transactionOf(bounty)).status === 'confirmed')
})

/** Makes another transaction the payment, as the service does when it finds another attempt mined. */
const correctHash = ({ submissionId }: SubmittedBounty, tx_hash: string) =>
  market.db.updateTable('payouts').set({ tx_hash }).where('submission_id', '=', submissionId).execute()

test('a repeated Idempotency-Key tells the hash that is the payment now', async () => {
  const { bounty, hash } = await paidLongAgo()
  const other = `0x${'ab'.repeat(32)}`
  await correctHash(bounty, other)
  const late = () => reviews.approve(bounty, `late-${bounty.id}`)
  expect((await late()).body.error.message).toContain(other)
  await correctHash(bounty, hash)
  expect((await late()).body.error.message).toContain(hash)
  await correctHash(bounty, other)

  const repeated = await approve(bounty)
  expect(repeated.status).toBe(200)
  expect(repeated.headers.get('idempotency-replayed')).toBe('true')
  expect(repeated.body).toMatchObject({ contributor_tx_hash: other, platform_fee_tx_hash: other })
  expect(hash).not.toBe(other)
})
