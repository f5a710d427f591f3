import { createWalletClient, encodeFunctionData, http, parseGwei } from 'viem'
import { foundry } from 'viem/chains'
import { afterEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../../../server/db/transaction.ts'
import { embeddedChainId } from '../../../server/embedded/chain/anvil.ts'
import { platformWallet } from '../../../server/money/chain/generated/contracts.ts'
import { settlePayout } from '../../../server/money/payouts/settle.ts'
import { startBlocks } from '../../../server/startup/connect/blocks.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import type { SubmittedBounty } from '../../support/scenarios.ts'
import { readRow } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { reviewsOn } from './support/reviews.ts'

/* A signed payment that the chain refused can come back with a reorganisation until its block is final. */
const finalityBlocks = 3
const market = await createTestMarket({ settings: { FINALITY_BLOCKS: String(finalityBlocks) } })
const { node } = market.chain
afterEach(() => node.setAutomine(true))

const { approve, endings, cancel, stateOf, submitsAgain, transactionsOf } = reviewsOn(market)

/** A bounty whose payment was signed and sent, and reverted because the contract was paused in the same block before it. */
async function refusedOnChain(): Promise<SubmittedBounty> {
  const bounty = await market.bountyInReview()
  await node.setAutomine(false)
  const approval = approve(bounty)
  await until(async () => (await transactionsOf(bounty))[0]?.status === 'unconfirmed')
  await until(async () => (await node.getTxpoolStatus()).pending > 0)
  const owner = createWalletClient({
    account: market.chain.owner,
    chain: foundry,
    transport: http(market.chain.rpcUrl),
  })
  const data = encodeFunctionData({ abi: platformWallet.abi, functionName: 'pause' })
  const tip = parseGwei('100')
  await owner.sendTransaction({
    to: market.chain.platformWallet,
    data,
    maxPriorityFeePerGas: tip,
    maxFeePerGas: tip * 2n,
  })
  await node.mine({ blocks: 1 })
  await node.setAutomine(true)
  expectError(await approval, 'payouts_disabled')
  expect((await transactionsOf(bounty))[0]).toMatchObject({ status: 'reverted', is_final: false })
  // Or the next approval would keep them, if it has none of its own.
  const { review_notes } = await readRow(market.db, 'submissions', { id: bounty.submissionId })
  expect(review_notes).toBeNull()
  await market.chain.unpause()
  return bounty
}

/** As on the embedded chain, where nobody sends a transaction. */
async function becomesFinal(bounty: SubmittedBounty): Promise<void> {
  const config = { FINALITY_BLOCKS: finalityBlocks, CONFIRMATIONS: 1 }
  const chainId = embeddedChainId
  const blocks = startBlocks({ db: market.db, rpcUrl: market.chain.rpcUrl, chainId, config })
  await until(async () => (await transactionsOf(bounty))[0]?.is_final === true)
  await blocks.stop()
}

describe.each(Object.entries(endings))('a review that ends as %s', (status, end) => {
  test('409 approval_in_progress until the refused payment is final, then 200', async () => {
    const bounty = await refusedOnChain()
    const early = await end(bounty)
    expectError(early, 'approval_in_progress')
    expect(early.body.error.message).toMatch(
      /refused a payment of this submission in block \d+, .* in about [1-9]\d* seconds/,
    )
    expect(await stateOf(bounty)).toEqual({ bounty: 'in_review', submissions: ['pending'] })
    await becomesFinal(bounty)
    expect((await end(bounty)).status).toBe(200)
    const opened = status === 'changes_requested' ? 'claimed' : 'open'
    expect(await stateOf(bounty)).toEqual({ bounty: opened, submissions: [status] })
    const late = await approve(bounty)
    expectError(late, 'bounty_not_in_review')
    expect(late.body.error.message).toContain(`submission ${bounty.submissionId} was `)
  })

  test('a payment that comes afterwards all the same waits for an operator and settles nothing', async () => {
    const bounty = await refusedOnChain()
    await becomesFinal(bounty)
    expect((await end(bounty)).status).toBe(200)
    if (status !== 'changes_requested') expect((await cancel(bounty)).status).toBe(200)
    const hash = `0x${'e'.repeat(64)}` as const
    const problem = await inTransaction(market.db, (trx) => settlePayout(trx, bounty.submissionId, hash))
    expect(problem).toMatch(`paid by ${hash} after`)
    const row = await market.db
      .selectFrom('payouts')
      .innerJoin('submissions', 'submissions.id', 'payouts.submission_id')
      .innerJoin('bounties', 'bounties.id', 'submissions.bounty_id')
      .where('submissions.id', '=', bounty.submissionId)
      .select(['bounties.status as bounty', 'submissions.status as submission', 'payouts.status as payout'])
      .select('payouts.error')
      .executeTakeFirst()
    expect(row).toEqual({
      bounty: status === 'changes_requested' ? 'claimed' : 'cancelled',
      submission: status,
      payout: 'needs_operator',
      error: `paid by ${hash} after it had been reported failed and its review had ended without a payment`,
    })
  })
})

test('after changes were requested the next submission is paid, once, and never the one before', async () => {
  const first = await refusedOnChain()
  await becomesFinal(first)
  expect((await endings.changes_requested(first)).status).toBe(200)
  const second = await submitsAgain(first)
  const { body } = await approve(second)
  expect(body).toMatchObject({ bounty_id: first.id, submission_id: second.submissionId, status: 'done' })
  expect(await stateOf(first)).toEqual({ bounty: 'done', submissions: ['approved', 'changes_requested'] })
  const { token_address } = first.project
  expect(await market.chain.balanceOf(token_address, first.claimant.wallet_address as string)).toBe(
    95n * 10n ** 18n,
  )
  expect((await transactionsOf(first)).map(({ status }) => status)).toEqual(['reverted'])
})

describe('a contributor who has changed the wallet since', () => {
  test('409 approval_in_progress until the payment to the earlier wallet is final, then the new one is paid', async () => {
    const bounty = await refusedOnChain()
    const { address: wallet_address } = await market.chain.fundedAccount()
    const changed = await market.api('PATCH', '/api/agents/me/wallet', {
      key: bounty.claimant.key,
      body: { wallet_address },
    })
    expect(changed.status).toBe(200)
    const early = await approve(bounty)
    expectError(early, 'approval_in_progress')
    expect(early.body.error.message.toLowerCase()).toContain(bounty.claimant.wallet_address?.toLowerCase())
    await becomesFinal(bounty)
    expect((await approve(bounty)).status).toBe(200)
    const { token_address } = bounty.project
    expect(await market.chain.balanceOf(token_address, bounty.claimant.wallet_address as string)).toBe(0n)
    expect(await market.chain.balanceOf(token_address, wallet_address)).toBe(95n * 10n ** 18n)
  })
})

test('200 for an approval with the same wallet before the refused payment is final', async () => {
  const bounty = await refusedOnChain()
  expect((await approve(bounty)).status).toBe(200)
  expect((await transactionsOf(bounty)).map(({ status }) => status)).toEqual(['reverted', 'confirmed'])
})
