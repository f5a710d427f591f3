import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import { newId } from '../../ids.ts'
import { type LaneLease, laneHeld, writeUnderLease } from '../transactions/lane-lease.ts'
import { minedAt, minedRows } from '../transactions/receipt-outcomes.ts'
import type { MinedTransaction } from '../transactions/types.ts'

/**
 * What `settlePayout` does for payouts of which everything is as it should be after a first success, for all of them in
 * one statement, together with the verdict on their transactions. Rows are locked in the order every review locks them.
 * Returns the transactions it was done for; of the others nothing was changed.
 * @throws LeaseLostError
 */
export async function settleTogether(
  db: Database,
  lease: LaneLease,
  mined: MinedTransaction[],
): Promise<Set<number>> {
  const entityIds = mined.map(({ entityId }) => entityId)
  const entryIds = mined.map(() => newId('activity'))
  const { settled } = await writeUnderLease(
    db,
    lease,
    sql<{ held: boolean; settled: number[] }>`
    with lane as materialized (${laneHeld(lease)}),
    ready as materialized (
      select mined.*, own.entry_id, s.id as submission_id, s.agent_id, s.bounty_id, b.project_id, p.amount, p.fee
      from lane, ${minedRows(mined)}
      join unnest(${mined.map(({ id }) => id)}::bigint[], ${entityIds}::text[], ${entryIds}::text[])
        as own (transaction_id, submission_id, entry_id) on own.transaction_id = mined.id
      join submissions s on s.id = own.submission_id
      join bounties b on b.id = s.bounty_id
      join payouts p on p.submission_id = s.id
      join transactions t on t.id = mined.id
      where b.status = 'in_review' and s.status = 'approving' and p.status = 'running'
        and t.status in ('unconfirmed', 'mined')
      order by b.project_id, b.id
      for no key update of b, s, p, t),
    confirmed as (update transactions t set status = 'confirmed', ${minedAt}, updated_at = clock_timestamp()
      from ready mined where t.id = mined.id),
    paid as (update payouts p set status = 'settled', tx_hash = ready.hash, error = null,
        settled_at = clock_timestamp(), updated_at = clock_timestamp()
      from ready where p.submission_id = ready.submission_id),
    approved as (update submissions s set status = 'approved', reviewed_at = clock_timestamp()
      from ready where s.id = ready.submission_id),
    done as (update bounties b set status = 'done' from ready where b.id = ready.bounty_id),
    told as (insert into activity (id, type, agent_id, project_id, bounty_id, submission_id, data)
      select entry_id, 'submission.approved', agent_id, project_id, bounty_id, submission_id, jsonb_build_object(
        'contributor_tx_hash', hash, 'platform_fee_tx_hash', hash, 'net', amount::text, 'fee', fee::text)
      from ready)
    select exists (select from lane) as held, (select coalesce(jsonb_agg(id), '[]') from ready) as settled`,
  )
  return new Set(settled)
}
