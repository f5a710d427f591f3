import { setTimeout as delay } from 'node:timers/promises'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors.ts'
import { isFinal } from '../../lifecycle/pull-requests/attribution.ts'
import { RepositoryError } from '../host/error.ts'
import type { Quota } from '../host/quota.ts'
import type { Repositories } from '../host/repositories.ts'
import { type ApprovedPullRequest, mergePaid } from './merge.ts'
import { record } from './record.ts'
import { isReportedSince, type ReadingPurpose, readCurrent } from './reports.ts'
import {
  beforeOf,
  findPullRequest,
  leaseIfStale,
  leaseNow,
  postpone,
  type ReadingLease,
  type StoredPullRequest,
  type TrackedPullRequest,
} from './store.ts'

/** Pull requests of submissions, and what the code host reports about them. */
export interface PullRequestEngine {
  /**
   * What the code host reports, at most a minute old and not from before `since`. What it reported before, if it does not
   * answer, if it is being asked for another request, or if the agent or all agents have caused many readings in the last
   * minute. A merge is final.
   * @param agentId who causes a reading; null never causes one, and gets what is stored
   * @param since when the pull request was submitted: facts from before are likely to name another commit
   * @returns undefined if the host does not have the pull request and nothing is stored about it
   * @throws RepositoryError if the host does not respond and nothing is stored
   * @throws ServiceError `repositories_not_configured`, or `rate_limited`, if nothing is stored
   */
  refresh(
    pull: TrackedPullRequest,
    agentId: string | null,
    since: Date,
  ): Promise<StoredPullRequest | undefined>
  /**
   * Reads the pull request from the host now, so that what is decided next misses no merge. It may miss other changes of this moment.
   * @returns what is stored then
   * @throws ServiceError `repositories_not_configured`
   * @throws RepositoryError if the host does not respond in five seconds
   */
  look(pull: TrackedPullRequest): Promise<StoredPullRequest | undefined>
  /**
   * Reads the pull request from the host if its webhooks have said something newer than what is stored.
   * @param agentId who causes the reading
   * @throws ServiceError `rate_limited`
   * @throws RepositoryError if the host does not respond, or does not show yet what it has said
   */
  catchUp(pull: TrackedPullRequest, agentId: string): Promise<void>
  /**
   * Makes sure that the pull request has this newest commit now, and could be merged or was merged so.
   * @returns what the code host reports
   * @throws ServiceError `pull_request_gone`, `pull_request_changed`, `pull_request_not_mergeable`,
   *   `repositories_not_configured`
   * @throws RepositoryError if the host does not answer
   */
  confirm(pull: TrackedPullRequest, expectedHeadSha: string): Promise<StoredPullRequest>
  /**
   * Merges exactly the paid commit of an approved submission, or finds it merged so.
   * @returns the commit that merged it; null if the host does not say
   * @throws ServiceError `pull_request_gone`, `pull_request_changed`, `pull_request_not_mergeable`, `merge_refused`,
   *   `merge_queue_required`, `merge_in_progress`, `repositories_not_configured`
   * @throws RepositoryError if the outcome is unknown; the next call finds out
   */
  merge(pull: ApprovedPullRequest): Promise<string | null>
}

/** What reading needs. */
export interface ReadingOptions {
  db: Database
  repositories: Repositories
  /** Whether the host reports changes itself, so that it need not be asked often. */
  hasWebhook: boolean
}

/** Readings a minute that one agent and all agents may cause in this process. */
const mostOfAgent = 20
const mostOfAll = 60
/** Longest reading, in ms: for a reader, and for a decision. */
const readerMs = 5000
const decisionMs = 10_000
/** Longest wait for a reading of another request, and how often its result is looked for, in ms. */
const longestWaitMs = 1000
const pauseMs = 50

