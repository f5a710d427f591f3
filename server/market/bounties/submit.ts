import { sql } from 'kysely'
import { z } from 'zod'
import { id, text } from '../../api/fields.ts'
import { limits } from '../../api/limits.ts'
import { trackPullRequest } from '../../code/pull-requests/record.ts'
import type { Database } from '../../db/client.ts'
import { newId } from '../../ids.ts'
import { inDays } from '../../lifecycle/deadlines.ts'
import { codeHostErrors, errorsOf } from '../../lifecycle/declared-errors.ts'
import { edges } from '../../lifecycle/edges.ts'
import { move, refusalOf } from '../../lifecycle/move.ts'
import { branchFor } from '../../lifecycle/pull-requests/attribution.ts'
import { keepPulls, lookAtMerged } from '../../lifecycle/pull-requests/seen-pulls.ts'
import { readSituation } from '../../lifecycle/situation.ts'
import { agentProcedure } from '../../trpc.ts'
import { type ResolvedPullRequest, resolvePullRequest } from './pull-request.ts'
import { isTaken, pullRequestTaken } from './pull-request-taken.ts'
import { submission } from './schema.ts'
import { orPostpone } from './seen-work.ts'

export const submit = agentProcedure({
  method: 'POST',
  path: '/api/bounties/{id}/submit',
  summary: 'Submit a pull request',
  description:
    "Claimant only. `pr_url` is an existing pull request on the project's repository: `{repo_url}/pull/{number}`. " +
    'Where the founder has requested changes, submit again with a new commit. A pull request backs one submission at a time; it is paid ' +
    'once, and so is its newest commit. Its branch is to be named `{agent_id}/{bounty_id}`, which nobody can change afterwards: a branch of another ' +
    'agent or for another bounty is refused, and the merge of one that names nobody is no approval.',
  status: 201,
  errors: [
    ...errorsOf(edges.submit),
    'pull_request_invalid',
    'pull_request_taken',
    'pull_request_not_found',
    ...codeHostErrors,
  ],
  bulkhead: 'submissions',
})
  .input(
    z.strictObject({
      id: id('bounty'),
      pr_url: text(limits.pr_url).describe("Address of a pull request on the project's repository."),
    }),
  )
  .output(
    z.object({
      submission,
      warnings: z
        .array(z.string())
        .max(10)
        .optional()
        .describe('What may keep the founder from approving it.'),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { config, db } = ctx.services
    const asked = { id: input.id, caller: ctx.agent.id }
    const bounty = await readSituation(db, asked)
    const refusal = await refusalOf(db, edges.submit, bounty)
    if (refusal) throw refusal
    const reading = resolvePullRequest(ctx.services, bounty, ctx.agent.id, input.pr_url)
    const pull = await orPostpone(ctx, asked, reading)
    const ids = { bounty_id: bounty.id, agent_id: ctx.agent.id }
    const claim = { id: bounty.id, agentId: ctx.agent.id }
    const warnings = await submitWarnings(db, ids, pull)
    const { head_ref, head_sha } = pull.reading.facts
    const row = {
      id: newId('submission'),
      pr_url: pull.url,
      is_attributed: pull.isAttributed,
      merge_counts_from: pull.mergeCountsFrom,
      head_sha,
      review_due_at: inDays(config.REVIEW_DAYS),
    }
    const submitted = ctx.transact(async (trx) => {
      const brought = { stores: row, head: head_sha, is_accepted: pull.isAccepted }
      const { submission } = await move(trx, edges.submit, { ...asked, ...brought })
      await keepPulls(trx, claim, [{ number: pull.number, head_ref }])
      await lookAtMerged(trx, claim)
      await trackPullRequest(trx, { url: pull.url, projectId: bounty.project_id }, pull.reading)
      const stored = { ...submission, ...ids, pr_url: pull.url }
      return { submission: stored, ...(warnings.length > 0 && { warnings }) }
    })
    return submitted.catch(async (error: unknown) => {
      throw isTaken(error) ? await pullRequestTaken(db, pull.url) : error
    })
  })

const acceptedAlready =
  'Its code is merged. That counts as the approval: the payout begins by itself, as soon as the funds cover it, and nobody can reject the submission.'

/** What may keep the founder from approving a pull request that is about to be submitted. */
async function submitWarnings(
  db: Database,
  { bounty_id, agent_id }: { bounty_id: string; agent_id: string },
  { reading: { facts }, isAccepted, isAttributed }: ResolvedPullRequest,
): Promise<string[]> {
  if (isAccepted) return [acceptedAlready]
  const { draft, author_id, author_login } = facts
  const { rows } = await sql<{ is_unknown_author: boolean }>`select
    coalesce((select not bool_or(author_id = ${author_id}) from submissions join pull_requests on url = pr_url
      where agent_id = ${agent_id} and author_id is not null), false) as is_unknown_author`.execute(db)
  const [earlier] = rows
  return [
    facts.merged && 'Its code is merged, and the founder decides whether it is paid.',
    draft && 'The pull request is a draft. Mark it as ready at the code host, or it cannot be merged.',
    !isAttributed &&
      `Its branch is not named ${branchFor(agent_id, bounty_id)}, so founders cannot see whose work it is, and its merge is no approval. ` +
        'Push the work to a branch of that name and open another pull request.',
    earlier?.is_unknown_author &&
      `Its author, ${author_login ?? 'an unknown account'}, is the author of none of your earlier pull requests.`,
  ].filter((warning) => typeof warning === 'string')
}
