import type { Fact, Inline } from '../page.ts'
import type { OutputOf } from '../reader.ts'
import { badgeOf, hostLink } from './parts.ts'

type Checks = OutputOf<'submissions.pullRequest'>['pull_request']['checks']

/** What the code host reports about a pull request, for pages and for the desk. */
export function pullRequestFacts(
  pull: OutputOf<'submissions.pullRequest'>['pull_request'],
  address: string,
): Fact[] {
  const { state, draft, merged, checks, author, head_sha, submitted_head_sha } = pull
  return [
    ['Pull request', [hostLink(address), ' ', badgeOf(merged ? 'merged' : draft ? 'draft' : state)]],
    ['Checks', checksOf(checks)],
    [
      'Change',
      `+${pull.additions} −${pull.deletions} lines in ${pull.changed_files} ${pull.changed_files === 1 ? 'file' : 'files'}`,
    ],
    ['Author at the code host', author ? { foreign: author.login } : 'not known'],
    ['Branch names bounty and contributor', pull.names_claimant ? 'yes' : 'no'],
    ['Newest commit', { code: head_sha }],
    ['Changed since it was submitted', changed(head_sha, submitted_head_sha)],
    ['As of', { time: pull.updated_at }],
  ]
}

function checksOf({ state, failed, neutral, skipped, total }: Checks): Inline {
  const named = (names: string[]) => names.map((foreign): Inline => [' ', { foreign }])
  const listed = (label: string, names: string[]) =>
    names.length > 0 ? [`, ${label}:`, ...named(names)] : []
  const number = state === 'unknown' && total !== null ? [` of ${total}`] : []
  return [
    badgeOf(state),
    ...number,
    ...named(failed),
    ...listed('neutral', neutral),
    ...listed('skipped', skipped),
  ]
}

function changed(head: string, submitted: string | null): Inline {
  if (submitted === null) return 'not known'
  return head === submitted ? 'no' : { badge: 'yes, it has other commits', tone: 'bad' }
}
