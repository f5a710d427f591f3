import { type Address, isAddressEqual } from 'viem'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import { ServiceError } from '../../errors.ts'
import type { AcceptedBy } from '../../lifecycle/acceptance.ts'
import { edges } from '../../lifecycle/edges.ts'
import { move, refusalOf } from '../../lifecycle/move.ts'
import { type NothingPays, readSituation } from '../../lifecycle/situation.ts'
import {
  type AttachedRequests,
  createAttachedRequests,
  type Outcome,
  type WaitingOptions,
} from '../../loops/attached-requests.ts'
import { emitStep } from '../../loops/crash-steps.ts'
import { chainAddress } from '../chain/address.ts'
import type { Chain } from '../chain/chain.ts'
import { payoutIdOf } from '../chain/on-chain-ids.ts'
import { type Backing, type BackingSettings, readBuyers, requireBacking } from './backing.ts'
import { type Dollars, noDollars } from './dollars.ts'
import { requireFunds } from './funds.ts'
import { ensureNothingPays, type GateOptions, type Work } from './gate.ts'
import { splitReward } from './platform-fee.ts'
import { findPayout, mayStillBeMined, storePayout, type Terms } from './store.ts'

/** The payment that a founder approves. */
export interface PayoutRequest
  extends Omit<Terms, 'payoutId' | 'chainId' | 'platformWallet' | keyof Dollars>,
    Partial<Dollars> {
  bountyId: string
  /** The commit that the founder has reviewed. Default: the newest one known. */
  headSha?: string | undefined
  /** The platform wallet that has paid it already. Default: the configured one. */
  platformWallet?: Address
  /** Default: it is not known. */
  backing?: Backing
}

/** What the founder accepts. */
export interface Approval {
  bountyId: string
  submissionId: string
  founderId: string
  acceptedBy: AcceptedBy
  headSha?: string | undefined
  reviewNotes?: string | null | undefined
  /** The request that waits for the payout. */
  attachedRequest?: string
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
   * Begins the payout of a submission that waits for its review: moves the bounty along the edge `approve`, and stores the intent.
   * @param alongside is done in the same transaction
   * @throws ServiceError as {@link requireFunds}, {@link requireBacking} and `move`
   */
  begin(approval: Approval, alongside?: (trx: Database) => Promise<void>): Promise<void>
  /**
   * Makes sure, before a submission ends without a payment, that nothing can pay it any more; see gate.ts.
   * @throws ServiceError `approval_in_progress`, `chain_unreachable`, `chain_not_configured`
   */
  ensureNothingPays(submission: Work): Promise<NothingPays>
}

/** Creates the engine. It refuses every request while there is no chain. */
export function createPayoutEngine(
  options: WaitingOptions &
    GateOptions & {
      config: Pick<Config, 'PAYOUTS_ENABLED' | 'PLATFORM_FEE_BPS'> & BackingSettings
    },
): PayoutEngine {
  const { db, chain, config } = options
  const attached = createAttachedRequests<Paid>(
    'payouts',
    ({ tx_hash }) => ({ state: 'settled', txHash: tx_hash }),
    options,
  )
  return {
    ...attached,
    async begin({ bountyId, submissionId, founderId, acceptedBy, headSha, ...given }, alongside) {
      const { reviewNotes, attachedRequest } = given
      const asked = { id: bountyId, caller: founderId, submission: submissionId }
      const bounty = await readSituation(db, asked)
      const refusal = await refusalOf(db, edges.approve, { ...bounty, head: headSha })
      if (refusal) throw refusal
      const [payer, buyers] = await Promise.all([
        requireFunds(chain, config, bounty),
        readBuyers(chain, config, bounty.curve_address),
      ])
      const payout = { bountyId, submissionId, headSha, ...payer }
      await inTransaction(db, async (trx) => {
        const brought = { review_notes: reviewNotes, accepted_by: acceptedBy, head: headSha }
        // Under the lock: the wallet that the contributor has now is paid the reward that the bounty has now.
        const { review, reward_amount } = await move(trx, edges.approve, { ...asked, ...brought })
        const { net: amount, fee } = splitReward(reward_amount, config.PLATFORM_FEE_BPS)
        const to = review?.wallet_address as Address
        const backing = await requireBacking(
          trx,
          config,
          { founderId, projectId: bounty.project_id, submissionId, amount, acceptedBy },
          buyers,
        )
        await requestPayout(trx, chain.require(), { ...payout, amount, fee, to, backing })
        if (attachedRequest) await attached.attach(trx, submissionId, attachedRequest)
        await alongside?.(trx)
      }).catch(async (error) => {
        // The commit may have happened although its confirmation was lost. Then nobody waits for the payout.
        if (attachedRequest) await attached.leave(submissionId, attachedRequest).catch(() => undefined)
        throw error
      })
      emitStep('intent stored', submissionId)
    },
    ensureNothingPays: (submission) => ensureNothingPays(options, submission),
  }
}

/**
 * Stores a payout in the caller's transaction, which has moved the submission to `approving`. After the commit any process
 * carries it out.
 */
export async function requestPayout(trx: Database, chain: Chain, payout: PayoutRequest): Promise<void> {
  await storePayout(trx, await termsOf(trx, chain, payout), payout)
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
  if (request.dollars !== undefined && request.dollars !== signed.dollars)
    throw new ServiceError(
      'approval_in_progress',
      'An earlier payment with what was locked in dollars then may still be made. Approve again when it is final that it was not.',
    )
  if (!isAddressEqual(signed.to, wanted.to))
    throw new ServiceError(
      'approval_in_progress',
      `An earlier payment to the wallet ${signed.to}, which the contributor had then, may still be made. ` +
        'Approve again when it is final that it was not: the new wallet is paid then.',
    )
  return signed
}

function newTerms(chain: Chain, { bountyId, headSha: _, backing: __, ...request }: PayoutRequest): Terms {
  return {
    platformWallet: chain.platformWallet,
    ...noDollars,
    ...request,
    payoutId: payoutIdOf(chain.id, bountyId),
    chainId: chain.id,
    from: chainAddress(request.from),
    to: chainAddress(request.to),
  }
}
