import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import type { RaiseAlarm } from '../alarms.ts'
import { possiblePayoutIds } from '../payouts/evidence.ts'
import { unpaidEndings } from '../payouts/review.ts'
import type { PaymentEvent } from './events.ts'

/** Raises an alarm for each of these payments that this database did not order. */
export async function alarmUnknown(
  db: Database,
  chainId: number,
  alarm: RaiseAlarm,
  payments: PaymentEvent[],
): Promise<void> {
  for (const payment of await unknownAmong(db, chainId, payments)) {
    const { txHash, amount, token, to, payoutId } = payment
    alarm({
      kind: 'payment_unknown',
      entityId: payoutId,
      why:
        `${txHash} has paid ${amount} base units of ${token} to ${to} under payout id ${payoutId}, and this database ` +
        'has no such payout under way or done. Either the database has fallen back, and the service finds the payments ' +
        'that it lost by itself, or somebody else pays with an operator key. Unless the database was just restored or failed over, ' +
        "stop all payouts now with any operator key (contracts before 0.2.0: with the owner's): npm run contracts -- pause",
    })
  }
}

type Terms = Pick<PaymentEvent, 'token' | 'from' | 'to'> & { amount: string; fee: string }

/**
 * A payout is stored before it is sent, so each payment of this service has a row with its payout id and exactly its
 * terms, unless the database has fallen back or somebody else has paid. A submission whose review ended without a payment
 * has no payment that was ordered.
 */
async function unknownAmong(
  db: Database,
  chainId: number,
  payments: PaymentEvent[],
): Promise<PaymentEvent[]> {
  if (payments.length === 0) return []
  const ids = payments.map(({ payoutId }) => payoutId)
  const { rows: payouts } = await sql<Terms & { payoutId: string }>`
    select payout_id as "payoutId", ${terms} from payouts p join submissions s on s.id = p.submission_id
    where payout_id = any(${ids}) and chain_id = ${chainId} and s.status <> all (${unpaidEndings})`.execute(
    db,
  )
  const unknown: PaymentEvent[] = []
  for (const payment of payments) {
    const isKnown =
      payouts.some((payout) => payout.payoutId === payment.payoutId && isSame(payout, payment)) ||
      (await isOfEarlierVersion(db, chainId, payment))
    if (!isKnown) unknown.push(payment)
  }
  return unknown
}

/**
 * Whether version 0.1.0 has made this payment, under the id of the submission, and the payout was stored anew since under
 * the id of its bounty. A payout that is settled under its own id was paid already: this is a second payment for it.
 */
async function isOfEarlierVersion(db: Database, chainId: number, payment: PaymentEvent): Promise<boolean> {
  const { rows } = await sql<Terms & { submissionId: string; bountyId: string }>`
    select s.id as "submissionId", s.bounty_id as "bountyId", ${terms}
    from projects join payouts p on p.project_id = projects.id join submissions s on s.id = p.submission_id
    where lower(projects.token_address) = ${payment.token} and p.status <> 'settled' and s.status <> all (${unpaidEndings})`.execute(
    db,
  )
  return rows.some(
    (payout) => isSame(payout, payment) && possiblePayoutIds(chainId, payout).includes(payment.payoutId),
  )
}

const terms = sql`lower(p.token) as token, lower(p.from_address) as "from", lower(p.to_address) as "to",
  p.amount, p.fee`

function isSame(payout: Terms, payment: PaymentEvent): boolean {
  return (
    payout.token === payment.token &&
    payout.from === payment.from &&
    payout.to === payment.to &&
    BigInt(payout.amount) === payment.amount &&
    BigInt(payout.fee) === payment.fee
  )
}
