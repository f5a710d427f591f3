import { sql } from 'kysely'
import { unpaidEndings } from '../../lifecycle/statuses.ts'
import { possiblePayoutIds, type Work } from '../payouts/evidence.ts'
import type { FollowContext } from './context.ts'
import type { Payment } from './events.ts'

/** Raises an alarm for each of these payments that this database did not order. */
export async function alarmUnknown(context: FollowContext, payments: Payment[]): Promise<void> {
  for (const payment of await unknownAmong(context, payments)) {
    const { tx_hash, amount, token, to_address, payout_id } = payment
    context.alarm({
      kind: 'payment_unknown',
      entityId: payout_id,
      why:
        `${tx_hash} has paid ${amount} base units of ${token} to ${to_address} under payout id ${payout_id}, and this ` +
        'database has no such payout under way or done. Either the database has fallen back, and the service finds the payments that it lost ' +
        'by itself, or somebody else pays with an operator key. Unless the database was just restored or failed over, ' +
        "stop all payouts now with any operator key (contracts before 0.2.0: with the owner's): npm run contracts -- pause",
    })
  }
}

/** What a payment must have in common with its payout. */
const terms = ['token', 'from_address', 'to_address', 'amount', 'fee'] as const

type Ordered = Pick<Payment, 'payout_id' | (typeof terms)[number]> & Work & { isSettled: boolean }

/**
 * A payout is stored before it is sent, so each payment of this service has a row with its payout id and exactly its
 * terms, unless the database has fallen back or somebody else has paid. Version 0.1.0 paid under the id of the submission,
 * and the payout may have been stored anew since under the id of its bounty. If that one is settled under its own id,
 * the payment is a second one for it. A submission whose review ended without a payment has none that was ordered.
 */
async function unknownAmong({ db, chain }: FollowContext, payments: Payment[]): Promise<Payment[]> {
  if (payments.length === 0) return []
  const ids = payments.map(({ payout_id }) => payout_id)
  const tokens = payments.map(({ token }) => token)
  const { rows } = await sql<Ordered>`
    select p.payout_id, lower(p.token) as token, lower(p.from_address) as from_address,
      lower(p.to_address) as to_address, p.amount, p.fee, p.status = 'settled' as "isSettled",
      s.id as "submissionId", s.bounty_id as "bountyId"
    from payouts p join submissions s on s.id = p.submission_id
    where p.chain_id = ${chain.id} and s.status <> all (${unpaidEndings}) and (p.payout_id = any(${ids}) or (p.status <> 'settled'
      and p.project_id = any(array(select id from projects where lower(token_address) = any(${tokens})))))`.execute(
    db,
  )
  return payments.filter(
    (payment) =>
      !rows.some(
        (payout) =>
          terms.every((term) => payout[term] === payment[term]) &&
          (payout.payout_id === payment.payout_id ||
            (!payout.isSettled &&
              possiblePayoutIds(chain.id, payout).some((id) => id === payment.payout_id))),
      ),
  )
}
