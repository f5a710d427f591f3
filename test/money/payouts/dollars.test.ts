import { encodeFunctionData, type Hex, toFunctionSelector } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { platformWallet } from '../../../server/money/chain/generated/contracts.ts'
import { payoutIdOf } from '../../../server/money/chain/on-chain-ids.ts'
import { createBackups } from '../../support/backups.ts'
import { expectError } from '../../support/errors.ts'
import { coinOn, dollars } from '../../support/locked-dollars.ts'
import { createTestMarket } from '../../support/market.ts'
import type { SubmittedBounty } from '../../support/scenarios.ts'
import { readRow } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { reviewsOn } from './support/reviews.ts'

const market = await createTestMarket({ settings: { LANE_LEASE_SECONDS: '1' } })
const { api, chain, db } = market
const { approve, isDone, stateOf, transactionsOf } = reviewsOn(market)
const coin = coinOn(market)
const project = await coin.project()
const unit = 10n ** 18n
afterEach(async () => {
  await coin.unpauseCoin()
  await coin.setCap(dollars('5000'))
  await chain.node.setAutomine(true)
})

/** A bounty in review for which 20 dollars are locked. */
async function withDollars(isStored = true): Promise<SubmittedBounty> {
  const bounty = await market.bountyInReview({ project })
  await coin.lock(project, bounty.id, dollars('20'), isStored)
  return bounty
}

const walletOf = ({ claimant }: SubmittedBounty) => claimant.wallet_address as string
const receiptOf = async ({ submissionId, founder }: SubmittedBounty) =>
  (await api('GET', `/api/submissions/${submissionId}/payout`, { key: founder.key })).body.payout
const depositOf = ({ id }: SubmittedBounty) => readRow(db, 'deposits', { bounty_id: id })

/** What the wallet of a contributor has got of both. */
const got = async (bounty: SubmittedBounty, wallet = walletOf(bounty)) => ({
  tokens: (await chain.balanceOf(project.token_address, wallet)) / unit,
  dollars: await coin.balance(wallet),
})
const nothing = { tokens: 0n, dollars: 0n }
const both = { tokens: 95n, dollars: dollars('19') }
const shown = { gross: '20', fee: '1', net: '19' }

test('200: tokens and dollars are paid in one transaction, each less the fee, and receipt, deposit and event say so', async () => {
  const bounty = await withDollars()
  const fees = await coin.accruedFees()
  const approved = await approve(bounty)
  expect(approved.status).toBe(200)
  expect(await got(bounty)).toEqual(both)
  expect((await coin.accruedFees()) - fees).toBe(dollars('1'))
  const hash = approved.body.contributor_tx_hash
  expect(await transactionsOf(bounty)).toMatchObject([{ status: 'confirmed', mined_hash: hash }])
  expect(await receiptOf(bounty)).toMatchObject({
    status: 'confirmed',
    net: '95',
    dollars: shown,
    tx_hash: hash,
  })
  expect(await depositOf(bounty)).toMatchObject({ status: 'paid', end_tx: hash })
  const [confirmed] = await db
    .selectFrom('activity')
    .where('bounty_id', '=', bounty.id)
    .where('type', '=', 'payout.confirmed')
    .select('data')
    .execute()
  expect(confirmed?.data).toEqual({ dollars: shown, tx_hash: hash })
})

test('200: a database that does not know the deposit pays its dollars all the same', async () => {
  const bounty = await withDollars(false)
  expect((await approve(bounty)).status).toBe(200)
  expect(await got(bounty)).toEqual(both)
  expect((await receiptOf(bounty)).dollars).toEqual(shown)
})

test('without a deposit the receipt has no dollars', async () => {
  const bounty = await market.bountyInReview({ project })
  expect((await approve(bounty)).status).toBe(200)
  expect((await receiptOf(bounty)).dollars).toBeNull()
})

