import type { Caller } from '../../auth/api-keys.ts'
import type { Context } from '../../context.ts'
import type { Database } from '../../db/client.ts'
import { claimHours } from '../../lifecycle/deadlines.ts'
import type { Edge } from '../../lifecycle/edges.ts'
import { type Brought, move } from '../../lifecycle/move.ts'
import { roleRefusal } from '../../lifecycle/roles.ts'
import { type Asked, readSituation } from '../../lifecycle/situation.ts'

/** A review that is to end without a payment. */
export interface Ending extends Asked, Pick<Brought, 'data'> {
  review_notes: string | null
}

/**
 * Ends a review without a payment: rejecting, requesting changes and retracting are this function. It asks the gate whether
 * the submission may still be paid, which only the chain knows, and then moves the bounty in a transaction.
 * @param respond makes the whole response body from the id of the submission
 * @throws ServiceError as {@link prepareEnding} and `move`
 */
export async function endReview<Response>(
  ctx: Context & { agent: Caller },
  edge: Edge,
  ending: Ending,
  respond: (submissionId: string) => Response,
): Promise<Response> {
  const end = await prepareEnding(ctx, edge, { ...ending, caller: ctx.agent.id })
  return ctx.transact(async (trx) => respond(await end(trx)))
}

/**
 * Passes the gate for a submission that is to end without a payment.
 * @returns what ends it in a transaction, and returns its id
 * @throws ServiceError `bounty_not_found`, that of the edge's role, `approval_in_progress`, `chain_unreachable`,
 * `chain_not_configured`
 */
export async function prepareEnding(
  { services: { config, db, payouts } }: Context,
  edge: Edge,
  { review_notes, data, ...asked }: Ending,
): Promise<(trx: Database) => Promise<string>> {
  const situation = await readSituation(db, asked)
  const refusal = await roleRefusal(edge.by, situation, db)
  if (refusal) throw refusal
  const { review } = situation
  const isMeant = review && review.id === (asked.submission ?? review.id)
  const unpaid = isMeant
    ? await payouts.ensureNothingPays({ submissionId: review.id, bountyId: asked.id })
    : undefined
  return async (trx) => {
    const hours = claimHours(config)
    const { submission } = await move(trx, edge, { ...asked, hours }, { unpaid, review_notes, data })
    return submission.id
  }
}
