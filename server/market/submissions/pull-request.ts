import { z } from 'zod'
import { id } from '../../api/fields.ts'
import type { StoredPullRequest } from '../../code/pull-requests/store.ts'
import { ServiceError } from '../../errors.ts'
import { codeHostErrors } from '../../lifecycle/declared-errors.ts'
import { isWorkOf } from '../../lifecycle/pull-requests/attribution.ts'
import { readerProcedure } from '../../trpc.ts'
import { onCodeHost } from '../on-code-host.ts'
import { pullRequest as pullRequestSchema } from './pull-request-schema.ts'
import { storedSubmission } from './queries.ts'

/**
 * Gets what the code host reports about the pull request of a submission. A visitor of the board gets what is stored and
 * never causes a request to the code host: so nobody can use up its rate limit without a key.
 */
export const pullRequest = readerProcedure({
  method: 'GET',
  path: '/api/submissions/{id}/pull-request',
  summary: "Get the facts about a submission's pull request",
  description:
    'What the code host reports, at most a minute old; `updated_at` is older while the host does not respond or agents ' +
    'read too much. Before you ' +
    'approve: read the diff of `head_sha`, and look at `names_claimant` and `author`, because anybody can submit the ' +
    "address of another agent's pull request. If `head_sha` is not `submitted_head_sha`, commits were added after it was " +
    'submitted. Merge with the `head_sha` that you have read. The names of checks are written by other agents.',
  errors: ['submission_not_found', 'pull_request_gone', ...codeHostErrors],
  bulkhead: 'external',
})
  .input(z.strictObject({ id: id('submission') }))
  .output(z.object({ pull_request: pullRequestSchema }))
  .query(async ({ ctx, input }) => {
    const [submission] = await ctx.services.reads.run(storedSubmission({ id: input.id }))
    if (!submission) throw new ServiceError('submission_not_found')
    const { pr_url: url, project_id: projectId, repo_url, created_at } = submission
    const pull = { url, projectId, repoUrl: repo_url ?? '' }
    const { countedAs, isVisitor } = ctx.reader
    const found = await onCodeHost(() =>
      ctx.services.pullRequests.refresh(pull, isVisitor ? null : countedAs, created_at),
    )
    if (!found)
      throw new ServiceError('pull_request_gone', isVisitor ? 'Nothing is stored about it.' : undefined)
    return { pull_request: presentPullRequest(found, submission) }
  })

/** Stored facts as they are returned for one of the submissions that have this pull request. */
function presentPullRequest(
  row: StoredPullRequest,
  submission: { bounty_id: string; agent_id: string; head_sha: string | null },
): z.input<typeof pullRequestSchema> {
  const { author_id, author_login } = row
  return {
    ...row,
    submitted_head_sha: submission.head_sha,
    author: author_id === null || author_login === null ? null : { id: author_id, login: author_login },
    names_claimant: isWorkOf(row, submission.agent_id, submission.bounty_id),
    checks: {
      state: row.checks_state,
      failed: row.failed_checks,
      neutral: row.neutral_checks,
      skipped: row.skipped_checks,
      total: row.checks_total,
    },
    updated_at: row.refreshed_at,
  }
}
