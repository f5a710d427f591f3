import { channel } from 'node:diagnostics_channel'
import type { Logger } from 'pino'
import { type Address, type Hash, type Hex, isAddressEqual } from 'viem'
import { nodeErrorText } from '../../../config/node-error-text.ts'
import type { Database } from '../../../db/client.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { edges } from '../../../lifecycle/edges.ts'
import { moveAll } from '../../../lifecycle/move.ts'
import { lockBounty, readSituation } from '../../../lifecycle/situation.ts'
import type { RaiseAlarm } from '../../../loops/alarms.ts'
import { chainAddress } from '../../chain/address.ts'
import type { Chain } from '../../chain/chain.ts'
import { payoutIdOf } from '../../chain/on-chain-ids.ts'
import { requestPayout } from '../engine.ts'
import { paidEvents } from '../evidence/paid-events.ts'
import {
  bountiesByPayoutId,
  knownPayouts,
  lastSigned,
  type UnpaidSubmission,
  unpaidSubmissions,
  usedWallets,
} from './queries.ts'

/** The channel that publishes every recognised payment, for metrics. */
export const recognizedChannel = 'bounty-marketplace:payment-recognized'
/** Kept here: Node 20 forgets the subscribers of a channel whose object was collected before. */
const recognitions = channel(recognizedChannel)

/** The outcome of a payment that the database did not know. */
export const recognizedOutcomes = [
  /** Its submission is being settled with it. */
  'settled',
  /** Waits for an operator: its submission is lost, or the payment went to another wallet than the contributor's. */
  'needs_operator',
] as const
export type RecognizedOutcome = (typeof recognizedOutcomes)[number]

/** A payment that the platform wallet has made. Amounts are in base units. */
interface ChainPayment {
  platformWallet: Address
  payoutId: Hex
  token: Address
  from: Address
  to: Address
  amount: bigint
  fee: bigint
  hash: Hash
}

interface Recognizing {
  db: Database
  chain: Chain
  alarm: RaiseAlarm
  log: Logger
}

/**
 * Finds payments on the chain that this database does not know, as after the restore of a backup or a failover to a
 * standby that lagged behind. If the paid submission waits for its review, the payout engine settles it without paying
 * again. For every other payment an alarm calls the operator.
 * @param signer the key whose nonces the database did not give out: it signed the lost payments after all known ones
 */
export async function recognizePayments(context: Recognizing, signer: Address): Promise<void> {
  const { db, chain, alarm, log } = context
  const since = await lastSigned(db, chain.id, signer)
  if (!since) return
  const payments = await paymentsSince(db, chain, since)
  const lost = await unknownAmong(db, payments)
  if (lost.length > 0)
    alarm({ kind: 'database_behind', why: `the database has lost ${lost.length} payments` })
  const left = lost.length > 0 ? await settleLost(context, lost) : []
  // Another process may have begun to settle some of them.
  const unknown = await unknownAmong(db, left)
  if (unknown.length > 0) await alarmForAll(context, unknown)
  log.warn(
    { signer, since, payments: payments.length, lost: lost.length, unknown: unknown.length },
    'payments on the chain were compared with this database',
  )
}

/** The setting of the platform wallet may have changed since: payments by every wallet that was used count. */
async function paymentsSince(db: Database, chain: Chain, since: Date): Promise<ChainPayment[]> {
  const head = Number(await chain.client.getBlockNumber())
  const wallets = new Set([chainAddress(chain.platformWallet), ...(await usedWallets(db, chain.id))])
  const payments: ChainPayment[] = []
  for await (const events of paidEvents(chain.client, { wallets: [...wallets] }, head, since))
    for (const { args, address, transactionHash: hash } of events)
      payments.push({ ...args, platformWallet: chainAddress(address), hash })
  return payments
}

async function unknownAmong(db: Database, payments: ChainPayment[]): Promise<ChainPayment[]> {
  const ids = payments.map(({ payoutId }) => payoutId)
  const known = await knownPayouts(db, ids)
  return payments.filter(({ payoutId }) => !known.has(payoutId))
}

/** Settles each payment whose submission waits for its review; returns the others. */
async function settleLost(context: Recognizing, lost: ChainPayment[]): Promise<ChainPayment[]> {
  const { db, chain, log } = context
  const waiting = new Map<string, UnpaidSubmission>()
  for (const submission of await unpaidSubmissions(db))
    waiting.set(payoutIdOf(chain.id, submission.bounty_id), submission)
  const left: ChainPayment[] = []
  for (const payment of lost) {
    const submission = waiting.get(payment.payoutId)
    const isAdopted =
      submission &&
      (await adopt(context, submission, payment).catch((error) => {
        log.error(
          { entityId: submission.id, hash: payment.hash, reason: nodeErrorText(error) },
          'a lost payment could not be settled: an alarm with its details follows',
        )
        return false
      }))
    if (isAdopted) publish('settled')
    else left.push(payment)
  }
  return left
}

/** Raises an alarm for each payment that an operator has to decide about, with its bounty if that is known. */
async function alarmForAll({ db, chain, alarm }: Recognizing, payments: ChainPayment[]): Promise<void> {
  const bounties = await bountiesByPayoutId(
    db,
    chain.id,
    payments.map(({ payoutId }) => payoutId),
  )
  for (const { payoutId, hash, token, to, amount } of payments) {
    const bounty = bounties.get(payoutId)
    publish('needs_operator')
    alarm({
      kind: 'payment_unknown',
      entityId: bounty?.id ?? payoutId,
      why:
        `${hash} has paid ${amount} base units of ${token} to ${to} under payout id ${payoutId}, and ` +
        `${bounty ? nothingWaits(bounty) : 'its bounty is lost'}; it must not be paid again`,
    })
  }
}

function nothingWaits({ id, status }: { id: string; status: string }): string {
  return `bounty ${id}, which is \`${status}\`, has no submission by that wallet in review`
}

/** Approves a paid submission again with exactly the amounts that were paid. False if the payment is not certainly its own. */
async function adopt(
  { db, chain, log }: Recognizing,
  submission: UnpaidSubmission,
  payment: ChainPayment,
): Promise<boolean> {
  const adopted = await inTransaction(db, async (trx) => {
    await lockBounty(trx, submission.bounty_id)
    const { review, ...bounty } = await readSituation(trx, { id: submission.bounty_id })
    if (review?.id !== submission.id || review.status !== 'pending') return false
    // The bounty may have another submission by now, whose author was not paid.
    if (!review.wallet_address || !isAddressEqual(chainAddress(review.wallet_address), payment.to))
      return false
    const { agent_id } = review
    await moveAll(trx, edges.recognize, [{ ...bounty, agent_id, submission_id: submission.id }])
    const work = { bountyId: submission.bounty_id, submissionId: submission.id }
    // The payout reads what was paid in dollars from the payment itself.
    await requestPayout(trx, chain, { ...payment, ...work })
    return true
  })
  if (!adopted) return false
  log.warn(
    { entityId: submission.id, hash: payment.hash },
    'a lost payment was recognised; the payout engine settles it',
  )
  return true
}

function publish(outcome: RecognizedOutcome): void {
  recognitions.publish({ outcome })
}
