import { sql } from 'kysely'
import type { Hex } from 'viem'
import type { ChainConnection } from '../../chain/connection.ts'
import { payoutIdOf } from '../../chain/units.ts'
import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors.ts'
import { isLive } from '../transactions/live.ts'
import type { SeenNonces } from '../transactions/seen-nonces.ts'

/** A submission whose review is about to end without a payment. */
export interface EndingSubmission {
  submissionId: string
  bountyId: string
}

/** Says that nothing can pay a submission any more, as of the payout round that was looked at. */
export interface NothingPays {
  submissionId: string
  /** How often a payout had been asked for; 0 where never. */
  round: number
}

/** What the database knows of the payments of one submission. */
interface PaymentState {
  round: number
  payoutId: Hex | null
  isLive: boolean
  /** Block of a refused payment that a reorganisation could still revive. */
  refusedInBlock: number | null
}

/**
 * Makes sure that nothing can pay a submission any more. Everything that ends a submission asks this before its
 * transaction and confirms it with {@link confirmNothingPays} inside it. The chain is asked whether it has paid only where
 * that is possible: where a payout was stored, or where a signer has used nonces that this database did not give out.
 * @throws ServiceError `approval_in_progress`, `chain_unreachable`, `chain_not_configured`
 */
export async function ensureNothingPays(
  db: Database,
  chain: ChainConnection,
  seen: SeenNonces,
  { submissionId, bountyId }: EndingSubmission,
): Promise<NothingPays> {
  const state = await paymentState(db, submissionId)
  refuseWhilePossible(state)
  // Until the chain was reached nobody knows whether the database has fallen back behind it.
  const known = chain.state === 'not_configured' ? null : chain.require()
  if (known) await seen.refresh(known)
  if (state.round === 0 && !(known && (await seen.exceedsBooked(db, known))))
    return { submissionId, round: 0 }
  const { id: chainId, isPaid } = chain.require()
  // Version 0.1.0 paid under the id of the submission, which counts where the database fell back behind an upgrade.
  const ids = new Set([payoutIdOf(chainId, bountyId), payoutIdOf(chainId, submissionId)])
  if (state.payoutId) ids.add(state.payoutId)
  const paid = await Promise.all([...ids].map((id) => isPaid(id)))
  if (paid.includes(true))
    throw new ServiceError(
      'approval_in_progress',
      'The chain has paid this bounty. The service settles it with that payment, or has called the operator where the ' +
        'payment went to somebody else. Read the bounty again in a minute.',
    )
  return { submissionId, round: state.round }
}

/**
 * Confirms in the transaction that ends the submission, which holds the lock of its bounty, that nothing was begun since.
 * @throws ServiceError `approval_in_progress`
 */
export async function confirmNothingPays(trx: Database, { submissionId, round }: NothingPays): Promise<void> {
  const state = await paymentState(trx, submissionId)
  refuseWhilePossible(state)
  if (state.round !== round) throw new ServiceError('approval_in_progress')
}

function refuseWhilePossible({ isLive, refusedInBlock }: PaymentState): void {
  if (isLive) throw new ServiceError('approval_in_progress')
  if (refusedInBlock !== null)
    throw new ServiceError(
      'approval_in_progress',
      `The chain refused a payment of this submission in block ${refusedInBlock}, and a reorganisation could still ` +
        'revive it. Try again when that block is final, or approve again.',
    )
}

async function paymentState(db: Database, submissionId: string): Promise<PaymentState> {
  const { rows } = await sql<PaymentState>`
    select coalesce(max(p.round), 0) as round, max(p.payout_id) as "payoutId",
      coalesce(bool_or(${isLive('t')}), false) as "isLive",
      max(t.block_number) filter (where t.status = 'reverted' and not t.is_final) as "refusedInBlock"
    from (select ${submissionId} as id) s
      left join payouts p on p.submission_id = s.id
      left join transactions t on t.entity_id = s.id and t.purpose = 'payout'`.execute(db)
  return rows[0] as PaymentState
}
