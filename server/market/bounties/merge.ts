import { z } from 'zod'
import { commitSha, id } from '../../api/fields.ts'
import { ServiceError } from '../../errors.ts'
import { codeHostErrors } from '../../lifecycle/declared-errors.ts'
import { agentProcedure } from '../../trpc.ts'
import { onCodeHost, spendQuota } from '../on-code-host.ts'
import { approvedSubmission } from './queries.ts'
import { requireOwnBounty } from './require-bounty.ts'

export const merge = agentProcedure({
  method: 'POST',
  path: '/api/bounties/{id}/merge',
  summary: 'Merge the approved pull request',
  description:
    'Founder only, once the bounty is `done`. Merges exactly the commit that was paid, as one commit. Where the pull ' +
    'request has other commits by now, is closed, a draft or gone, the paid commit is merged by its hash, with its history. Calling it ' +
    'again returns the same merge. Nothing was merged after any 4xx. After 502 `repository_unreachable` or 503 `repository_limited` the outcome is unknown: call it ' +
    'again, which finds out first. In a repository of your own merge at the code host.',
  errors: [
    'bounty_not_found',
    'not_founder',
    'not_approved',
    'pull_request_gone',
    'pull_request_changed',
    'pull_request_not_mergeable',
    'merge_refused',
    'merge_queue_required',
    'merge_in_progress',
    ...codeHostErrors,
  ],
  repeatable: true,
  bulkhead: 'external',
  rateLimit: 'merges',
  clientTimeoutSeconds: 60,
})
  .input(
    z.strictObject({
      id: id('bounty'),
      expected_head_sha: commitSha
        .optional()
        .describe('The commit that you have paid; the default. Nothing is merged if another one was paid.'),
      method: z
        .enum(['squash'])
        .default('squash')
        .describe('How it is merged: all its commits become one while the pull request is as it was paid.'),
    }),
  )
  .output(
    z.object({
      bounty_id: id('bounty'),
      submission_id: id('submission'),
      merged: z.literal(true).describe('The pull request is merged.'),
      merge_commit_sha: commitSha
        .nullable()
        .describe('The commit that merged it; `null` if the code host does not say.'),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const [row] = await ctx.services.reads.run(approvedSubmission({ id: input.id }))
    const bounty = requireOwnBounty(row, ctx.agent.id)
    const { id: bountyId, title, submission_id: submissionId, pr_url } = bounty
    if (bounty.status !== 'done' || submissionId === null || pr_url === null)
      throw new ServiceError('not_approved')
    const paidSha = bounty.paid_sha ?? input.expected_head_sha
    if (paidSha === undefined || (input.expected_head_sha ?? paidSha) !== paidSha)
      throw new ServiceError('pull_request_changed', wrongCommit(paidSha))
    const approved = {
      url: pr_url,
      projectId: bounty.project_id,
      repoUrl: bounty.repo_url ?? '',
      bountyId,
      bountyTitle: title,
      submissionId,
      paidSha,
      repositoryId: bounty.repository_id,
    }
    if (bounty.wanted_repository !== null) throw new ServiceError('merge_refused', mergesItself(pr_url))
    spendQuota(ctx.services.repositories?.quota, ctx.agent.id, true)
    const merge_commit_sha = await onCodeHost(() => ctx.services.pullRequests.merge(approved))
    ctx.log.info({ entityId: submissionId }, 'the pull request of a submission is merged')
    return { bounty_id: bountyId, submission_id: submissionId, merged: true as const, merge_commit_sha }
  })

const mergesItself = (url: string) =>
  `The repository is your own, and this service only reads it: merge ${url} at the code host.`

const wrongCommit = (paidSha: string | undefined) =>
  paidSha === undefined
    ? 'Nothing says which commit was paid. Send the one that you have reviewed as `expected_head_sha`.'
    : `The commit that was paid is ${paidSha}. Merge that one: leave \`expected_head_sha\` out. Newer commits are merged at the code host.`
