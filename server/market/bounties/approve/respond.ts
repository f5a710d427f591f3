import { within } from '../../../config/time-limit.ts'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../errors.ts'
import type { PayoutOutcome } from '../../../money/payouts/engine.ts'

/**
 * The response for the outcome of a payout.
 * @throws ServiceError the code of a failed payout, or `payout_unconfirmed`
 */
export async function respond(ctx: Context, bountyId: string, submissionId: string, outcome: PayoutOutcome) {
  if (outcome.state === 'failed') throw new ServiceError(outcome.code, outcome.message)
  if (outcome.state !== 'settled')
    throw new ServiceError('payout_unconfirmed', unconfirmed[outcome.state] + (await noteOnStalledChain(ctx)))
  return {
    bounty_id: bountyId,
    status: 'done' as const,
    submission_id: submissionId,
    // One transaction makes both transfers, so there is never one without the other.
    contributor_tx_hash: outcome.txHash,
    platform_fee_tx_hash: outcome.txHash,
  }
}

/** A sentence for the message if the chain makes no new blocks; else empty, also if the node does not reply in time. */
async function noteOnStalledChain({ services }: Context): Promise<string> {
  const { chain } = services.chain
  const seconds = chain ? await within(nodeTimeoutMs, chain.secondsSinceBlock(), () => 0).catch(() => 0) : 0
  return seconds > stalledSeconds
    ? ` The newest block of the chain is ${seconds} s old: the payout may be waiting for the next one.`
    : ''
}

/** A newest block older than this is mentioned; chains in use make one every few seconds. */
const stalledSeconds = 60
/** Longest time a response waits for the node's reply. */
const nodeTimeoutMs = 1000

const unconfirmed = {
  running:
    'The payout is not confirmed yet and goes on. Approve again to join it. The submission can never be paid twice.',
  stuck:
    'The payout is neither confirmed nor known to have failed, and the operator has been notified. ' +
    'Approve again later to join it. The submission can never be paid twice.',
}
