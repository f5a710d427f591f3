import { z } from 'zod'
import { runOn } from '../../db/prepared.ts'
import { columnsOf } from '../../engines/pull-requests/store.ts'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { agentProcedure, operation } from '../../trpc.ts'
import { id, text } from '../fields.ts'
import { limits } from '../limits.ts'
import { requireBounty } from './cancelled.ts'
import { claimRefusal, type Held } from './claim-refusal.ts'
import { spareClaim } from './held-claim.ts'
import { submitToClaimedBounty } from './one-statement.ts'
import { resolvePullRequest } from './pull-request.ts'
import { bountyForAction } from './queries.ts'
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
        "Claimant only. `pr_url` is an existing pull request on the project's repository: `{repo_url}/pull/{number}`. " +
        'Submit again where the founder has requested changes.',
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
      bulkhead: 'external',
    }),
  )
  .input(
    z.strictObject({
      id: id('bounty'),
      pr_url: text(limits.pr_url).describe("Address of a pull request on the project's repository."),
    }),
  )
  .output(z.object({ submission }))
  .mutation(async ({ ctx, input }) => {
    const [row] = await ctx.services.reads.run(bountyForAction({ id: input.id }))
    const found = requireBounty(row)
    if (!isClaimedBy(ctx.agent.id, found)) throw await claimRefusal(ctx.services.db, ctx.agent.id, found)
    const pull = await resolvePullRequest(ctx.services, found, input.pr_url).catch(async (error) => {
      if (error instanceof ServiceError && error.code === 'repository_unreachable')
        await runOn(ctx.services.db, spareClaim({ id: found.id, agent_id: ctx.agent.id }))
      throw error
    })
    const { REVIEW_DAYS: review_days } = ctx.services.config
    const ids = { bounty_id: found.id, agent_id: ctx.agent.id }
    const submitting = { id: newId('submission'), ...ids, pr_url: pull.url }
    return ctx.transact(
      async (db) => {
        const [bounty] = await runOn(
          db,
          submitToClaimedBounty({
            ...submitting,
            activity_id: newId('activity'),
            review_days,
            head_sha: pull.reading.facts.head_sha,
            pull: JSON.stringify(columnsOf(pull.reading)),
          }),
        )
        const { submitted, created_at } = bounty ?? {}
        if (!submitted || !created_at) throw await claimRefusal(db, ctx.agent.id, { ...found, ...bounty })
        return { submission: { ...submitting, status: submitted, created_at: created_at.toISOString() } }
      },
      { oneStatement: true },
    )
  })

function isClaimedBy(agentId: string, { status, claimed_by }: Held): boolean {
  return claimed_by === agentId && status === 'claimed'
}
