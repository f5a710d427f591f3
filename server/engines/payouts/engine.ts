import { type Address, isAddressEqual } from 'viem'
import { chainAddress } from '../../chain/address.ts'
import type { Chain } from '../../chain/chain.ts'
import type { ChainConnection } from '../../chain/connection.ts'
import { payoutIdOf } from '../../chain/units.ts'
import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors.ts'
import type { NothingPays } from '../../lifecycle/situation.ts'
import {
  type AttachedRequests,
  createAttachedRequests,
  type Outcome,
  type WaitingOptions,
} from '../attached-requests.ts'
import type { SeenNonces } from '../transactions/seen-nonces.ts'
import { ensureNothingPays, type Work } from './gate.ts'
import { findPayout, mayStillBeMined, storePayout, type Terms } from './store.ts'

/** The payment that a founder approves. Amounts are in base units. */
export interface PayoutRequest {
  bountyId: string
  submissionId: string
  token: string
  from: string
  to: string
  /** Goes to the contributor. */
  amount: bigint
  /** Goes to the treasury. */
  fee: bigint
  /** The commit that the founder has reviewed. Default: the newest one known. */
  headSha?: string | undefined
  /** The platform wallet that has paid it already. Default: the configured one. */
  platformWallet?: Address
}

/** The state of a payout. */
export type PayoutOutcome = Outcome<Paid>

interface Paid {
  state: 'settled'
  txHash: string
}

/** Moves approved rewards on chain, exactly once each. */
export interface PayoutEngine extends AttachedRequests<Paid> {
  /**
   * Stores the payout as {@link requestPayout} does, with `attachedRequest` as its attached request.
   * @throws ServiceError `chain_not_configured`, `chain_unreachable`
   */
  request(trx: Database, payout: PayoutRequest, attachedRequest: string): Promise<void>
  /**
   * Makes sure, before a submission ends without a payment, that nothing can pay it any more; see gate.ts.
   * @throws ServiceError `approval_in_progress`, `chain_unreachable`, `chain_not_configured`
   */
  ensureNothingPays(submission: Work): Promise<NothingPays>
}

/** Creates the engine. It refuses every request while there is no chain. */
export function createPayoutEngine(
  options: WaitingOptions & { chain: ChainConnection; seenNonces: SeenNonces },
): PayoutEngine {
  const { db, chain, seenNonces } = options
  const attached = createAttachedRequests<Paid>(
    'payouts',
    ({ tx_hash }) => ({ state: 'settled', txHash: tx_hash }),
    options,
  )
  return {
    ...attached,
    async request(trx, payout, attachedRequest) {
      await requestPayout(trx, chain.require(), payout)
      await attached.attach(trx, payout.submissionId, attachedRequest)
    },
    ensureNothingPays: (submission) => ensureNothingPays(db, chain, seenNonces, submission),
  }
}

/**
 * Stores a payout in the caller's transaction, which has moved the submission to `approving`. After the commit any process
 * carries it out.
 */
export async function requestPayout(trx: Database, chain: Chain, payout: PayoutRequest): Promise<void> {
  await storePayout(trx, await termsOf(trx, chain, payout), payout.headSha ?? null)
}

/**
 * The terms of a new transaction. Signed terms stay while their transaction may still be mined, because two transactions
 * of one payout must pay the same. Otherwise the request's terms count.
 */
async function termsOf(trx: Database, chain: Chain, request: PayoutRequest): Promise<Terms> {
  const signed = await findPayout(trx, request.submissionId)
  const wanted = newTerms(chain, request)
  if (!signed || !(await mayStillBeMined(trx, request.submissionId))) return wanted
  if (signed.chainId !== chain.id)
    throw new ServiceError('chain_not_configured', 'The payout was begun on a chain that is not configured.')
  if (!isAddressEqual(signed.to, wanted.to))
    throw new ServiceError(
      'approval_in_progress',
      `An earlier payment to the wallet ${signed.to}, which the contributor had then, may still be made. ` +
        'Approve again when it is final that it was not: the new wallet is paid then.',
    )
  return signed
}

function newTerms(chain: Chain, request: PayoutRequest): Terms {
  const { submissionId, bountyId } = request
  return {
    submissionId,
    payoutId: payoutIdOf(chain.id, bountyId),
    chainId: chain.id,
    token: request.token as Address,
    from: chainAddress(request.from),
    to: chainAddress(request.to),
    amount: request.amount,
    fee: request.fee,
    platformWallet: request.platformWallet ?? chain.platformWallet,
  }
}
