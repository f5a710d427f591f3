import { createWalletClient, encodeFunctionData, http, parseGwei } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { platformWallet } from '../../../server/chain/generated/contracts.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import type { SubmittedBounty } from '../../support/scenarios.ts'
import { until } from '../../support/until.ts'
import { reviewsOn } from './support/reviews.ts'

/* A signed payment that the chain refused can come back with a reorganisation until its block is final. */
const finalityBlocks = 3
const market = await createTestMarket({ settings: { FINALITY_BLOCKS: String(finalityBlocks) } })
const { node } = market.chain
afterEach(() => node.setAutomine(true))
afterAll(market.close)

const { approve, reject, transactionsOf } = reviewsOn(market)

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
  await market.chain.unpause()
  return bounty
}

async function becomesFinal(bounty: SubmittedBounty): Promise<void> {
  await node.mine({ blocks: finalityBlocks })
  await until(async () => (await transactionsOf(bounty))[0]?.is_final === true)
}

test('409 approval_in_progress for a rejection until the refused payment is final, then 200', async () => {
  const bounty = await refusedOnChain()
  const early = await reject(bounty)
  expectError(early, 'approval_in_progress')
  expect(early.body.error.message).toMatch(/refused a payment of this submission in block \d+/)
  await becomesFinal(bounty)
  expect((await reject(bounty)).status).toBe(200)
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
