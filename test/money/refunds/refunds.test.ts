import { sql } from 'kysely'
import type { PrivateKeyAccount } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { moveOrder } from '../../../server/money/orders/move.ts'
import { createBackups } from '../../support/backups.ts'
import { dollarsOn } from '../../support/dollars.ts'
import { expectError } from '../../support/errors.ts'
import { coinOn, dollars } from '../../support/locked-dollars.ts'
import { createTestMarket } from '../../support/market.ts'
import { startOwnChain } from '../../support/own-chain.ts'
import type { TestBounty } from '../../support/scenarios.ts'
import { readRow } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { reviewsOn } from '../payouts/support/reviews.ts'
import { relaySettings } from '../relays/support/relays.ts'

/* The chain is of its own, because its time jumps to the end of a lock. */
const { rpcUrl } = await startOwnChain()
const market = await createTestMarket({
  rpcUrl,
  settings: { ...relaySettings, LANE_LEASE_SECONDS: '1' },
  resendAfterSeconds: 1,
})
const { api, chain, db } = market
const { approve, cancel } = reviewsOn(market)
const coin = coinOn(market)
const project = await coin.project()
const founder = project.account.address
afterEach(async () => {
  await coin.unpauseCoin()
  await chain.node.setAutomine(true)
})

const amount = dollars('20')
const lockSeconds = 180 * 86_400

/** An open bounty for which 20 dollars are locked. */
async function withDollars(): Promise<TestBounty> {
  const bounty = await market.openBounty({ project })
  await coin.lock(project, bounty.id, amount)
  return bounty
}

const depositOf = ({ id }: { id: string }) => readRow(db, 'deposits', { bounty_id: id })
const hasStatus = (bounty: { id: string }, status: string) =>
  until(async () => (await depositOf(bounty)).status === status)
const refundsOf = ({ id }: { id: string }) =>
  db.selectFrom('transactions').where('entity_id', '=', id).selectAll().orderBy('id').execute()
const eventsOf = ({ id }: { id: string }) =>
  db
    .selectFrom('activity')
    .where('bounty_id', '=', id)
    .where('type', '=', 'bounty.refunded')
    .select(['data', 'visibility', 'recipients'])
    .execute()
/** Ends the lock for the service, which goes by the clock of its database, and on the chain. */
async function endLock(bounty: { id: string }): Promise<void> {
  await chain.node.increaseTime({ seconds: lockSeconds })
  await chain.node.mine({ blocks: 1 })
  await db
    .updateTable('deposits')
    .set({ locked_until: sql<Date>`now()` })
    .where('bounty_id', '=', bounty.id)
    .execute()
}

test('the dollars of a cancelled bounty go back to the founder once, and everybody may know', async () => {
  const bounty = await withDollars()
  const before = await coin.balance(founder)
  expect((await cancel(bounty)).status).toBe(200)
  await hasStatus(bounty, 'refunded')
  expect((await coin.balance(founder)) - before).toBe(amount)
  const [refund, ...others] = await refundsOf(bounty)
  expect(others).toEqual([])
  expect(refund).toMatchObject({ purpose: 'refund', status: 'confirmed' })
  const { end_tx, transaction_id } = await depositOf(bounty)
  expect([end_tx, transaction_id]).toEqual([refund?.mined_hash, refund?.id])
  expect(await eventsOf(bounty)).toEqual([
    { data: { amount: '20', tx_hash: end_tx }, visibility: 'public', recipients: [project.founder.id] },
  ])
})

test('dollars whose deposit is under way are not returned before they are locked', async () => {
  const bounty = await withDollars()
  await moveOrder(db, 'deposit', 'reopen', bounty.id)
  expect((await cancel(bounty)).status).toBe(200)
  const other = await withDollars()
  expect((await cancel(other)).status).toBe(200)
  await hasStatus(other, 'refunded')
  expect(await refundsOf(bounty)).toEqual([])
  expect((await coin.slot(bounty.id)).state).toBe(1)
})

