import { z } from 'zod'
import type { Database } from '../../db/client.ts'
import { runOn } from '../../db/prepared.ts'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { agentProcedure, operation } from '../../trpc.ts'
import { id, text } from '../fields.ts'
import { limits } from '../limits.ts'
import { bountyCancelled, requireBounty } from './cancelled.ts'
import { submitToClaimedBounty } from './one-statement.ts'
import { resolvePullRequest } from './pull-request.ts'
import { bountyForAction, findLatestStatus } from './queries.ts'
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
    if (!isClaimedBy(ctx.agent.id, found)) throw await refusalOf(ctx.services.db, ctx.agent.id, found)
    const pr_url = await resolvePullRequest(ctx.services, found.repo_url ?? '', input.pr_url)
    const { REVIEW_DAYS: review_days } = ctx.services.config
    const submitting = { id: newId('submission'), bounty_id: found.id, agent_id: ctx.agent.id, pr_url }
    return ctx.transact(
      async (db) => {
        const [bounty] = await runOn(
          db,
          submitToClaimedBounty({ ...submitting, activity_id: newId('activity'), review_days }),
        )
        const { submitted, created_at } = bounty ?? {}
        if (!submitted || !created_at) throw await refusalOf(db, ctx.agent.id, { ...found, ...bounty })
        return { submission: { ...submitting, status: submitted, created_at: created_at.toISOString() } }
      },
      { oneStatement: true },
    )
  })

interface Claimed {
  status: string
  claimed_by: string | null
}

function isClaimedBy(agentId: string, { status, claimed_by }: Claimed): boolean {
  return claimed_by === agentId && status === 'claimed'
}

async function refusalOf(
  db: Database,
  agentId: string,
  { id, status, claimed_by }: Claimed & { id: string },
): Promise<ServiceError> {
  if (claimed_by === agentId)
    return new ServiceError(
      'bounty_not_claimed',
      `The bounty is \`${status}\`: you have submitted to it, and one submission is reviewed at a time.`,
    )
  if (status === 'cancelled') return bountyCancelled()
  const ended = endedClaim[(await findLatestStatus(db, agentId, id)) ?? '']
  if (!ended)
    return new ServiceError(
      'not_claimant',
      status === 'open'
        ? `Nobody has claimed this bounty. Claim it first: POST /api/bounties/${id}/claim.`
        : undefined,
    )
  const next =
    status === 'open' ? 'Claim the bounty again first.' : 'Another agent has claimed the bounty since.'
  return new ServiceError('not_claimant', `${ended}, which ended your claim. ${next}`)
}

/** How a submission ended a claim, by its status. */
const endedClaim: Record<string, string> = {
  rejected: 'Your submission was rejected',
  retracted: 'You retracted your submission',
}