describe('409 dollars_refused, and nothing moves', () => {
  test('to a wallet on the block list; another wallet that the contributor names gets both', async () => {
    const bounty = await withDollars()
    await coin.block(walletOf(bounty))
    expectError(await approve(bounty), 'dollars_refused')
    expect(await got(bounty)).toEqual(nothing)
    expect(await stateOf(bounty)).toEqual({ bounty: 'in_review', submissions: ['pending'] })
    const { address: wallet_address } = await chain.fundedAccount()
    await api('PATCH', '/api/agents/me/wallet', { key: bounty.claimant.key, body: { wallet_address } })
    expect((await approve(bounty)).status).toBe(200)
    expect(await got(bounty)).toEqual(nothing)
    expect(await got(bounty, wallet_address)).toEqual(both)
  })

  test('while the coin is paused; both are paid after that', async () => {
    const bounty = await withDollars()
    await coin.pauseCoin()
    expectError(await approve(bounty), 'dollars_refused')
    expect(await got(bounty)).toEqual(nothing)
    await coin.unpauseCoin()
    expect((await approve(bounty)).status).toBe(200)
    expect(await got(bounty)).toEqual(both)
  })

  test('where the block list takes the wallet up after the payment was signed', async () => {
    const bounty = await withDollars()
    await chain.node.setAutomine(false)
    const approval = approve(bounty)
    await until(async () => (await transactionsOf(bounty))[0]?.status === 'unconfirmed')
    await until(async () => (await chain.node.getTxpoolStatus()).pending === 1)
    const blocked = coin.block(walletOf(bounty))
    await until(async () => (await chain.node.getTxpoolStatus()).pending === 2)
    await chain.node.mine({ blocks: 1 })
    await chain.node.setAutomine(true)
    await blocked
    expectError(await approval, 'dollars_refused')
    expect(await transactionsOf(bounty)).toMatchObject([{ status: 'reverted' }])
    expect(await got(bounty)).toEqual(nothing)
  })
})

test('400 dollars_above_cap above what the platform wallet may pay today, and nothing moves until the cap is raised', async () => {
  const bounty = await withDollars()
  await coin.setCap(1n)
  expectError(await approve(bounty), 'dollars_above_cap')
  expect(await got(bounty)).toEqual(nothing)
  await coin.setCap(dollars('5000'))
  expect((await approve(bounty)).status).toBe(200)
  expect(await got(bounty)).toEqual(both)
})

test('a payment that the chain no longer lets through because the dollars went back fails, and then the tokens alone are paid', async () => {
  const bounty = await withDollars()
  await market.stopEngines()
  const approval = approve(bounty)
  await until(async () => (await transactionsOf(bounty)).length === 1)
  await coin.refundOnChain(bounty.id)
  market.startEngines()
  expectError(await approval, 'payout_failed')
  expect(await got(bounty)).toEqual(nothing)
  expect((await approve(bounty)).status).toBe(200)
  expect(await got(bounty)).toEqual({ tokens: 95n, dollars: 0n })
  expect((await receiptOf(bounty)).dollars).toBeNull()
})

test('a payment with dollars that the database has lost is recognised with them, and not made again', async () => {
  const bounty = await withDollars()
  const backup = await createBackups(market.databaseUrl)
  await backup.dump()
  expect((await approve(bounty)).status).toBe(200)
  const paid = await receiptOf(bounty)
  await backup.loseEverythingAndRestore()
  await until(() => isDone(bounty))
  expect(await receiptOf(bounty)).toMatchObject({ dollars: shown, tx_hash: paid.tx_hash })
  expect(await depositOf(bounty)).toMatchObject({ status: 'paid', end_tx: paid.tx_hash })
  expect(await got(bounty)).toEqual(both)
})

test('a payment by an operator key that no process has is shown with the dollars that it has moved', async () => {
  const bounty = await withDollars()
  await market.stopEngines()
  const approval = approve(bounty)
  await until(async () => (await transactionsOf(bounty)).length === 1)
  const legs = [95n * unit, 5n * unit, dollars('20'), 0n] as const
  const parties = [project.token_address, project.account.address, walletOf(bounty)] as [Hex, Hex, Hex]
  const args = [payoutIdOf(31_337, bounty.id), ...parties, ...legs] as const
  await coin.call(encodeFunctionData({ abi: platformWallet.abi, functionName: 'payWithDollars', args }))
  await chain.node.mine({ blocks: 70 })
  market.startEngines()
  expect((await approval).status).toBe(200)
  expect((await receiptOf(bounty)).dollars).toEqual({ gross: '20', fee: '0', net: '20' })
  expect(await got(bounty)).toEqual({ tokens: 95n, dollars: dollars('20') })
})

test('200: a platform wallet of before there were dollars, which has no slots for them, pays tokens', async () => {
  const older = await createTestMarket({ proxied: true, dollars: false })
  const bounty = await older.bountyInReview()
  const slots = toFunctionSelector('deposit(bytes32)')
  older.chainProxy.refuse(({ method, params }) => {
    const isAsked = method === 'eth_call' && JSON.stringify(params[0]).includes(slots)
    return isAsked ? 'execution reverted' : undefined
  })
  expect((await reviewsOn(older).approve(bounty)).status).toBe(200)
})
