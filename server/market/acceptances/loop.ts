import { sql } from 'kysely'
import type { Logger } from 'pino'
import { RepositoryError } from '../../code/host/error.ts'
import { readCurrent } from '../../code/pull-requests/reports.ts'
import type { Database } from '../../db/client.ts'
import { type ErrorCode, ServiceError } from '../../errors.ts'
import { acceptanceBlocks } from '../../events/acceptance-blocks.ts'
import { isFinal, type MergeFacts, mergeOf } from '../../lifecycle/pull-requests/attribution.ts'
import { askForWork } from '../../loops/look.ts'
import { createOutageReport } from '../../loops/outage-report.ts'
import { startRounds, type Worker } from '../../loops/rounds.ts'
import type { Timing } from '../../loops/timing.ts'
import type { PayoutEngine } from '../../money/payouts/engine.ts'
import { endWindow, lookByRule, type RuleOptions, requireOver } from './rule.ts'
import { forMerge, hasSeen, type TakeUpOptions, takeUpSeen } from './seen.ts'
import { type AcceptedWork, hasDueWork, leaseWork, readNow, storeBlock, trySoon } from './store.ts'

/** How many merges and windows one process looks at at once. */
const atOnce = 5

/** What the loop needs. */
export interface AcceptanceOptions extends TakeUpOptions, RuleOptions {
  payouts: Pick<PayoutEngine, 'begin'>
  log: Logger
  timing: Pick<Timing, 'restMs' | 'pullRequestsMs'>
  /** Called when a payout has begun. */
  onBegun(): void
}

/**
 * Starts the loop that takes merges for what they are: the founder's acceptance, which is paid as an approval; and its silence, where it has
 * set a rule. Any number of processes may run it: the work is leased, and a payout begins by the move of its locked bounty, which only one of
 * them makes.
 */
export function startAcceptances(options: AcceptanceOptions): Worker {
  const { db, log, repositories, timing } = options
  const outage = createOutageReport(log, {
    failing: 'what was accepted could not be paid; trying again with growing pauses',
    working: 'what was accepted is paid again',
  })

  async function acceptDue(): Promise<boolean> {
    const due = await leaseWork(db, atOnce)
    const accepting = due.map((work) => (work.merged ? acceptMerge : acceptSilence)(options, work))
    const results = await Promise.allSettled(accepting)
    for (const result of results) if (result.status === 'rejected') throw result.reason
    return due.length === atOnce
  }
  const work = async () => {
    const takingUp = takeUpSeen(options, atOnce)
    // What fails there keeps nothing else from being paid.
    await Promise.allSettled([takingUp])
    const hasDue = await acceptDue()
    return (await takingUp) || hasDue
  }

  return startRounds(
    async () => repositories.quota.pause(true) === 0 && (await outage.of(work())),
    timing.pullRequestsMs,
    askForWork(db, hasDue, timing.restMs),
  )
}

const hasDue = () => sql`${hasDueWork()} or ${hasSeen()}`

/** Begins the payout of merged work, or stores why it cannot be paid yet. */
async function acceptMerge(options: AcceptanceOptions, work: AcceptedWork): Promise<void> {
  const { db } = options
  // Who merged it and when stays. Its commit may be read only later.
  if (mergeOf({ ...work, merged_by_itself: true }, work) !== 'accepted') return withoutWindow(options, work)
  const confirmed = await readAgain(options, work)
  if (!confirmed) return
  // What the host has called merged stays so: what does not show it is older.
  if (!confirmed.merged) return isFinal(work) ? trySoon(db, work.url) : readNow(db, work.url)
  // When it was seen open last is stored, and who wrote and merged it, whose accounts the host may have hidden since.
  const stored = {
    merged_at: work.merged_at,
    merged_by_id: confirmed.merged_by_id ?? work.merged_by_id,
    author_id: confirmed.author_id ?? work.author_id,
    fork_owner_id: work.fork_owner_id ?? confirmed.fork_owner_id,
  }
  if (mergeOf({ ...confirmed, ...stored }, work) !== 'accepted') return withoutWindow(options, work)
  await begin(options, work, { acceptedBy: 'merge', headSha: confirmed.head_sha })
}