describe('at the end of the lock', () => {
  test('409 dollars_lock_over; the dollars go back, and then the tokens alone are paid', async () => {
    const bounty = await market.bountyInReview({ project })
    await coin.lock(project, bounty.id, amount)
    const before = await coin.balance(founder)
    await chain.node.increaseTime({ seconds: lockSeconds - 60 })
    await chain.node.mine({ blocks: 1 })
    expectError(await approve(bounty), 'dollars_lock_over')
    await endLock(bounty)
    await hasStatus(bounty, 'refunded')
    expect((await coin.balance(founder)) - before).toBe(amount)
    expect((await eventsOf(bounty))[0]?.recipients.toSorted()).toEqual(
      [project.founder.id, bounty.claimant.id].toSorted(),
    )
    const { status, body } = await approve(bounty)
    expect([status, body.status]).toEqual([200, 'done'])
    const wallet = bounty.claimant.wallet_address as string
    expect(await coin.balance(wallet)).toBe(0n)
    expect(await chain.balanceOf(project.token_address, wallet)).toBe(95n * 10n ** 18n)
    expect((await depositOf(bounty)).status).toBe('refunded')
  })

  test('what anybody has returned on the chain is found as final, and nothing is sent', async () => {
    const bounty = await withDollars()
    await market.stopEngines()
    await endLock(bounty)
    const hash = await coin.refundOnChain(bounty.id, await chain.fundedAccount())
    market.startEngines()
    await hasStatus(bounty, 'refunding')
    await until(async () => (await refundsOf(bounty))[0]?.error?.includes('not final') === true)
    await chain.node.mine({ blocks: 2 })
    await hasStatus(bounty, 'refunded')
    expect((await depositOf(bounty)).end_tx).toBe(hash)
    expect(await refundsOf(bounty)).toMatchObject([{ status: 'refused', nonce: null }])
    expect(await eventsOf(bounty)).toHaveLength(1)
  })

  test('a payout that is running keeps the dollars until it has ended', async () => {
    const bounty = await market.bountyInReview({ project })
    await coin.lock(project, bounty.id, amount)
    await market.stopEngines()
    const approval = approve(bounty)
    await until(
      async () =>
        (
          await db
            .selectFrom('payouts')
            .where('submission_id', '=', bounty.submissionId)
            .select('status')
            .execute()
        ).length > 0,
    )
    await chain.node.setAutomine(false)
    await db
      .updateTable('deposits')
      .set({ locked_until: sql<Date>`now()` })
      .where('bounty_id', '=', bounty.id)
      .execute()
    market.startEngines()
    await until(async () => (await chain.node.getTxpoolStatus()).pending > 0)
    const other = await market.openBounty({ project })
    expect((await cancel(other)).status).toBe(200)
    await chain.node.mine({ blocks: 1 })
    await chain.node.setAutomine(true)
    expect((await approval).status).toBe(200)
    expect((await depositOf(bounty)).status).toBe('paid')
    expect(await refundsOf(bounty)).toEqual([])
    expect(await coin.balance(bounty.claimant.wallet_address as string)).toBe(dollars('19'))
  })
})

test('what the coin refuses to return stays locked, with the reason, and is returned at a later try', async () => {
  const bounty = await withDollars()
  await coin.pauseCoin()
  expect((await cancel(bounty)).status).toBe(200)
  await until(async () => (await depositOf(bounty)).error_code === 'dollars_refused')
  expect(await depositOf(bounty)).toMatchObject({ status: 'locked', end_tx: null })
  expect(await refundsOf(bounty)).toMatchObject([{ status: 'refused', nonce: null }])
  await coin.unpauseCoin()
  await db
    .updateTable('deposits')
    .set({ updated_at: sql<Date>`now() - interval '61 minutes'` })
    .where('bounty_id', '=', bounty.id)
    .execute()
  await hasStatus(bounty, 'refunded')
  expect((await depositOf(bounty)).error_code).toBeNull()
})

