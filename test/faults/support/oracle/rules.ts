import type { RuledSubmission } from '../fixture.ts'
import { approvalsOf } from './history.ts'
import type { PaymentEvidence } from './payments.ts'

/*
 * When the silence of a founder may have paid, by what the code host has shown at every moment. Its pull requests never leave the paths
 * of the rule.
 */

/** How long the window of every rule is, in ms. */
export const windowMs = 1000

/** A payment begins at most so long after the last reading, in ms, also where its process was stopped between. */
const mostAfterReadingMs = 10_000

/** A status of the check. */
export interface ShownStatus {
  id: number
  sha: string
  /** Id of the account that has posted it. */
  by: number
  state: 'success' | 'failure' | 'pending'
}

/** What the code host shows of a pull request from a moment on. */
export interface Shown {
  /** In ms since 1970. */
  since: number
  sha: string
  /** Oldest first. */
  statuses: readonly ShownStatus[]
  /** How often it was closed and opened again. */
  closings: number
}

/** What payments by rules are checked against. */
export interface RuleEvidence extends PaymentEvidence {
  /** Everything that the code host has shown of each pull request in turn. */
  shownOf(work: RuledSubmission): readonly Shown[]
  /** When the database fell back, in ms since 1970; every window began anew then. */
  fellBackAt: number | undefined
}

/** A time in which the same run was green on the same commit; `until` is infinite while it is. */
interface Stretch {
  sha: string
  since: number
  until: number
}

/** Paid by the rule, and only after the whole window of green on the very commit that is paid. */
export async function wrongRules(evidence: RuleEvidence): Promise<string[]> {
  const [rows, approvals] = await Promise.all([readRows(evidence), approvalsOf(evidence.db)])
  return evidence.fixture.ruled.flatMap((work) => {
    const row = rows.find(({ id }) => id === work.id)
    const isAccepted = row?.status === 'approving' || row?.status === 'approved'
    // A payment that the database has lost is found on the chain, and nothing accepts it then.
    if (!isAccepted || (row.accepted_by === null && evidence.fellBack)) return []
    if (row.accepted_by !== 'rule') return [`${work.id} was accepted by ${row.accepted_by}`]
    const stored = approvals.get(work.id)?.stored.getTime() ?? 0
    const isEarned = stretchesOf(evidence, work).some(({ sha, since, until }) => {
      const over = Math.max(since, evidence.fellBackAt ?? 0) + windowMs
      return sha === row.head_sha && over <= until && over <= stored && stored <= until + mostAfterReadingMs
    })
    const shown = JSON.stringify(evidence.shownOf(work))
    return isEarned
      ? []
      : [`${work.id} was paid by its rule at ${stored} for ${row.head_sha}, and the host has shown ${shown}`]
  })
}

/** What is green to the end, and not paid. */
export async function unpaidByRule(evidence: RuleEvidence): Promise<string[]> {
  const rows = await readRows(evidence)
  return rows
    .filter(({ status }) => status === 'pending')
    .filter(({ id }) => {
      const work = evidence.fixture.ruled.find((one) => one.id === id)!
      return stretchesOf(evidence, work).at(-1)?.until === Number.POSITIVE_INFINITY
    })
    .map((row) => `its rule has not paid what is green: ${JSON.stringify(row)}`)
}

function readRows({ db, fixture }: RuleEvidence) {
  return db
    .selectFrom('submissions')
    .leftJoin('payouts', 'payouts.submission_id', 'submissions.id')
    .innerJoin('pull_requests', 'url', 'pr_url')
    .select(['submissions.id', 'submissions.status', 'accepted_by', 'payouts.head_sha'])
    .select(['accepts_at', 'acceptance_seen', 'acceptance_blocked', 'acceptance_due_at'])
    .where(
      'submissions.id',
      'in',
      fixture.ruled.map(({ id }) => id),
    )
    .execute()
}

function stretchesOf({ shownOf }: Pick<RuleEvidence, 'shownOf'>, work: RuledSubmission): Stretch[] {
  const stretches: (Stretch & { run: string })[] = []
  for (const { since, sha, statuses, closings } of shownOf(work)) {
    const newest = statuses.filter((one) => one.sha === sha && one.by === work.poster).at(-1)
    const run = `${newest?.id} ${closings}`
    const last = stretches.at(-1)
    const isOpen = last?.until === Number.POSITIVE_INFINITY
    if (isOpen && last.sha === sha && last.run === run) continue
    if (isOpen) last.until = since
    if (newest?.state === 'success') stretches.push({ sha, run, since, until: Number.POSITIVE_INFINITY })
  }
  return stretches
}
