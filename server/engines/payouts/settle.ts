import { sql } from 'kysely'
import type { Hash } from 'viem'
import { toDecimal } from '../../chain/units.ts'
import type { Database } from '../../db/client.ts'
import { edges } from '../../lifecycle/edges.ts'
import { moveAll } from '../../lifecycle/move.ts'
import { endedUnpaid } from '../../lifecycle/statuses.ts'
import type { Problem } from '../problems.ts'
import { markStuck, reopenPayout } from './fail.ts'
import { lockPayout } from './review.ts'

/**
 * Settles a payout in the caller's transaction, whatever state it is in; nothing else stores a success. Settling again only
 * replaces the hash, since a reorganisation may have preferred another attempt. If the review ended without a payment after
 * the payout had been reported failed, an operator has to decide: returns the problem.
 */
export async function settlePayout(
  trx: Database,
  submissionId: string,
  hash: Hash,
): Promise<Problem | undefined> {
  const payout = await lockPayout(trx, submissionId)
  const { payout_status, submission_status, amount, fee, accepted_by } = payout
  if (payout_status === 'settled' && payout.tx_hash === hash) return undefined
  if (payout_status === 'failed') await reopenPayout(trx, submissionId)
  if (endedUnpaid(submission_status)) return markStuck(trx, submissionId, { kind: 'paid_after_review', hash })
  if (submission_status === 'pending') await moveAll(trx, edges.recognize, [payout])
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
  // One transaction makes both transfers.
  const approved = { contributor_tx_hash: hash, platform_fee_tx_hash: hash }
  const confirmed = { tx_hash: hash }
  if (submission_status === 'approved') await replaceHash(trx, submissionId, { approved, confirmed })
  else {
    const data = {
      'submission.approved': {
        ...approved,
        net: toDecimal(BigInt(amount)),
        fee: toDecimal(BigInt(fee)),
        accepted_by,
      },
      'payout.confirmed': confirmed,
    }
    await moveAll(trx, edges.pay, [{ ...payout, data }])
  }
  return undefined
}

/** Approved before: the chain took the payment back and then made it again. The feed has its entries already. */
async function replaceHash(
  trx: Database,
  submissionId: string,
  { approved, confirmed }: { approved: object; confirmed: object },
): Promise<void> {
  await trx
    .updateTable('activity')
    .set({
      data: sql`data || case type when 'payout.confirmed' then ${JSON.stringify(confirmed)}::jsonb
        else ${JSON.stringify(approved)}::jsonb end`,
    })
    .where('submission_id', '=', submissionId)
    .where('type', 'in', ['payout.confirmed', 'submission.approved'])
    .execute()
}