test('a refund that a reorganisation took back is sent again as it was', async () => {
  const bounty = await withDollars()
  await cancel(bounty)
  await hasStatus(bounty, 'refunded')
  const { end_tx } = await depositOf(bounty)
  await chain.reorganise(1)
  expect((await coin.slot(bounty.id)).state).toBe(1)
  await until(async () => (await coin.slot(bounty.id)).state === 2)
  await until(async () => (await refundsOf(bounty))[0]?.status === 'confirmed')
  expect(await refundsOf(bounty)).toHaveLength(1)
  expect(await depositOf(bounty)).toMatchObject({ status: 'refunded', end_tx })
  expect(await eventsOf(bounty)).toHaveLength(1)
})

test('a refund that the chain reverts is tried again at once, and shows no reason that does not hold', async () => {
  const bounty = await withDollars()
  await chain.node.setAutomine(false)
  await cancel(bounty)
  await until(async () => (await chain.node.getTxpoolStatus()).pending === 1)
  await market.stopEngines()
  const blocked = coin.block(founder)
  await until(async () => (await chain.node.getTxpoolStatus()).pending === 2)
  await chain.node.mine({ blocks: 1 })
  await chain.node.setAutomine(true)
  await blocked
  await coin.unblock(founder)
  market.startEngines()
  await hasStatus(bounty, 'refunded')
  expect(await refundsOf(bounty)).toMatchObject([{ status: 'reverted' }, { status: 'confirmed' }])
  expect((await depositOf(bounty)).error_code).toBeNull()
})

test('a deposit that a reorganisation has put into another block is locked until the time that the chain has', async () => {
  const requests = dollarsOn(market)
  const bounty = await market.openBounty({ project })
  const signed = await requests.signed(bounty, project.account as PrivateKeyAccount)
  // A reorganisation makes its block a second after the one before.
  await chain.node.increaseTime({ seconds: 10 })
  expect((await requests.lock(bounty, signed)).status).toBe(201)
  await hasStatus(bounty, 'locked')
  const { fund_tx, locked_until: first } = await depositOf(bounty)
  await chain.node.increaseTime({ seconds: 60 })
  await chain.reorganise(1)
  await until(async () => (await coin.slot(bounty.id)).state === 1)
  const { lockedUntil } = await coin.slot(bounty.id)
  expect(lockedUntil * 1000).not.toBe(Number(first))
  await until(async () => Number((await depositOf(bounty)).locked_until) === lockedUntil * 1000)
  expect(await depositOf(bounty)).toMatchObject({ status: 'locked', fund_tx })
})

test('a database that fell back behind a refund finds it on the chain, and returns nothing twice', async () => {
  const bounty = await withDollars()
  const backup = await createBackups(market.databaseUrl)
  await backup.dump()
  const before = await coin.balance(founder)
  await cancel(bounty)
  await hasStatus(bounty, 'refunded')
  const { end_tx } = await depositOf(bounty)
  await backup.loseEverythingAndRestore()
  expect((await depositOf(bounty)).status).not.toBe('refunded')
  await chain.node.mine({ blocks: 3 })
  await hasStatus(bounty, 'refunded')
  expect(await depositOf(bounty)).toMatchObject({ end_tx })
  expect((await coin.balance(founder)) - before).toBe(amount)
  const { bounty: shown } = (await api('GET', `/api/bounties/${bounty.id}`)).body
  expect(shown.status).toBe('open')
})

test('a database that fell back behind a deposit and its refund shows both, and returns nothing twice', async () => {
  const requests = dollarsOn(market)
  const bounty = await market.openBounty({ project })
  await market.stopEngines()
  const signed = await requests.signed(bounty, project.account as PrivateKeyAccount)
  expect((await requests.lock(bounty, signed)).status).toBe(201)
  const backup = await createBackups(market.databaseUrl)
  await backup.dump()
  market.startEngines()
  await hasStatus(bounty, 'locked')
  await cancel(bounty)
  await hasStatus(bounty, 'refunded')
  const { end_tx } = await depositOf(bounty)
  const before = await coin.balance(founder)
  await backup.loseEverythingAndRestore()
  await chain.node.mine({ blocks: 3 })
  await hasStatus(bounty, 'refunded')
  expect(await depositOf(bounty)).toMatchObject({ end_tx })
  expect(await coin.balance(founder)).toBe(before)
})