/** Creates the engine. Without a code host it knows what is stored. */
export function createPullRequests({
  repositories,
  ...rest
}: Omit<ReadingOptions, 'repositories'> & { repositories: Repositories | null }): PullRequestEngine {
  const { db } = rest
  const [ofAgent, ofAll] = [mostOfAgent, mostOfAll].map(
    (points) => new RateLimiterMemory({ points, duration: 60 }),
  ) as [RateLimiterMemory, RateLimiterMemory]

  /** Seconds until the agent may cause a reading; 0 where this counts as one. */
  const secondsToReading = async (agentId: string, quota: Quota): Promise<number> =>
    quota.spend(agentId) ||
    ofAgent
      .consume(agentId)
      .then(() => ofAll.consume('all'))
      .then(
        () => 0,
        ({ msBeforeNext }: RateLimiterRes) => Math.ceil(msBeforeNext / 1000),
      )

  /** What the host reports now, for a decision. */
  async function look(
    pull: TrackedPullRequest,
    given: ReadingPurpose,
  ): Promise<StoredPullRequest | undefined> {
    if (!repositories) throw new ServiceError('repositories_not_configured')
    const purpose = { ...given, mostMs: decisionMs }
    return readLeased({ ...rest, repositories }, pull, await leaseNow(db, pull), purpose)
  }

  return {
    async refresh(pull, agentId, since) {
      const stored = await findPullRequest(db, pull.url)
      if (agentId === null) return stored
      if (!repositories) {
        if (stored) return stored
        throw new ServiceError('repositories_not_configured')
      }
      if (stored && !stored.is_stale) return notFromBefore(db, stored, since)
      const retryAfter = await secondsToReading(agentId, repositories.quotaOf(pull.repoUrl))
      if (retryAfter > 0 && stored) return stored
      if (retryAfter > 0) throw new ServiceError('rate_limited', undefined, { retryAfter })
      try {
        const lease = stored ? await leaseIfStale(db, pull.url) : await leaseNow(db, pull)
        if (lease) return await readLeased({ ...rest, repositories }, pull, lease, { mostMs: readerMs })
        await Promise.all([ofAgent.reward(agentId), ofAll.reward('all')])
        return stored && notFromBefore(db, stored, since)
      } catch (error) {
        if (error instanceof RepositoryError && stored) return stored
        throw error
      }
    },
    look: (pull) => look(pull, { onlyMerge: true }),
    async catchUp(pull, agentId) {
      if (!repositories || !(await isReportedSince(db, pull.url))) return
      const retryAfter = repositories.quotaOf(pull.repoUrl).spend(agentId, true)
      if (retryAfter > 0) throw new ServiceError('rate_limited', undefined, { retryAfter })
      await look(pull, { mayLag: true })
    },
    async confirm(pull, expectedHeadSha) {
      return requireHead(await look(pull, { mayLag: true }), expectedHeadSha)
    },
    async merge(pull) {
      if (!repositories) throw new ServiceError('repositories_not_configured')
      return mergePaid({ db, repositories, look: () => look(pull, { mayLag: true }) }, pull)
    },
  }
}

/** Waits briefly while another process reads facts that are no older than `since`. */
async function notFromBefore(
  db: Database,
  stored: StoredPullRequest,
  since: Date,
): Promise<StoredPullRequest> {
  let facts = stored
  const isFromBefore = () => facts.refreshed_at < since && !facts.merged && facts.state !== 'gone'
  for (let waited = 0; isFromBefore() && waited < longestWaitMs; waited += pauseMs) {
    await delay(pauseMs)
    facts = (await findPullRequest(db, stored.url)) ?? facts
  }
  return facts
}

/**
 * Reads a pull request from the host and records it. If the host does not answer, the next reading is put off.
 * @throws RepositoryError
 */
export async function readLeased(
  { db, repositories, hasWebhook }: ReadingOptions,
  pull: TrackedPullRequest,
  lease: ReadingLease,
  purpose?: ReadingPurpose,
): Promise<StoredPullRequest | undefined> {
  try {
    const agentId = lease.submitted?.agentId ?? null
    const known = { ...pull, repositoryId: lease.repositoryId, agentId }
    const reading = await readCurrent(db, repositories, known, beforeOf(lease), purpose)
    return await record(db, pull, lease, reading, hasWebhook)
  } catch (error) {
    const isOlder = error instanceof RepositoryError && error.kind === 'outdated'
    if (isOlder && lease.row?.merged && isFinal(lease.row)) return lease.row
    if (error instanceof RepositoryError && lease.row) await postpone(db, pull.url, lease, error.kind)
    throw error
  }
}

/**
 * Makes sure that the pull request has this newest commit, and could be merged or was merged so.
 * @throws ServiceError `pull_request_gone`, `pull_request_changed`, `pull_request_not_mergeable`
 */
function requireHead(found: StoredPullRequest | undefined, expectedHeadSha: string): StoredPullRequest {
  // A merge is final: what hides it since, as the account of its author, does not take it back.
  if (!found || (found.state === 'gone' && !found.merged))
    throw new ServiceError(
      'pull_request_gone',
      'The code host no longer shows the pull request. Approve without `expected_head_sha` to pay for what was submitted.',
    )
  if (found.head_sha !== expectedHeadSha)
    throw new ServiceError(
      'pull_request_changed',
      `The newest commit of the pull request is ${found.head_sha}, not the one you named. Nothing was paid: read that commit first.`,
    )
  const obstacle = found.merged ? undefined : obstacleOf(found)
  if (obstacle) throw new ServiceError('pull_request_not_mergeable', obstacle)
  return found
}

function obstacleOf({ state, draft, mergeable }: StoredPullRequest): string | undefined {
  if (state === 'closed') return 'The pull request is closed. Open it again at the code host first.'
  if (draft) return 'The pull request is a draft. Mark it as ready at the code host first.'
  return mergeable === false
    ? 'The pull request conflicts with its base. Its author has to resolve that; then its newest commit is another one.'
    : undefined
}
