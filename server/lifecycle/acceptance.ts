import type { Reason } from '../events/acceptance-reasons.ts'
import { isAllowed } from './pull-requests/allowed-paths.ts'
import type { PullRequestFacts } from './pull-requests/pull-request-facts.ts'

/** The founder approves, merges at the code host, or has set a rule by which its silence accepts. */
export type AcceptedBy = 'founder' | 'merge' | 'rule'

/** Who posts a check: an app a check run, or an account a status. Names change, ids do not. */
export type Poster = {
  kind: 'app' | 'account'
  id: number
  name: string
}

/** What a bounty stores of its rule: when the founder's silence for so many hours accepts a commit. */
export type AcceptanceRule = {
  checks: { name: string; posted_by: Poster }[]
  allowed_paths: string[]
  hours: number
}

/** What the newest runs of a check say of a commit. `failure` is everything that has ended without success, such as `skipped`. */
export const checkStates = ['success', 'pending', 'failure', 'missing'] as const
export type CheckState = (typeof checkStates)[number]

/** Most files that a pull request may change. A code host lists no more of a comparison. */
export const mostFiles = 300

/** Everything that decides, read for one commit. */
export interface AcceptanceFacts {
  pull: PullRequestFacts
  /** Whether its base was another branch when its checks began: a run from there says nothing of this one. */
  wasMoved: boolean
  /** Whether its branch names the contributor and the bounty. */
  isContributors: boolean
  /** Whether the commit was paid already, or came back from a review of the bounty. */
  isOld: boolean
  /** Every path that differs, and the earlier ones of those that were renamed. */
  paths: readonly string[]
  /** Those of the rule, in its order. */
  checks: readonly CheckState[]
}

interface Row {
  reason: Reason
  applies(facts: AcceptanceFacts, rule: AcceptanceRule): boolean
}

/** Why silence does not pay: the first row that applies. Where none does, the rule holds for the newest commit. */
export const ruleRows: readonly Row[] = [
  { reason: 'closed', applies: ({ pull }) => pull.state !== 'open' },
  { reason: 'draft', applies: ({ pull }) => pull.draft },
  { reason: 'conflict', applies: ({ pull }) => pull.mergeable !== true },
  { reason: 'other_base', applies: ({ pull, wasMoved }) => !pull.into_default || wasMoved },
  { reason: 'not_contributors', applies: ({ isContributors }) => !isContributors },
  { reason: 'old_commit', applies: ({ isOld }) => isOld },
  {
    reason: 'wrong_size',
    applies: ({ pull, paths }) => paths.length === 0 || pull.changed_files > mostFiles,
  },
  {
    reason: 'path_not_allowed',
    applies: ({ paths }, { allowed_paths }) => paths.some((path) => !isAllowed(path, allowed_paths)),
  },
  {
    reason: 'check_by_author',
    applies: ({ pull: { author_id, fork_owner_id } }, { checks }) =>
      checks.some(
        ({ posted_by: { kind, id } }) => kind === 'account' && (id === author_id || id === fork_owner_id),
      ),
  },
  { reason: 'check_failed', applies: ({ checks }) => checks.includes('failure') },
  { reason: 'check_pending', applies: ({ checks }) => checks.includes('pending') },
  {
    reason: 'checks_not_run',
    applies: ({ checks }, rule) =>
      checks.length === 0 || checks.length !== rule.checks.length || checks.includes('missing'),
  },
]

/** Whether the founder's silence accepts the newest commit. */
export function applyRule(
  rule: AcceptanceRule,
  facts: AcceptanceFacts,
): { holds: true; head: string } | { holds: false; reason: Reason } {
  const against = ruleRows.find(({ applies }) => applies(facts, rule))
  return against ? { holds: false, reason: against.reason } : { holds: true, head: facts.pull.head_sha }
}

/** What the last look at a submission has found. */
export type Seen = {
  state: 'waiting' | 'running' | 'stopped'
  /** Null while the window runs. */
  reason: Reason | null
  head_sha: string
  checks: CheckState[]
  /** What makes it the same runs as before. */
  mark: string
  /** The newest event at the host by which the pull request was something else for a while. */
  passed: number | null
  /** Since when the reason stands, and whether both sides know that no check has run. */
  since: string
  isSaid: boolean
  /** Whether a check on the same commit has ever ended a window, by failing or by running again. */
  isHeldUp: boolean
}
