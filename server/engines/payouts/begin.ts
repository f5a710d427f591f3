import { type RawBuilder, sql } from 'kysely'
import { toBytes } from '../../db/bytes.ts'
import type { Database } from '../../db/client.ts'
import { inSeconds } from '../../db/lease.ts'
import { againAfterConflict, violatedConstraint } from '../../db/transaction.ts'
import { afterPermits } from './beside-permits.ts'
import { payCall, type Terms } from './store.ts'

/** The first approval of a submission. */
export interface FirstApproval {
  bountyId: string
  /** The contributor's wallet as the agent gave it. */
  wallet: string
  reviewNotes: string | null
  /** The commit that the founder has reviewed; null: the newest one known. */
  headSha: string | null
  /** A further condition. */
  onlyIf?: RawBuilder<boolean> | undefined
}

/** The request that waits for a payout, and for how many seconds it counts as served without being renewed. */
export interface AttachedRequest {
  id: string
  seconds: number
}

/**
 * What a payout is stored as, for the submission in the common table expression `started`: its transaction in the queue
 * and the payout itself with its attached request. Open at its end, for a conflict clause.
 */
function stored(terms: Terms, headSha: string | null, request: AttachedRequest) {
  return sql`
    queued as (insert into transactions (chain_id, purpose, entity_id, to_address, data)
      select ${terms.chainId}, 'payout', id, ${terms.platformWallet.toLowerCase()}, ${toBytes(payCall(terms))}::bytea
      from started, (select ${afterPermits(terms.token)}) permits
      returning id),
    stored as (insert into payouts (submission_id, payout_id, chain_id, platform_wallet, token, from_address, to_address,
        amount, fee, transaction_id, head_sha, served_by, served_until)
      select started.id, ${terms.payoutId}, ${terms.chainId}, ${terms.platformWallet}, ${terms.token}, ${terms.from},
        ${terms.to}, ${terms.amount.toString()}, ${terms.fee.toString()}, queued.id,
        coalesce(${headSha}, p.head_sha, s.head_sha), ${request.id}, ${inSeconds(request.seconds)}
      from started join submissions s using (id) left join pull_requests p on p.url = s.pr_url, queued`
}

/** Starts a failed payout again under the same row. */
const again = sql`on conflict (submission_id) do update set payout_id = excluded.payout_id, chain_id = excluded.chain_id,
        platform_wallet = excluded.platform_wallet, token = excluded.token, from_address = excluded.from_address,
        to_address = excluded.to_address, amount = excluded.amount, fee = excluded.fee,
        transaction_id = excluded.transaction_id, head_sha = excluded.head_sha, served_by = excluded.served_by, served_until = excluded.served_until,
        status = 'running', round = payouts.round + 1, error_code = null, error = null, updated_at = clock_timestamp()`

/**
 * Moves a pending submission to `approving` and stores its first payout, all in one statement. Returns false and changes
 * nothing if anything differs from what the caller has read: the bounty's or the submission's state, the wallet, a
 * payout that was stored meanwhile, or `onlyIf`.
 */
export async function beginPayout(
  db: Database,
  terms: Terms,
  approval: FirstApproval,
  request: AttachedRequest,
): Promise<boolean> {
  const { rows } = await againAfterConflict(() =>
    sql<{ begun: boolean }>`
    with bounty as materialized (select id from bounties
      where id = ${approval.bountyId} and status = 'in_review' and ${approval.onlyIf ?? sql`true`}
      for no key update),
    started as (update submissions s set status = 'approving', review_notes = ${approval.reviewNotes}
      from bounty, agents
      where s.id = ${terms.submissionId} and s.bounty_id = bounty.id and s.status = 'pending'
        and agents.id = s.agent_id and agents.wallet_address = ${approval.wallet}
        and not exists (select from payouts where submission_id = s.id)
      returning s.id),
    ${stored(terms, approval.headSha, request)} returning submission_id)
    select exists (select from stored) as begun`.execute(db),
  ).catch((error) => {
    // A payout that this statement could not see yet. Its terms may have to stay, which `storePayout` decides.
    if (violatedConstraint(error) === 'payouts_pkey') return { rows: [] }
    throw error
  })
  return rows[0]?.begun === true
}

/** Stores the payout of a submission that the caller's transaction has locked and moved to `approving`. */
export async function storePayout(
  trx: Database,
  terms: Terms,
  headSha: string | null,
  request: AttachedRequest,
): Promise<void> {
  await sql`with started as (select ${terms.submissionId}::text as id), ${stored(terms, headSha, request)} ${again} returning submission_id)
    select from stored`.execute(trx)
}
