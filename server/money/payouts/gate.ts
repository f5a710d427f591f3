import { sql } from 'kysely'
import type { Address } from 'viem'
import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors.ts'
import type { NothingPays } from '../../lifecycle/situation.ts'
import { type Chain, reachable } from '../chain/chain.ts'
import type { ChainConnection } from '../chain/connection.ts'
import { type FinalitySettings, finalityOf, secondsToFinal } from '../chain/finality.ts'
import { payoutIdOf } from '../chain/on-chain-ids.ts'
import { isLive } from '../transactions/live.ts'
import type { SeenNonces } from '../transactions/seen-nonces.ts'
import { isPaid } from './evidence/evidence.ts'

/** What the gate reads. */
export interface GateOptions {
  db: Database
  chain: ChainConnection
  seenNonces: SeenNonces
  config: FinalitySettings
}

/** A bounty and the submission that was made to it. */
export interface Work {
  bountyId: string
  submissionId: string
}

/** What the database knows of the payments of one submission. */
interface PaymentState {
  /** How often a payout was asked for; 0 if never. */
  round: number
  /** The wallet that pays the stored payout, and its chain below; null without one. */
  platformWallet: Address | null
  chainId: number | null
  isLive: boolean
  /** Block of a refused payment that a reorganisation could still revive. */
  refusedInBlock: number | null
}

/**
 * Makes sure that nothing can pay a submission any more. Everything that ends a submission calls this before its transaction; the
 * move confirms it there, and that no payout was begun since. Asks the chain whether it has paid only where
 * that is possible: if a payout was stored, or if a signer has used nonces that this database did not give out.
 * @throws ServiceError `approval_in_progress`, `chain_unreachable`, `chain_not_configured`
 */
export async function ensureNothingPays(
  { db, chain: connection, seenNonces: seen, config }: GateOptions,
  { bountyId, submissionId }: Work,
): Promise<NothingPays> {
  const state = await paymentState(db, submissionId)
  if (state.refusedInBlock !== null) {
    const { client, id } = connection.require()
    const { refusedInBlock } = state
    const seconds = () => secondsToFinal(client, refusedInBlock, finalityOf(config, id))
    refuseWhilePossible(state, await reachable(seconds))
  }
  refuseWhilePossible(state)
  const { round } = state
  const nothing = { submissionId, confirm: (trx: Database) => confirmNothingPays(trx, submissionId, round) }
  if (round === 0 && connection.state === 'not_configured') return nothing
  // Until the chain was reached nobody knows whether the database has fallen back behind it.
  const chain = connection.require()
  await seen.refresh(chain)
  if (round === 0 && !(await seen.exceedsBooked(db, chain))) return nothing
  const paid = await Promise.all(
    possibleWallets(chain, state).map((platformWallet) =>
      reachable(() => isPaid(chain.client, { payoutId: payoutIdOf(chain.id, bountyId), platformWallet })),
    ),
  )
  if (paid.includes(true))
    throw new ServiceError(
      'approval_in_progress',
      'The chain has paid this bounty. The service settles it with that payment, or has called the operator where the ' +
        'payment went to somebody else. Read the bounty again in a minute.',
    )
  return nothing
}

/** The platform wallets that may have paid. The setting may have changed since an earlier approval stored its payout. */
function possibleWallets(chain: Chain, { platformWallet, chainId }: PaymentState): Address[] {
  const wallets = new Set<Address>([chain.platformWallet])
  if (platformWallet && chainId === chain.id) wallets.add(platformWallet)
  return [...wallets]
}

/** Confirms that no payout was begun since `round`. @throws ServiceError `approval_in_progress` */
async function confirmNothingPays(trx: Database, submissionId: string, round: number): Promise<void> {
  const state = await paymentState(trx, submissionId)
  refuseWhilePossible(state)
  if (state.round !== round) throw new ServiceError('approval_in_progress')
}

/** @param seconds until the block of a refused payment is final */
function refuseWhilePossible({ isLive, refusedInBlock }: PaymentState, seconds = 1): void {
  if (isLive) throw new ServiceError('approval_in_progress')
  if (refusedInBlock !== null)
    throw new ServiceError(
      'approval_in_progress',
      `The chain refused a payment of this submission in block ${refusedInBlock}, and a reorganisation could still ` +
        `revive it. Try again in about ${seconds} seconds, when that block is final, or approve again.`,
    )
}

async function paymentState(db: Database, submissionId: string): Promise<PaymentState> {
  const { rows } = await sql<PaymentState>`
    select coalesce(max(p.round), 0) as round,
      max(p.platform_wallet) as "platformWallet", max(p.chain_id) as "chainId",
      coalesce(bool_or(${isLive('t')}), false) as "isLive",
      max(t.block_number) filter (where t.status = 'reverted' and not t.is_final) as "refusedInBlock"
    from (select ${submissionId} as id) s
      left join payouts p on p.submission_id = s.id
      left join transactions t on t.entity_id = s.id and t.purpose = 'payout'`.execute(db)
  return rows[0] as PaymentState
}
