import type { Caller } from '../../auth/api-keys.ts'
import { isDeleted } from '../../code/pull-requests/deliveries.ts'
import type { Context } from '../../context.ts'
import { isNotMerged } from '../../lifecycle/conditions.ts'
import { claimHours } from '../../lifecycle/deadlines.ts'
import type { Edge } from '../../lifecycle/edges.ts'
import { type MoveRequest, move } from '../../lifecycle/move.ts'
import { roleRefusal } from '../../lifecycle/roles.ts'
import { readSituation, type Situation } from '../../lifecycle/situation.ts'
import type { Services } from '../../services.ts'
import { lookFirst, onCodeHost } from '../on-code-host.ts'
import { requireUnmerged } from './require-unmerged.ts'
import { orPostponeReview } from './seen-work.ts'

/** A review that is to end without a payment. */
export interface Ending extends Pick<MoveRequest, 'id' | 'submission' | 'reason' | 'bar'> {
  review_notes: string | null
}

/**
 * Ends a review without a payment: rejecting, requesting changes and retracting are this function. It asks the gate whether
 * the submission may still be paid, which only the chain knows, and then moves the bounty in a transaction. Before an edge that a merge
 * forbids, the code host is read. While it or the chain is away, neither a window of silence nor the time for the review ends within an hour.
 * @param respond makes the whole response body from the id of the submission
 * @throws ServiceError `bounty_not_found`, that of the edge's role, `repository_unreachable`, `repositories_not_configured`,
 * `approval_in_progress`, `pull_request_merged`, `chain_unreachable`, `chain_not_configured`, and as `move`
 */
export async function endReview<Response>(
  ctx: Context & { agent: Caller },
  edge: Edge,
  { review_notes, reason, bar, ...ending }: Ending,
  respond: (submissionId: string) => Response,
): Promise<Response> {
  const began = new Date()
  const { services, agent } = ctx
  const { config, db, payouts } = services
  const asked = { ...ending, caller: agent.id }
  const situation = await readSituation(db, asked)
  const refusal = await roleRefusal(edge.by, situation, db)
  if (refusal) throw refusal
  const { review } = situation
  const isMeant = review && review.id === (asked.submission ?? review.id)
  const isNo = edge.if?.includes(isNotMerged)
  const check = async () => {
    if (!isMeant) return undefined
    const nothing = await payouts.ensureNothingPays({ submissionId: review.id, bountyId: asked.id })
    // Last, so that little time is left for a merge that nobody sees.
    if (review.status === 'pending' && isNo) await readFirst(services, agent.id, situation, review.pr_url)
    return nothing
  }
  const unpaid = await (isMeant && isNo ? orPostponeReview(ctx, review.id, began, check()) : check())
  return ctx.transact(async (trx) => {
    const hours = claimHours(config)
    const brought = { hours, unpaid, review_notes, reason, bar }
    const { submission } = await move(trx, edge, { ...asked, ...brought })
    return respond(submission.id)
  })
}

/** Reads what a merge of the work may have changed. A repository that is gone for good leaves what was known of it. */
async function readFirst(
  services: Pick<Services, 'db' | 'repositories' | 'pullRequests'>,
  agentId: string,
  situation: Situation,
  url: string,
): Promise<void> {
  const { db, repositories } = services
  const { project_id: projectId, repository_id: repositoryId } = situation
  const repoUrl = situation.repo_url ?? ''
  if (repositories && (await onCodeHost(() => isDeleted(db, repositories, { repoUrl, repositoryId })))) return
  await requireUnmerged(services, agentId, situation)
  await lookFirst(services, agentId, { url, projectId, repoUrl })
}
