import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { type Alarm, alarmChannel } from '../../../server/loops/alarms.ts'
import { createBackups } from '../../support/backups.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import type { SubmittedBounty } from '../../support/scenarios.ts'
import { readRow } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { someAddress } from '../../support/values.ts'
import { reviewsOn } from './support/reviews.ts'

/*
 * The database falls back behind the chain while the service runs, as after the failover to an asynchronous standby.
 * FINALITY_BLOCKS keeps its default: what is recognised may not wait for 64 blocks. A backup holds the lease of a process,
 * which has to expire.
 */
const market = await createTestMarket({ settings: { APPROVE_WAIT_SECONDS: '1', LANE_LEASE_SECONDS: '1' } })
const { node } = market.chain
afterEach(() => node.setAutomine(true))

const { approve, reject, endings, cancel, isDone, stateOf, anotherSubmits } = reviewsOn(market)

/** Wallets that the chain has paid for work on the project of a bounty. */
async function paidWallets({ project }: SubmittedBounty): Promise<string[]> {
  const payments = await market.chain.payments()
  const own = payments.filter(({ token }) => token.toLowerCase() === project.token_address.toLowerCase())
  return own.map(({ to }) => to)
}

/** A bounty in review, and the database's state at that moment. */
async function inReviewWithBackup() {
  const bounty = await market.bountyInReview({ project: await market.activeProject() })
  const backup = await createBackups(market.databaseUrl)
  await backup.dump()
  return { bounty, fallBack: backup.loseEverythingAndRestore }
}

/** A bounty that was claimed, submitted to and paid after the moment to which the database then fell back. */
async function paidAndForgottenWhileOpen(): Promise<SubmittedBounty> {
  const open = await market.openBounty()
  const backup = await createBackups(market.databaseUrl)
  await backup.dump()
  const claimant = await market.register()
  await market.act(open, 'claim', claimant)
  const pr_url = await market.pullRequest(open.project)
  const { body } = await market.act(open, 'submit', claimant, { pr_url })
  const bounty = { ...open, claimant, pr_url, submissionId: body.submission.id }
  await approve(bounty)
  await until(() => isDone(bounty))
  await market.stopEngines()
  await backup.loseEverythingAndRestore()
  return bounty
}

/** Starts the engines, and returns the alarm about an unknown payment of a bounty. */
async function alarmAbout({ id }: SubmittedBounty): Promise<Alarm> {
  const alarms: Alarm[] = []
  const note = (alarm: unknown) => void alarms.push(alarm as Alarm)
  subscribe(alarmChannel, note)
  onTestFinished(() => void unsubscribe(alarmChannel, note))
  market.startEngines()
  const called = () => alarms.find(({ kind, entityId }) => kind === 'payment_unknown' && entityId === id)
  await until(() => called() !== undefined)
  return called() as Alarm
}

const payoutOf = (bountyId: string) =>
  market.db
    .selectFrom('payouts')
    .innerJoin('submissions', 'submissions.id', 'payouts.submission_id')
    .where('bounty_id', '=', bountyId)
    .select(['payouts.status', 'error'])
    .executeTakeFirst()

test('a lost payment is recognised and settled while the service runs, and not made again', async () => {
  const { bounty, fallBack } = await inReviewWithBackup()
  await approve(bounty)
  await until(() => isDone(bounty))
  await fallBack()
  await until(() => isDone(bounty))
  const again = await approve(bounty)
  expectError(again, 'bounty_not_in_review')
  const { tx_hash } = await readRow(market.db, 'payouts', { submission_id: bounty.submissionId })
  expect(again.body.error.message).toContain(`was approved and paid by transaction ${tx_hash}`)
  expect(await paidWallets(bounty)).toEqual([bounty.claimant.wallet_address])
})

test('a lost payment by the platform wallet that was configured before is recognised, and not made again', async () => {
  const { bounty, fallBack } = await inReviewWithBackup()
  await approve(bounty)
  await until(() => isDone(bounty))
  await market.stopEngines()
  await fallBack()
  const chain = market.services.chain.require() as { platformWallet: string }
  const { platformWallet } = chain
  chain.platformWallet = someAddress
  market.startEngines()
  await until(() => isDone(bounty))
  chain.platformWallet = platformWallet
  expect(await paidWallets(bounty)).toEqual([bounty.claimant.wallet_address])
})

test('409 approval_in_progress for every end without a payment of a submission that the chain has paid', async () => {
  const { bounty, fallBack } = await inReviewWithBackup()
  await approve(bounty)
  await until(() => isDone(bounty))
  await market.stopEngines()
  await fallBack()
  for (const end of Object.values(endings)) expectError(await end(bounty), 'approval_in_progress')
  market.startEngines()
  await until(() => isDone(bounty))
})

test('a payment of a bounty that was cancelled after the database fell back calls the operator and settles nothing', async () => {
  const bounty = await paidAndForgottenWhileOpen()
  expect((await cancel(bounty)).status).toBe(200)
  expect((await alarmAbout(bounty)).why).toContain(
    `bounty ${bounty.id}, which is \`cancelled\`, has no submission by that wallet`,
  )
  expectError(await approve(bounty), 'bounty_cancelled')
  const { status } = await readRow(market.db, 'bounties', { id: bounty.id })
  expect(status).toBe('cancelled')
})

test('a lost payment settles no submission of another contributor and calls the operator', async () => {
  const bounty = await paidAndForgottenWhileOpen()
  await anotherSubmits(bounty)
  expect((await alarmAbout(bounty)).why).toContain(
    `bounty ${bounty.id}, which is \`in_review\`, has no submission by that wallet`,
  )
  expect(await stateOf(bounty)).toEqual({ bounty: 'in_review', submissions: ['pending'] })
})

test('a payment that was in the mempool when the database fell back keeps a second contributor from being paid', async () => {
  const { bounty, fallBack } = await inReviewWithBackup()
  await node.setAutomine(false)
  await approve(bounty)
  await until(async () => (await node.getTxpoolStatus()).pending === 1)
  await market.stopEngines()
  await fallBack()
  expect((await reject(bounty)).status).toBe(200)
  await anotherSubmits(bounty)
  await node.mine({ blocks: 1 })
  await node.setAutomine(true)
  market.startEngines()
  await approve(bounty)
  await until(async () => (await payoutOf(bounty.id))?.status === 'needs_operator')
  expect((await payoutOf(bounty.id))?.error).toMatch(
    /^paid by 0x[0-9a-f]{64}, but not by exactly this payout$/,
  )
  expectError(await approve(bounty), 'payout_unconfirmed')
  expect(await paidWallets(bounty)).toEqual([bounty.claimant.wallet_address])
})

test('a database that fell back behind the opening of a signer opens it again, and looks for lost payments first', async () => {
  const { bounty, fallBack } = await inReviewWithBackup()
  await approve(bounty)
  await until(() => isDone(bounty))
  await market.stopEngines()
  await fallBack()
  await market.db.deleteFrom('lanes').execute()
  expectError(await reject(bounty), 'approval_in_progress')
  market.startEngines()
  await until(() => isDone(bounty))
  expect(await paidWallets(bounty)).toEqual([bounty.claimant.wallet_address])
})
