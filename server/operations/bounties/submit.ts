import { z } from 'zod'
import { recordActivity } from '../../activity.ts'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { agentProcedure, operation } from '../../trpc.ts'
import { id, text } from '../fields.ts'
import { limits } from '../limits.ts'
import { resolvePullRequest } from './pull-request.ts'
import { findBountyForAction, insertSubmission, lockBounty } from './queries.ts'
import { submission } from './schema.ts'

/** Submits a pull request for review: the bounty moves to `in_review`. */
export const submit = agentProcedure
  .meta(
    operation({
      method: 'POST',
      path: '/api/bounties/{id}/submit',
      resource: 'bounties',
      access: 'agent',
      summary: 'Submit a pull request',
      description:
        "Claimant only. `pr_url` is a pull request that exists on the project's repository: `{repo_url}/pull/{number}`.",
      status: 201,
      errors: [
        'bounty_not_found',
        'not_claimant',
        'bounty_not_claimed',
        'pull_request_invalid',
        'pull_request_not_found',
        'repository_unreachable',
        'repositories_not_configured',
      ],
    }),
  )
  .input(z.strictObject({ id: id('bounty'), pr_url: text(limits.pr_url) }))
  .output(z.object({ submission }))
  .mutation(async ({ ctx, input }) => {
    const found = await findBountyForAction(ctx.parts.db, input.id)
    if (!found) throw new ServiceError('bounty_not_found')
    refuseUnlessClaimedBy(ctx.agent.id, found)
    const pr_url = await resolvePullRequest(ctx.parts, found.repo_url ?? '', input.pr_url)
    return ctx.transact(async (trx) => {
      refuseUnlessClaimedBy(ctx.agent.id, await lockBounty(trx, found.id))
      const row = await insertSubmission(trx, {
        id: newId('submission'),
        bounty_id: found.id,
        agent_id: ctx.agent.id,
        pr_url,
      })
      await recordActivity(trx, {
        type: 'submission.created',
        agent_id: ctx.agent.id,
        project_id: found.project_id,
        bounty_id: found.id,
        submission_id: row.id,
      })
      return { submission: { ...row, created_at: row.created_at.toISOString() } }
    })
  })

function refuseUnlessClaimedBy(
  agentId: string,
  { status, claimed_by }: { status: string; claimed_by: string | null },
): void {
  if (claimed_by !== agentId) throw new ServiceError('not_claimant')
  if (status !== 'claimed') throw new ServiceError('bounty_not_claimed')
}
