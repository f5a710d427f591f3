import { sql } from 'kysely'
import type { Hash } from 'viem'
import type { Database } from '../../db/client.ts'
import { edges } from '../../lifecycle/edges.ts'
import { type Moving, moveAll } from '../../lifecycle/move.ts'
import { endedUnpaid } from '../../lifecycle/statuses.ts'
import type { Problem } from '../problems.ts'
import { underLease } from '../transactions/lane/lease.ts'
import { minedRows, recordMined } from '../transactions/receipts/outcomes.ts'
import type { LaneLease, MinedTransaction } from '../transactions/types.ts'
import { markStuck, reopenPayout } from './fail.ts'
import { lockPayout } from './review.ts'

/** A payout that the transaction `hash` has made, as its locked rows are. Amounts are in base units. */
interface Paid extends Omit<Moving, 'data' | 'stores'> {
  submission_id: string
  hash: string
  amount: string
  fee: string
}

/**
 * Settles payouts that run as expected, and confirms their transactions, under the lease. Returns the ids of the
 * transactions it did this for; {@link settlePayout} decides about the others, of which it changed nothing.
 * @throws LeaseLostError
 */
export function settlePayouts(
  db: Database,
  lease: LaneLease,
  mined: MinedTransaction[],
): Promise<Set<number>> {
  return underLease(db, lease, async (trx) => {
    const paid = await lockExpected(trx, mined)
    const ids = new Set(paid.map(({ transaction_id }) => transaction_id))
    if (paid.length === 0) return ids
    await recordMined(
      trx,
      mined.filter(({ id }) => ids.has(id)),
      'confirmed',
    )
    await settle(trx, paid)
    return ids
  })
}

/** Locks the rows of mined payouts that run as expected, in the order in which every step locks them. */
async function lockExpected(trx: Database, mined: MinedTransaction[]) {
  const { rows } = await sql<Paid & { transaction_id: number }>`
    select t.id as transaction_id, mined.hash, p.amount, p.fee, s.id as submission_id, s.agent_id, b.id, b.project_id
    from ${minedRows(mined)} join transactions t on t.id = mined.id join submissions s on s.id = t.entity_id
      join bounties b on b.id = s.bounty_id join payouts p on p.submission_id = s.id
    where t.status in ('unconfirmed', 'mined') and b.status = 'in_review' and s.status = 'approving' and p.status = 'running'
    order by b.project_id, b.id
    for no key update of b, s, p, t`.execute(trx)
  return rows
}

/** Settles payouts and moves their bounties. Nothing else stores a success. */
async function settle(trx: Database, paid: Paid[]): Promise<void> {
  await sql`update payouts p set status = 'settled', tx_hash = paid.hash, error = null,
      settled_at = clock_timestamp(), updated_at = clock_timestamp()
    from unnest(${paid.map(({ submission_id }) => submission_id)}::text[], ${paid.map(({ hash }) => hash)}::text[])
      as paid (submission_id, hash)
    where p.submission_id = paid.submission_id`.execute(trx)
  const moving = paid.map((one) => ({
    ...one,
    data: {
      'submission.approved': { ...approvedBy(one.hash), net: one.amount, fee: one.fee },
      'payout.confirmed': { tx_hash: one.hash },
    },
  }))
  await moveAll(trx, edges.pay, moving)
}

/** One transaction makes both transfers. */
const approvedBy = (hash: string) => ({ contributor_tx_hash: hash, platform_fee_tx_hash: hash })

/**
 * Settles one payout in the caller's transaction, whatever state it is in. Settling again only replaces the hash, since a
 * reorganisation may have preferred another attempt. If the review ended without a payment after the payout had been
 * reported failed, an operator has to decide: returns the problem.
 */
export async function settlePayout(
  trx: Database,
  submissionId: string,
  hash: Hash,
): Promise<Problem | undefined> {
  const payout = await lockPayout(trx, submissionId)
  const { payout_status, submission_status } = payout
  if (payout_status === 'settled' && payout.tx_hash === hash) return undefined
  if (payout_status === 'failed') await reopenPayout(trx, submissionId)
  if (endedUnpaid(submission_status)) return markStuck(trx, submissionId, { kind: 'paid_after_review', hash })
  // Approved before: the chain took the payment back and then made it again. The feed has its entry already.
  if (submission_status === 'approved') {
    await settleAgain(trx, submissionId, hash)
    return undefined
  }
  if (submission_status === 'pending') await moveAll(trx, edges.recognize, [payout])
  await settle(trx, [{ ...payout, hash }])
  return undefined
}

async function settleAgain(trx: Database, submissionId: string, hash: Hash): Promise<void> {
  const approved = JSON.stringify(approvedBy(hash))
  const confirmed = JSON.stringify({ tx_hash: hash })
  await trx
    .updateTable('payouts')
    .set({
      status: 'settled',
      tx_hash: hash,
      error: null,
      settled_at: sql`coalesce(settled_at, clock_timestamp())`,
      updated_at: sql`clock_timestamp()`,
    })
    .where('submission_id', '=', submissionId)
    .execute()
  await trx
    .updateTable('activity')
    .set({
      data: sql`data || case type when 'payout.confirmed' then ${confirmed}::jsonb else ${approved}::jsonb end`,
    })
    .where('submission_id', '=', submissionId)
    .where('type', 'in', ['payout.confirmed', 'submission.approved'])
    .execute()
}
