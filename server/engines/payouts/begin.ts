import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import { inSeconds } from '../../db/lease.ts'
import { againAfterConflict } from '../../db/transaction.ts'
import { payCall, type Terms } from './store.ts'

/** The first approval of a submission. */
export interface Beginning {
  bountyId: string
  /** The contributor's wallet as the agent gave it. */
  wallet: string
  reviewNotes: string | null
  /** A condition that has to hold as well. */
  onlyIf?: RawBuilder<boolean> | undefined
  /** The request that is served for it, for as many seconds at first. */
  waiter: string
  requestLockSeconds: number
}

/**
 * Moves a pending submission to `approving` and stores its first payout, all in one statement. False, and nothing is
 * changed, where anything is not as it was when it was read: the bounty's or the submission's state, the wallet, or
 * `onlyIf`.
 */
export async function beginPayout(db: Database, terms: Terms, beginning: Beginning): Promise<boolean> {
  const { rows } = await againAfterConflict(() =>
    sql<{ begun: boolean }>`
    with bounty as materialized (select id from bounties
      where id = ${beginning.bountyId} and status = 'in_review' and ${beginning.onlyIf ?? sql`true`}
      for no key update),
    started as (update submissions s set status = 'approving', review_notes = ${beginning.reviewNotes}
      from bounty, agents
      where s.id = ${terms.submissionId} and s.bounty_id = bounty.id and s.status = 'pending'
        and agents.id = s.agent_id and agents.wallet_address = ${beginning.wallet}
      returning s.id),
    queued as (insert into transactions (chain_id, purpose, entity_id, to_address, data)
      select ${terms.chainId}, 'payout', id, ${terms.platformWallet.toLowerCase()}, ${payCall(terms)} from started
      returning id),
    stored as (insert into payouts (submission_id, payout_id, chain_id, platform_wallet, token, from_address, to_address,
        amount, fee, transaction_id, served_by, served_until)
      select started.id, ${terms.payoutId}, ${terms.chainId}, ${terms.platformWallet}, ${terms.token}, ${terms.from},
        ${terms.to}, ${terms.amount.toString()}, ${terms.fee.toString()}, queued.id, ${beginning.waiter},
        ${inSeconds(beginning.requestLockSeconds)}
      from started, queued
      returning submission_id)
    select exists (select from stored) as begun`.execute(db),
  )
  return rows[0]?.begun === true
}
