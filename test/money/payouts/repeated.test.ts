import { bytesToHex } from 'viem'
import { expect, test } from 'vitest'
import { enqueueTransaction } from '../../../server/money/transactions/send/queue.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import type { SubmittedBounty } from '../../support/scenarios.ts'
import { until } from '../../support/until.ts'
import { reviewsOn } from './support/reviews.ts'

/* Requests that are repeated after the world has moved on: nobody is paid whom nobody has approved. */
const market = await createTestMarket({ settings: { APPROVE_WAIT_SECONDS: '1', FINALITY_BLOCKS: '2' } })

const { approve, reject, endings, stateOf, isDone, anotherSubmits, submitsAgain, transactionsOf } =
  reviewsOn(market)

const { config } = market.services
/** Approves and waits as long for the payout as a busy machine takes. */
async function approvePatiently(bounty: SubmittedBounty, idempotencyKey: string) {
  const { APPROVE_WAIT_SECONDS } = config
  config.APPROVE_WAIT_SECONDS = 60
  const response = await approve(bounty, idempotencyKey)
  config.APPROVE_WAIT_SECONDS = APPROVE_WAIT_SECONDS
  return response
}

/** Queues another transaction of a bounty's payout. */
async function enqueueAnother(bounty: SubmittedBounty): Promise<number> {
  const [earlier] = await transactionsOf(bounty)
  if (!earlier) throw new Error('the payout has no transaction')
  return enqueueTransaction(market.db, {
    chainId: earlier.chain_id,
    purpose: 'payout',
    entityId: bounty.submissionId,
    to: earlier.to_address,
    data: bytesToHex(earlier.data),
  })
}

/** An approval that was answered 502 `payout_unconfirmed`, and that the chain has refused since. */
async function refusedLater(idempotencyKey: string): Promise<SubmittedBounty> {
  market.startEngines()
  const bounty = await market.bountyInReview()
  await market.stopEngines()
  expectError(await approve(bounty, idempotencyKey), 'payout_unconfirmed')
  await market.chain.pause()
  market.startEngines()
  await until(async () => (await stateOf(bounty)).submissions[0] === 'pending')
  await market.chain.unpause()
  return bounty
}

test.each([
  ['rejected', 'was rejected', anotherSubmits],
  ['changes_requested', 'was sent back for changes', submitsAgain],
  ['retracted', 'was retracted by its contributor', anotherSubmits],
] as const)(
  'a repeated Idempotency-Key does not pay what was submitted after the first was %s',
  async (status, told, submits) => {
    const bounty = await refusedLater(`moved-on-${status}`)
    expect((await endings[status](bounty)).status).toBe(200)
    await submits(bounty)
    const ended = await approve(bounty, `moved-on-${status}`)
    expectError(ended, 'bounty_not_in_review')
    expect(ended.body.error.message).toContain(`submission ${bounty.submissionId} ${told}`)
    expect(await stateOf(bounty)).toEqual({ bounty: 'in_review', submissions: ['pending', status].sort() })
    await approve(bounty, `of-the-other-${status}`)
    await until(() => isDone(bounty))
    expect(await stateOf(bounty)).toEqual({ bounty: 'done', submissions: ['approved', status].sort() })
  },
)

test('a repeated Idempotency-Key tries the same submission again', async () => {
  const bounty = await refusedLater('again')
  expect((await approvePatiently(bounty, 'again')).status).toBe(200)
})

test('409 approval_in_progress, and 200 with the hashes for the same Idempotency-Key after the payout', async () => {
  const bounty = await market.bountyInReview()
  await market.stopEngines()
  const first = approvePatiently(bounty, 'first')
  await until(async () => (await stateOf(bounty)).submissions[0] === 'approving')
  expectError(await approve(bounty, 'second'), 'approval_in_progress')
  market.startEngines()
  const paid = await first
  expect(paid.status).toBe(200)
  expect((await approve(bounty, 'second')).body).toEqual(paid.body)
})

test('409 approval_in_progress for a rejection while a transaction of the payout may still come', async () => {
  const bounty = await refusedLater('taken-back')
  await market.stopEngines()
  const id = await enqueueAnother(bounty)
  expectError(await reject(bounty), 'approval_in_progress')
  await market.db.deleteFrom('transactions').where('id', '=', id).execute()
  expect((await reject(bounty)).status).toBe(200)
  market.startEngines()
})

test('a transaction queued behind one that has paid for good is ended, not kept for ever', async () => {
  const bounty = await market.bountyInReview()
  expect((await approvePatiently(bounty, 'paid')).status).toBe(200)
  await market.chain.node.mine({ blocks: 3 })
  await until(async () => (await transactionsOf(bounty))[0]?.is_final === true)
  const id = await enqueueAnother(bounty)
  await until(async () => (await transactionsOf(bounty)).find((row) => row.id === id)?.status === 'refused')
  expect(await stateOf(bounty)).toEqual({ bounty: 'done', submissions: ['approved'] })
})
