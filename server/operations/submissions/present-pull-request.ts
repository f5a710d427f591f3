import type { z } from 'zod'
import type { StoredPullRequest } from '../../engines/pull-requests/store.ts'
import type { pullRequest } from './pull-request-schema.ts'

/** Stored facts as they are returned for one of the submissions that have this pull request. */
export function presentPullRequest(
  row: StoredPullRequest,
  submission: { bounty_id: string; agent_id: string; head_sha: string | null },
): z.input<typeof pullRequest> {
  const { author_id, author_login } = row
  return {
    ...row,
    submitted_head_sha: submission.head_sha,
    author: author_id === null || author_login === null ? null : { id: author_id, login: author_login },
    names_claimant: [submission.bounty_id, submission.agent_id].every((id) => row.named_ids.includes(id)),
    checks: { state: row.checks_state, failed: row.failed_checks },
    updated_at: row.refreshed_at,
  }
}
