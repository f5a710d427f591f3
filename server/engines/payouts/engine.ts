import type { Logger } from 'pino'
import { type Address, type Hex, isAddressEqual } from 'viem'
import { chainAddress } from '../../chain/address.ts'
import type { Chain } from '../../chain/chain.ts'
import type { ChainConnection } from '../../chain/connection.ts'
import { payoutIdOf } from '../../chain/units.ts'
import type { Database } from '../../db/client.ts'
import { type ErrorCode, ServiceError } from '../../errors.ts'
import { createRequestLock } from '../request-lock.ts'
import type { SeenNonces } from '../transactions/seen-nonces.ts'
import { type Beginning, beginPayout } from './begin.ts'
import { type EndingSubmission, ensureNothingPays, type NothingPays } from './gate.ts'
import { enqueuePayout, findPayouts, mayStillBeMined, type Payout, startPayout, type Terms } from './store.ts'

/** What a founder's approval asks to be paid. Amounts are in base units. */
export interface PayoutRequest {
  bountyId: string
  submissionId: string
  token: string
  from: string
  to: string
  /** To the contributor. */
  amount: bigint
  /** To the treasury. */
  fee: bigint
  /** Default: that of the bounty. */
  payoutId?: Hex
}

/** Where a payout stands. `running` is never a failure: it goes on whoever waits. */
export type PayoutOutcome =
  | { state: 'settled'; txHash: string }
  | { state: 'failed'; code: ErrorCode; message: string }
  | { state: 'running' }
  /** Goes on only after a person has looked; it is not known to have failed either. */
  | { state: 'stuck' }

/** Moves approved rewards on chain, exactly once each. */
export interface PayoutEngine {
  /**
   * Stores the intent to pay in the caller's transaction, which has moved the submission to `approving`, and makes
   * `waiter` the request that is served. From its commit on any process carries the payout out.
   * @throws ServiceError `chain_not_configured`, `chain_unreachable`
   */
  request(trx: Database, payout: PayoutRequest, waiter: string): Promise<void>
  /**
   * Stores the first approval of a submission as a whole: moves it to `approving`, stores the intent to pay and makes
   * `waiter` the request that is served. False, and nothing is changed, where anything is not as it was read.
   * @throws ServiceError `chain_not_configured`, `chain_unreachable`
   */
  begin(
    payout: PayoutRequest,
    approval: Pick<Beginning, 'reviewNotes' | 'onlyIf'>,
    waiter: string,
  ): Promise<boolean>
  /** Makes `waiter` the request that is served for a running payout; false while another one is. */
  join(submissionId: string, waiter: string): Promise<boolean>
  /** `waiter` has come to its end without waiting. */
  leave(submissionId: string, waiter: string): Promise<void>
  /** Waits until the payout is settled, failed or stuck, at most `timeoutMs` or until `signal` aborts; then lets go. */
  wait(
    submissionId: string,
    options: { waiter: string; timeoutMs: number; signal: AbortSignal },
  ): Promise<PayoutOutcome>
  /** Where the payout of a submission stands now. */
  outcome(submissionId: string): Promise<PayoutOutcome | undefined>
  /**
   * Makes sure, before a submission is ended without a payment, that nothing can pay it any more; see the gate.
   * @throws ServiceError `approval_in_progress`, `chain_unreachable`, `chain_not_configured`
   */
  ensureNothingPays(submission: EndingSubmission): Promise<NothingPays>
  /** A payout may have moved on in this process. */
  poll(): void
}

/** Refuses every request while there is no chain to pay on. */
export function createPayoutEngine(options: {
  db: Database
  chain: ChainConnection
  pollMs: number
  requestLockSeconds: number
  seenNonces: SeenNonces
  /** Called when somebody starts to wait, so that stored work is taken up at once. */
  onWait(): void
  log: Logger
}): PayoutEngine {
  const { db, chain } = options
  const serving = createRequestLock<PayoutOutcome>({
    ...options,
    work: 'payouts',
    load: async (ids) => {
      const payouts = await findPayouts(db, ids)
      return new Map(payouts.map((payout) => [payout.submissionId, toOutcome(payout)]))
    },
  })
  return {
    async request(trx, payout, waiter) {
      await storeRequest(trx, chain.require(), payout)
      await serving.replace(trx, payout.submissionId, waiter)
    },
    async begin(payout, approval, waiter) {
      const { requestLockSeconds } = options
      const beginning = {
        ...approval,
        bountyId: payout.bountyId,
        wallet: payout.to,
        waiter,
        requestLockSeconds,
      }
      return beginPayout(db, newTerms(chain.require(), payout), beginning)
    },
    join: (submissionId, waiter) => serving.acquire(db, submissionId, waiter),
    leave: serving.release,
    async wait(submissionId, { waiter: requestId, ...limits }) {
      options.onWait()
      return (await serving.wait(submissionId, { requestId, ...limits })) ?? { state: 'running' }
    },
    outcome: async (submissionId) => {
      const [payout] = await findPayouts(db, [submissionId])
      return payout && toOutcome(payout)
    },
    ensureNothingPays: (submission) => ensureNothingPays(db, chain, options.seenNonces, submission),
    poll: serving.poll,
  }
}

async function storeRequest(trx: Database, chain: Chain, request: PayoutRequest): Promise<void> {
  const payout = await termsOf(trx, chain, request)
  const transactionId = await enqueuePayout(trx, payout)
  await startPayout(trx, { ...payout, transactionId })
}

/**
 * Terms that were signed hold while their transaction may still be mined, because of two transactions for one payout
 * both must mean the same. After that the request counts as it is.
 */
async function termsOf(trx: Database, chain: Chain, request: PayoutRequest): Promise<Terms> {
  const [signed] = await findPayouts(trx, [request.submissionId])
  // A payout that was stored keeps its id: an earlier transaction of it can never be paid beside a later one.
  const payoutId = request.payoutId ?? signed?.payoutId
  const wanted = newTerms(chain, { ...request, ...(payoutId && { payoutId }) })
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
    payoutId: request.payoutId ?? payoutIdOf(chain.id, bountyId),
    chainId: chain.id,
    token: request.token as Address,
    from: chainAddress(request.from),
    to: chainAddress(request.to),
    amount: request.amount,
    fee: request.fee,
    platformWallet: chain.platformWallet,
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
