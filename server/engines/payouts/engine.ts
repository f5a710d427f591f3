import type { Logger } from 'pino'
import { type Address, isAddressEqual } from 'viem'
import { chainAddress } from '../../chain/address.ts'
import type { Chain } from '../../chain/chain.ts'
import type { ChainConnection } from '../../chain/connection.ts'
import { payoutIdOf } from '../../chain/units.ts'
import type { Database } from '../../db/client.ts'
import { type ErrorCode, ServiceError } from '../../errors.ts'
import type { NothingPays } from '../../lifecycle/situation.ts'
import { createRequestLock } from '../request-lock.ts'
import type { SeenNonces } from '../transactions/seen-nonces.ts'
import { ensureNothingPays, type Work } from './gate.ts'
import { findPayouts, mayStillBeMined, type Payout, storePayout, type Terms } from './store.ts'

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

/** The state of a payout. `running` is not a failure: it goes on whether or not a request waits for it. */
export type PayoutOutcome =
  | { state: 'settled'; txHash: string }
  | { state: 'failed'; code: ErrorCode; message: string }
  | { state: 'running' }
  /** Waits for an operator; it is not known to have failed either. */
  | { state: 'stuck' }

/** Moves approved rewards on chain, exactly once each. */
export interface PayoutEngine {
  /**
   * Stores the payout in the caller's transaction, which has moved the submission to `approving`, with `attachedRequest` as its
   * attached request. After the commit any process carries the payout out.
   * @throws ServiceError `chain_not_configured`, `chain_unreachable`
   */
  request(trx: Database, payout: PayoutRequest, attachedRequest: string): Promise<void>
  /** Attaches the request `attachedRequest` to a running payout; false while another request is attached. */
  join(submissionId: string, attachedRequest: string): Promise<boolean>
  /** Releases the request `attachedRequest` without waiting. */
  leave(submissionId: string, attachedRequest: string): Promise<void>
  /** Waits until the payout is settled, failed or stuck, at most `timeoutMs` or until `signal` aborts; then releases the request. */
  wait(
    submissionId: string,
    options: { attachedRequest: string; timeoutMs: number; signal: AbortSignal },
  ): Promise<PayoutOutcome>
  /** The current state of a submission's payout. */
  outcome(submissionId: string): Promise<PayoutOutcome | undefined>
  /**
   * Makes sure, before a submission ends without a payment, that nothing can pay it any more; see gate.ts.
   * @throws ServiceError `approval_in_progress`, `chain_unreachable`, `chain_not_configured`
   */
  ensureNothingPays(submission: Work): Promise<NothingPays>
  /** Wakes the waiting requests: a payout may have changed in this process. */
  poll(): void
}

/** Creates the engine. It refuses every request while there is no chain. */
export function createPayoutEngine(options: {
  db: Database
  chain: ChainConnection
  pollMs: number
  requestLockSeconds: number
  seenNonces: SeenNonces
  /** Called when a request starts to wait, so that its stored work is taken up at once. */
  onWait(): void
  log: Logger
}): PayoutEngine {
  const { db, chain } = options
  const attached = (id: string) => ({ id, seconds: options.requestLockSeconds })
  const requestLock = createRequestLock<PayoutOutcome>({
    ...options,
    work: 'payouts',
    load: async (ids) => {
      const payouts = await findPayouts(db, ids)
      return new Map(payouts.map((payout) => [payout.submissionId, toOutcome(payout)]))
    },
  })
  return {
    async request(trx, payout, attachedRequest) {
      await storePayout(
        trx,
        await termsOf(trx, chain.require(), payout),
        payout.headSha ?? null,
        attached(attachedRequest),
      )
    },
    join: (submissionId, attachedRequest) => requestLock.acquire(db, submissionId, attachedRequest),
    leave: requestLock.release,
    async wait(submissionId, attachment) {
      options.onWait()
      return (await requestLock.wait(submissionId, attachment)) ?? { state: 'running' }
    },
    outcome: async (submissionId) => {
      const [payout] = await findPayouts(db, [submissionId])
      return payout && toOutcome(payout)
    },
    ensureNothingPays: (submission) => ensureNothingPays(db, chain, options.seenNonces, submission),
    poll: requestLock.poll,
  }
}

/**
 * The terms of a new transaction. Signed terms stay while their transaction may still be mined, because two transactions
 * of one payout must pay the same. Otherwise the request's terms count.
 */
async function termsOf(trx: Database, chain: Chain, request: PayoutRequest): Promise<Terms> {
  const [signed] = await findPayouts(trx, [request.submissionId])
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

function toOutcome(payout: Payout): PayoutOutcome {
  if (payout.status === 'settled' && payout.txHash) return { state: 'settled', txHash: payout.txHash }
  if (payout.status === 'failed')
    return {
      state: 'failed',
      code: payout.errorCode ?? 'payout_failed',
      message: payout.error ?? 'The payout failed.',
    }
  return { state: payout.status === 'needs_operator' ? 'stuck' : 'running' }
}
