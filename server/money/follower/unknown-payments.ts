import { sql } from 'kysely'
import { unpaidEndings } from '../../lifecycle/statuses.ts'
import type { FollowContext } from './context.ts'
import type { Payment, WalletEvents } from './events.ts'
import { alarmUnknownDollars } from './unknown-dollars.ts'

/** Raises an alarm for each of these payments and moves of dollars that this database did not order. */
export async function alarmUnknown(
  context: FollowContext,
  { payments, dollarMoves }: WalletEvents,
): Promise<void> {
  await alarmUnknownDollars(context, dollarMoves)
  for (const payment of await unknownAmong(context, payments)) {
    const { tx_hash, amount, token, to_address, payout_id } = payment
    context.alarm({
      kind: 'payment_unknown',
      entityId: payout_id,
      why:
        `${tx_hash} has paid ${amount} base units of ${token} to ${to_address} under payout id ${payout_id}, and this ` +
        'database has no such payout under way or done. Either the database has fallen back, and the service finds the payments that it lost ' +
        'by itself, or somebody else pays with an operator key. Unless the database was just restored or failed over, ' +
        'stop all payouts now with any operator key: npm run contracts -- pause',
    })
  }
}

/** What a payment must have in common with its payout. */
const terms = ['payout_id', 'token', 'from_address', 'to_address', 'amount', 'fee'] as const

/**
 * A payout is stored before it is sent, so each payment of this service has a row with its payout id and exactly its
 * terms, unless the database has fallen back or somebody else has paid. A submission whose review ended without a payment has
 * none that was ordered.
 */
async function unknownAmong({ db, chain }: FollowContext, payments: Payment[]): Promise<Payment[]> {
  if (payments.length === 0) return []
  const ids = payments.map(({ payout_id }) => payout_id)
  const { rows } = await sql<Pick<Payment, (typeof terms)[number]>>`
    select p.payout_id, lower(p.token) as token, lower(p.from_address) as from_address,
      lower(p.to_address) as to_address, p.amount, p.fee
    from payouts p join submissions s on s.id = p.submission_id
    where p.chain_id = ${chain.id} and s.status <> all (${unpaidEndings}) and p.payout_id = any(${ids})`.execute(
    db,
  )
  return payments.filter(
    (payment) => !rows.some((payout) => terms.every((term) => payout[term] === payment[term])),
  )
}
