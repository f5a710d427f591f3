import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors.ts'
import { RepositoryError } from '../../repositories/error.ts'
import { parsePullRequestUrl } from '../../repositories/pull-request-url.ts'
import type { Repositories } from '../../repositories/repositories.ts'
import { type ApprovedPullRequest, mergeApproved, mergedAt } from './merge.ts'
import { record } from './record.ts'
import {
  type Claim,
  claimIfStale,
  claimNow,
  findPullRequest,
  knownOf,
  postpone,
  type StoredPullRequest,
  type TrackedPullRequest,
} from './store.ts'

/** Pull requests of submissions, and what the code host reports about them. */
export interface PullRequestEngine {
  /**
   * What the code host reports, at most a minute old. If it does not answer, or another process asks it just now, what it
   * reported before.
   * @returns undefined if the host does not have the pull request and nothing is stored about it
   * @throws RepositoryError if the host does not answer and nothing is stored
   * @throws ServiceError `repositories_not_configured` if nothing is stored
   */
  refresh(pull: TrackedPullRequest): Promise<StoredPullRequest | undefined>
  /**
   * Makes sure that the pull request has this newest commit now, and could be merged or was merged so.
   * @throws ServiceError `pull_request_gone`, `pull_request_changed`, `pull_request_not_mergeable`,
   *   `repositories_not_configured`
   * @throws RepositoryError if the host does not answer
   */
  confirm(pull: TrackedPullRequest, expectedHeadSha: string): Promise<void>
  /**
   * Merges the pull request of an approved submission at exactly the commit `expectedHeadSha`, or finds it merged so.
   * @returns the commit that merged it
   * @throws ServiceError `pull_request_gone`, `pull_request_changed`, `pull_request_not_mergeable`, `merge_refused`,
   *   `repositories_not_configured`
   * @throws RepositoryError if the outcome is unknown; the next call finds out
   */
  merge(pull: ApprovedPullRequest, expectedHeadSha: string): Promise<string>
}

/** What reading needs. */
export interface ReadingOptions {
  db: Database
  repositories: Repositories
}

/** First readings that are remembered, and for how long, so that asking for what does not exist costs one request a minute. */
const firstReadings = { max: 1000, ttl: 60_000 }

/** Creates the engine. Without a code host it knows what is stored. */
export function createPullRequests({
  db,
  repositories,
}: {
  db: Database
  repositories: Repositories | null
}): PullRequestEngine {
  const missing = new LRUCache<string, Promise<StoredPullRequest | undefined>>(firstReadings)

  async function look(pull: TrackedPullRequest): Promise<StoredPullRequest | undefined> {
    if (!repositories) throw new ServiceError('repositories_not_configured')
    return readClaimed({ db, repositories }, pull, await claimNow(db, pull))
  }

  /** The first reading of a submission of an earlier version. All who wait for it share it. */
  function readFirst(pull: TrackedPullRequest): Promise<StoredPullRequest | undefined> {
    const running = missing.get(pull.url)
    if (running) return running
    const reading = look(pull)
    missing.set(pull.url, reading)
    const forget = () => missing.delete(pull.url)
    reading.then((row) => row && forget(), forget)
    return reading
  }

  return {
    async refresh(pull) {
      const claim = repositories && (await claimIfStale(db, pull.url))
      if (!claim) return (await findPullRequest(db, pull.url)) ?? readFirst(pull)
      try {
        return await readClaimed({ db, repositories }, pull, claim)
      } catch (error) {
        if (!(error instanceof RepositoryError)) throw error
        return claim.row
      }
    },
    async confirm(pull, expectedHeadSha) {
      mergedAt(await look(pull), expectedHeadSha)
    },
    async merge(pull, expectedHeadSha) {
      if (!repositories) throw new ServiceError('repositories_not_configured')
      return mergeApproved({ db, repositories, look: () => look(pull) }, pull, expectedHeadSha)
    },
  }
}

/**
 * Reads a pull request from the host and records it. If the host does not answer, the next reading is put off.
 * @throws RepositoryError
 */
export async function readClaimed(
  { db, repositories }: ReadingOptions,
  pull: TrackedPullRequest,
  claim: Claim,
): Promise<StoredPullRequest | undefined> {
  const address = parsePullRequestUrl(pull.repoUrl, pull.url)
  try {
    const reading = address && (await repositories.readPullRequest(address, knownOf(claim)))
    return await record(db, pull, claim, reading ?? undefined)
  } catch (error) {
    if (error instanceof RepositoryError && claim.row) await postpone(db, pull.url, claim)
    throw error
  }
}
