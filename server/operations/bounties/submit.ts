import { z } from 'zod'
import type { Database } from '../../db/client.ts'
import { runOn } from '../../db/prepared.ts'
import { columnsOf } from '../../engines/pull-requests/store.ts'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import type { Repositories } from '../../repositories/repositories.ts'
import { agentProcedure, operation } from '../../trpc.ts'
import { id, text } from '../fields.ts'
import { limits } from '../limits.ts'
import { requireBounty } from './cancelled.ts'
import { claimRefusal, type Held } from './claim-refusal.ts'
import { spareClaim } from './held-claim.ts'
import { submitToClaimedBounty } from './one-statement.ts'
import { resolvePullRequest } from './pull-request.ts'
import { isTaken, prepareGivingWay, pullRequestTaken } from './pull-request-taken.ts'
import { bountyForAction } from './queries.ts'
import { submission } from './schema.ts'
import { submitWarnings } from './submit-warnings.ts'

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
        'Submit again where the founder has requested changes. A pull request backs one submission at a time and is paid ' +
        'once. If its description names an agent or a bounty, only that agent can submit it, to that bounty: name both, or ' +
        'it gives way to an agent that it names later.',
      status: 201,
      errors: [
        'bounty_not_found',
        'not_claimant',
        'bounty_not_claimed',
        'pull_request_invalid',
        'pull_request_taken',
        'pull_request_not_found',
        'repository_unreachable',
        'repositories_not_configured',
        'chain_unreachable',
        'chain_not_configured',
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
  .output(
    z.object({
      submission,
      warnings: z.array(z.string()).optional().describe('What may keep the founder from approving it.'),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const [known] = await ctx.services.reads.run(bountyForAction({ id: input.id }))
    const found = requireBounty(known)
    if (!isClaimedBy(ctx.agent.id, found)) throw await claimRefusal(ctx.services.db, ctx.agent.id, found)
    const { db } = ctx.services
    const ids = { bounty_id: found.id, agent_id: ctx.agent.id }
    const pull = await resolvePullRequest(ctx.services, found, ctx.agent.id, input.pr_url).catch(
      async (error) => {
        if (isOfHost(error, ctx.services.repositories))
          await runOn(db, spareClaim({ id: found.id, agent_id: ctx.agent.id }))
        throw error
      },
    )
    const { facts } = pull.reading
    const warnings = await submitWarnings(db, ids, facts)
    const submitting = { id: newId('submission'), ...ids, pr_url: pull.url }
    const row = {
      ...{ ...submitting, head_sha: facts.head_sha, is_attributed: pull.isAttributed },
      pull: JSON.stringify(columnsOf(pull.reading)),
      review_days: ctx.services.config.REVIEW_DAYS,
    }
    const store = (first?: (trx: Database) => Promise<void>) =>
      ctx.transact(
        async (trx) => {
          await first?.(trx)
          const [bounty] = await runOn(trx, submitToClaimedBounty({ ...row, activity_id: newId('activity') }))
          const { submitted: status, created_at } = bounty ?? {}
          if (!status || !created_at) throw await claimRefusal(trx, ctx.agent.id, { ...found, ...bounty })
          const submission = { ...submitting, status, created_at: created_at.toISOString() }
          return { submission, ...(warnings.length > 0 && { warnings }) }
        },
        first ? undefined : { oneStatement: true },
      )
    return store().catch(async (error: unknown) => {
      if (!isTaken(error)) throw error
      return store(await prepareGivingWay(ctx, pull, ids)).catch(async (again: unknown) => {
        throw isTaken(again) ? await pullRequestTaken(db, pull.url) : again
      })
    })
  })

/** Whether the code host could not be read, or others have used up its quota. */
function isOfHost(error: unknown, repositories: Repositories | null): boolean {
  if (!(error instanceof ServiceError)) return false
  const isLow = repositories !== null && repositories.quota.pause() > 0
  return error.code === 'repository_unreachable' || (error.code === 'rate_limited' && isLow)
}

function isClaimedBy(agentId: string, { status, claimed_by }: Held): boolean {
  return claimed_by === agentId && status === 'claimed'
}
