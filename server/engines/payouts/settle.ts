import { sql } from 'kysely'
import type { Hash } from 'viem'
import { activityEntries } from '../../db/activity.ts'
import type { Database } from '../../db/client.ts'
import { newId } from '../../ids.ts'
import type { Problem } from '../problems.ts'
import { laneHeld, writeUnderLease } from '../transactions/lane/lease.ts'
import { minedAt, minedRows } from '../transactions/receipts/outcomes.ts'
import type { LaneLease, MinedTransaction } from '../transactions/types.ts'
import { markStuck, reopenPayout } from './fail.ts'
import { endedUnpaid, lockReview } from './review.ts'

/** A payout and the transaction that has made it. */
interface Settlement {
  entityId: string
  hash: Hash
}

/** A `from` clause with one row for each settlement: `made`, and the rows of its review as `s`, `b` and `p`. */
function reviewsOf(settlements: Settlement[]) {
  return sql`unnest(${settlements.map(({ entityId }) => entityId)}::text[],
      ${settlements.map(({ hash }) => hash)}::text[], ${settlements.map(() => newId('activity'))}::text[],
      ${settlements.map(() => newId('activity'))}::text[])
      as made (submission_id, hash, confirmed_id, approved_id)
    join submissions s on s.id = made.submission_id
    join bounties b on b.id = s.bounty_id
    join payouts p on p.submission_id = s.id`
}

/** The columns of {@link reviewsOf} that {@link success} needs. */
const reviewColumns = sql`made.submission_id, made.hash, made.confirmed_id, made.approved_id, s.agent_id, s.bounty_id, b.project_id, p.amount, p.fee`

const references = {
  agent_id: sql`agent_id`,
  project_id: sql`project_id`,
  bounty_id: sql`bounty_id`,
  submission_id: sql`submission_id`,
}

/**
 * What a success writes, as common table expressions over the rows of `paid`: payout settled, submission approved,
 * bounty done, two entries in the log. Nothing else writes a success.
 */
const success = sql`
  settled as (update payouts p set status = 'settled', tx_hash = paid.hash, error = null,
      settled_at = clock_timestamp(), updated_at = clock_timestamp()
    from paid where p.submission_id = paid.submission_id),
  approved as (update submissions s set status = 'approved', reviewed_at = clock_timestamp()
    from paid where s.id = paid.submission_id),
  done as (update bounties b set status = 'done' from paid where b.id = paid.bounty_id),
  approved_entries as ${activityEntries(
    { type: 'submission.approved' },
    {
      ...references,
      id: sql`approved_id`,
      data: sql`jsonb_build_object('contributor_tx_hash', hash, 'platform_fee_tx_hash', hash,
        'net', amount::text, 'fee', fee::text)`,
    },
    sql`paid`,
  )},
  confirmed_entries as ${activityEntries(
    { type: 'payout.confirmed' },
    { ...references, id: sql`confirmed_id`, data: sql`jsonb_build_object('tx_hash', hash)` },
    // Refers to the other insert, so that the approval comes first in the log.
    sql`paid, (select count(*) from approved_entries) approved`,
  )}`

/**
 * The fast path: settles payouts that run as expected, and confirms their transactions, all in one statement under the
 * lease. Rows are locked in the order in which every review locks them. Returns the ids of the transactions it did this
 * for; {@link settlePayout} decides about the others, of which it changed nothing.
 * @throws LeaseLostError
 */
export async function settlePayouts(
  db: Database,
  lease: LaneLease,
  mined: MinedTransaction[],
): Promise<Set<number>> {
  const { confirmed } = await writeUnderLease(
    db,
    lease,
    sql<{ held: boolean; confirmed: number[] }>`
    with lane as materialized (${laneHeld(lease)}),
    paid as materialized (
      select mined.id, mined.block_number, mined.block_hash, ${reviewColumns}
      from lane, ${minedRows(mined)}, ${reviewsOf(mined)}
      join transactions t on t.entity_id = made.submission_id
      where t.id = mined.id and made.hash = mined.hash and t.status in ('unconfirmed', 'mined')
        and b.status = 'in_review' and s.status = 'approving' and p.status = 'running'
      order by b.project_id, b.id
      for no key update of b, s, p, t),
    confirmed as (update transactions t set status = 'confirmed', ${minedAt}, updated_at = clock_timestamp()
      from paid mined where t.id = mined.id),
    ${success}
    select exists (select from lane) as held, (select coalesce(jsonb_agg(id), '[]') from paid) as confirmed`,
  )
  return new Set(confirmed)
}

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
  const review = await lockReview(trx, submissionId)
  if (review.payout_status === 'settled' && review.tx_hash === hash) return undefined
  if (review.payout_status === 'failed') await reopenPayout(trx, submissionId)
  if (endedUnpaid(review.submission_status))
    return markStuck(trx, submissionId, { kind: 'paid_after_review', hash })
  // Approved before: the chain took the payment back and then made it again. The feed has its entry already.
  if (review.submission_status === 'approved') {
    await settleAgain(trx, submissionId, hash)
    return undefined
  }
  if (review.submission_status === 'pending')
    await trx.updateTable('submissions').set({ status: 'approving' }).where('id', '=', submissionId).execute()
  const settlement = { entityId: submissionId, hash }
  await sql`with paid as materialized (select ${reviewColumns} from ${reviewsOf([settlement])}), ${success}
    select from paid`.execute(trx)
  return undefined
}

async function settleAgain(trx: Database, submissionId: string, hash: Hash): Promise<void> {
  const approved = JSON.stringify({ contributor_tx_hash: hash, platform_fee_tx_hash: hash })
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
