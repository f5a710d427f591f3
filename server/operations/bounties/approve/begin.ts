import type { Address } from 'viem'
import { payoutIdOf, splitReward } from '../../../chain/units.ts'
import type { Context } from '../../../context.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { PayoutRequest } from '../../../engines/payouts/engine.ts'
import { findSubmissionToPay, lockBounty, startApproval } from '../../../engines/payouts/review.ts'
import { ServiceError } from '../../../errors.ts'
import { ensureFunds, fundsOf, payable } from './checks.ts'
import type { BountyToApprove } from './queries.ts'

/**
 * Checks that the bounty's submission can be paid now and stores the intent, or joins the payout that is running.
 * Returns the submission's id; the caller is then the one request that is served for it.
 */
export async function beginApproval(
  ctx: Context,
  bounty: BountyToApprove,
  reviewNotes: string | null,
  waiter: string,
): Promise<string> {
  const { db, payouts } = ctx.services
  const submissionId = bounty.submission_id
  if (submissionId === null) throw new ServiceError('no_pending_submission')
  if (bounty.submission_status === 'approving') {
    if (!ctx.services.config.PAYOUTS_ENABLED)
      throw new ServiceError(
        'payouts_disabled',
        'The operator has switched payouts off. This one was stored before; if it was sent, it may still be made. ' +
          'Approve again later to join it.',
      )
    // Remembered first: a request that is repeated after a crash finds what it was about to join.
    await ctx.idempotent?.remember(db, { submission_id: submissionId })
    if (!(await payouts.join(submissionId, waiter))) throw new ServiceError('approval_in_progress')
    tell(ctx, bounty.id, submissionId, 'an approval joins the payout that is running')
    return submissionId
  }
  const { token, from } = fundsOf(bounty)
  const to = payable(bounty.wallet_address, from)
  await ensureFunds(ctx, bounty, token, from)
  const { net, fee } = splitReward(bounty.reward_amount, ctx.services.config.PLATFORM_FEE_BPS)
  const payout = { bountyId: bounty.id, submissionId, token, from, to, amount: net, fee }
  const isFirst = bounty.payout_status === null
  const begun = (isFirst ? beginFirst : beginAgain)(ctx, bounty, payout, reviewNotes, waiter)
  await begun.catch(async (error) => {
    // A commit whose answer was lost has happened all the same; nobody is waiting then.
    await payouts.leave(submissionId, waiter).catch(() => undefined)
    throw error
  })
  tell(ctx, bounty.id, submissionId, 'an approval is stored; its payout begins')
  return submissionId
}

/**
 * Nothing of the submission was ever stored to be paid. The key is told before what it leads to: a request that is
 * repeated finds either nothing there, and begins, or the payout.
 */
async function beginFirst(
  ctx: Context,
  bounty: BountyToApprove,
  payout: PayoutRequest,
  reviewNotes: string | null,
  waiter: string,
): Promise<void> {
  const { db, payouts } = ctx.services
  await ctx.idempotent?.remember(db, { submission_id: payout.submissionId })
  const onlyIf = ctx.idempotent?.stillHeld
  const begun = await payouts.begin(payout, { reviewNotes, onlyIf }, waiter)
  if (!begun) await beginAgain(ctx, bounty, payout, reviewNotes, waiter)
}

/** Takes the locks first and then looks at everything again. */
function beginAgain(
  ctx: Context,
  bounty: BountyToApprove,
  payout: PayoutRequest,
  reviewNotes: string | null,
  waiter: string,
): Promise<void> {
  const { db, payouts } = ctx.services
  const { submissionId, from } = payout
  return inTransaction(db, async (trx) => {
    await lockBounty(trx, bounty.id)
    const now = await findSubmissionToPay(trx, bounty.id)
    if (now?.id !== submissionId || now.status !== 'pending') throw new ServiceError('approval_in_progress')
    // Read again under the lock: the wallet that is stored with the payout is the one that is paid.
    const to = payable(now.wallet_address, from as Address)
    await startApproval(trx, submissionId, reviewNotes)
    await payouts.request(trx, { ...payout, to }, waiter)
    await ctx.idempotent?.remember(trx, { submission_id: submissionId })
  })
}

/** The line that ties the request to everything that is logged of the payout. */
function tell({ log, services }: Context, bountyId: string, submissionId: string, what: string): void {
  const { chain } = services.chain
  log.info({ entityId: submissionId, ...(chain && { payout_id: payoutIdOf(chain.id, bountyId) }) }, what)
}
