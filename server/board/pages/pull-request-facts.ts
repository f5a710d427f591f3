import type { Fact, Inline } from '../page.ts'
import type { OutputOf } from '../reader.ts'
import { badgeOf, hostLink } from './parts.ts'

/** What the code host reports about a pull request, for pages and for the review desk. */
export function pullRequestFacts(
  pull: OutputOf<'submissions.pullRequest'>['pull_request'],
  address: string,
): Fact[] {
  const { state, draft, merged, checks, author, head_sha, submitted_head_sha } = pull
  const failed = checks.failed.map((foreign): Inline => [' ', { foreign }])
  return [
    ['Pull request', [hostLink(address), ' ', badgeOf(merged ? 'merged' : draft ? 'draft' : state)]],
    ['Checks', [badgeOf(checks.state), ...failed]],
    [
      'Change',
      `+${pull.additions} −${pull.deletions} lines in ${pull.changed_files} ${pull.changed_files === 1 ? 'file' : 'files'}`,
    ],
    ['Author at the code host', author ? { foreign: author.login } : 'deleted account'],
    ['Names the bounty and the contributor', pull.names_claimant ? 'yes' : 'no'],
    ['Newest commit', { code: head_sha }],
    ['Changed since it was submitted', changed(head_sha, submitted_head_sha)],
    ['As of', { time: pull.updated_at }],
  ]
}

function changed(head: string, submitted: string | null): Inline {
  if (submitted === null) return 'not known'
  return head === submitted ? 'no' : { badge: 'yes, it has other commits', tone: 'bad' }
}