/** Begins the payout of work for which the founder's silence pays, if its time is over. */
async function acceptSilence(options: AcceptanceOptions, work: AcceptedWork): Promise<void> {
  const { rule } = work
  if (!rule) return
  const found = await orSoon(options, work, () => lookByRule(options, { ...work, rule }))
  if (found === 'merged') await readNow(options.db, work.url)
  else if (found) await begin(options, work, { acceptedBy: 'rule', headSha: found.pays })
}

async function withoutWindow(options: AcceptanceOptions, work: AcceptedWork): Promise<void> {
  const { rule } = work
  if (rule) await endWindow(options, { ...work, rule })
}

/** Begins a payout, or stores why that is not possible yet. */
async function begin(
  { db, log, payouts, onBegun }: AcceptanceOptions,
  work: AcceptedWork,
  { acceptedBy, headSha }: { acceptedBy: 'merge' | 'rule'; headSha: string },
): Promise<void> {
  const { bounty_id: bountyId, submission_id: submissionId, founder_id: founderId } = work
  try {
    await payouts.begin({ bountyId, submissionId, founderId, acceptedBy, headSha }, async (trx) => {
      await requireUnpaid(trx, work, headSha)
      if (acceptedBy === 'rule') await requireOver(trx, submissionId, headSha)
    })
    log.info({ entityId: submissionId, acceptedBy }, 'a submission is accepted; its payout begins')
    onBegun()
  } catch (error) {
    const block = acceptanceBlocks.find((code) => code === codeOf(error))
    if (block) return storeBlock(db, submissionId, block)
    if (!hasMoved.includes(codeOf(error))) throw error
  }
}

/**
 * For the transaction in which a payout begins: what was read of the commit may not know of a payout that began since, for another submission with the
 * same one. It is read again.
 * @throws ServiceError `submission_changed`
 */
async function requireUnpaid(
  trx: Database,
  { project_id, submission_id }: Pick<AcceptedWork, 'project_id' | 'submission_id'>,
  sha: string,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`payouts of ${sha}`}))`.execute(trx)
  const { rows } = await sql`select from payouts
    where project_id = ${project_id} and head_sha = ${sha} and submission_id <> ${submission_id}
      and begun_at > clock_timestamp() - interval '1 minute' limit 1`.execute(trx)
  if (rows.length > 0) throw new ServiceError('submission_changed')
}

/** Codes where a request or another process came first, which decides. */
const hasMoved: (ErrorCode | undefined)[] = [
  'approval_in_progress',
  'bounty_not_in_review',
  'dollars_in_flight',
  'submission_changed',
]
const codeOf = (error: unknown) => (error instanceof ServiceError ? error.code : undefined)

/**
 * What the code host reports now, with nothing taken from an earlier reading but what it can no longer compare, so that one wrong response
 * pays nobody. What it has said of
 * a merge stands where it hides the pull request since, as it does with all those of an account that it has flagged. Undefined if it
 * does not respond, or has hidden one of which it did not say who merged it.
 */
async function readAgain(
  options: AcceptanceOptions,
  work: AcceptedWork,
): Promise<(MergeFacts & Pick<AcceptedWork, 'head_sha'>) | undefined> {
  const { db, repositories } = options
  const { url, agent_id: agentId, project_id: projectId, repo_url: repoUrl, repository_id } = work
  const pull = { url, agentId, projectId, repoUrl, repositoryId: repository_id }
  const submitted = { sha: work.head_sha, seenAt: work.seen_at }
  return orSoon(options, work, async () => {
    const before = { submitted, wasByItself: work.merged_by_itself }
    const purpose = { ...forMerge, mayHide: true }
    const reading = await readCurrent(db, repositories, pull, before, purpose)
    if (reading) return reading.facts
    if (work.merged_by_id !== null) return work
    await trySoon(db, url)
    return undefined
  })
}

/** Undefined where the host does not respond: then it is read again soon. */
async function orSoon<Result>(
  { db }: AcceptanceOptions,
  { url }: AcceptedWork,
  read: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  try {
    return await read()
  } catch (error) {
    // The reading is logged where it fails.
    if (!(error instanceof RepositoryError)) throw error
    await trySoon(db, url)
    return undefined
  }
}
