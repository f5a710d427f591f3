import pLimit from 'p-limit'
import { readWorkOf, workOf } from '../../code/claims/search.ts'
import type { SoughtClaim } from '../../code/claims/store.ts'
import { RepositoryError } from '../../code/host/error.ts'
import { parseRepositoryUrl } from '../../code/host/pull-request-url.ts'
import type { PullRequestReading } from '../../code/host/pull-requests.ts'
import type { Repositories } from '../../code/host/repositories.ts'
import type { Work } from '../../code/host/work.ts'
import { keepMerged, readCurrent } from '../../code/pull-requests/reports.ts'
import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors.ts'
import { isWorkOf, mergeOf } from '../../lifecycle/pull-requests/attribution.ts'
import type { SeenPull } from '../../lifecycle/pull-requests/seen-pulls.ts'
import type { Situation } from '../../lifecycle/situation.ts'
import type { Services } from '../../services.ts'
import { onCodeHost, spendQuota } from '../on-code-host.ts'
import { readingMs, seenCommit } from './seen-work.ts'

/** Longest that all readings of one request take, in ms. */
const allReadingsMs = 20_000
const atOnce = 4
/**
 * Of the pull requests that the code host does not list as merged, the newest are read, for its list may lag, and of some more it is asked
 * whether the default branch has their commits. Anybody can open any number of them, so no decision waits for a host that cannot say it.
 */
const mostUnmerged = 3
const mostCompared = 10

/** Whose merged work is sought, and who waits for it. */
interface Search {
  db: Database
  repositories: Repositories
  /** The agent whose share of the code host's quota each reading costs. */
  agentId: string
  situation: Situation
  claim: SoughtClaim
}

/**
 * Makes sure that no work of the claim was merged by anybody but its author, whatever has become of its pull request. If some was, its
 * payment begins if a submission is in review.
 * @param agentId the caller
 * @param listed the work of the claim, if the code host has just listed it
 * @throws ServiceError `pull_request_merged`, `repository_unreachable`, `repositories_not_configured`, `rate_limited`
 */
export async function requireUnmerged(
  { db, repositories }: Pick<Services, 'db' | 'repositories'>,
  agentId: string,
  situation: Situation,
  listed?: Work[],
): Promise<void> {
  if (!repositories) throw new ServiceError('repositories_not_configured')
  const { id, claimed_by, claimed_at, project_id: projectId, repository_id: repositoryId } = situation
  const repoUrl = situation.repo_url ?? ''
  const claimedAt = claimed_at ?? new Date()
  const claim = { id, agentId: claimed_by ?? '', projectId, claimedAt, repoUrl, repositoryId }
  const search = { db, repositories, agentId, situation, claim }
  const merged = numbersOfMerged(claim, listed ?? (await list(search)))
  const changed = situation.seen_pulls.filter(({ head_sha }) => head_sha !== null)
  const contained = await containedOf(search, changed.slice(0, mostCompared))
  const newest = changed.slice(0, mostUnmerged).map(({ number }) => number)
  const numbers = [...new Set([...merged, ...contained, ...newest])].filter(
    (number) => urlOf(claim, number) !== situation.review?.pr_url,
  )
  const until = Date.now() + allReadingsMs
  const readings = await pLimit(atOnce).map(numbers, (number) => {
    const reading = read(search, number, until)
    return onCodeHost(() => reading.catch(merged.includes(number) ? undefinedIfOlder : undefinedIfUnread))
  })
  for (const [index, number] of numbers.entries())
    await requireUnaccepted(search, number, { reading: readings[index], isListed: merged.includes(number) })
}

const urlOf = ({ repoUrl }: SoughtClaim, number: number) => `${repoUrl}/pull/${number}`

async function list({ db, repositories, agentId, claim }: Search): Promise<Work[]> {
  spendQuota(repositories.quotaOf(claim.repoUrl), agentId, true)
  const options = { mostMs: readingMs, onlyMerged: true }
  return workOf(await onCodeHost(() => readWorkOf(db, repositories, [claim], options)), claim)
}

const numbersOfMerged = ({ id, agentId }: SoughtClaim, works: Work[]): number[] =>
  works.flatMap((work) =>
    work.number !== null && work.merged_at && isWorkOf(work, agentId, id) ? [work.number] : [],
  )

/** The numbers of those whose commit the default branch has, as far as the code host says it. */
async function containedOf({ repositories, agentId, claim }: Search, pulls: SeenPull[]): Promise<number[]> {
  const address = parseRepositoryUrl(claim.repoUrl)
  if (!address || pulls.length === 0) return []
  spendQuota(repositories.quotaOf(claim.repoUrl), agentId, true)
  const heads = pulls.flatMap(({ head_sha }) => head_sha ?? [])
  const contained = await onCodeHost(() => repositories.containedInDefault(address, heads, readingMs))
  return pulls.flatMap(({ number, head_sha }) => (head_sha && contained.includes(head_sha) ? [number] : []))
}

async function read(
  { db, repositories, agentId, situation, claim }: Search,
  number: number,
  until: number,
): Promise<PullRequestReading | undefined> {
  spendQuota(repositories.quotaOf(claim.repoUrl), agentId, true)
  const isKnown = situation.seen_pulls.some((pull) => pull.number === number && pull.head_sha !== null)
  const submitted = isKnown ? seenCommit(situation, number) : null
  const mostMs = Math.max(0, Math.min(readingMs, until - Date.now()))
  const pull = { ...claim, url: urlOf(claim, number) }
  return readCurrent(db, repositories, pull, { submitted }, { onlyMerge: true, mostMs })
}

/** What a list shows to be merged is known without the pull request itself. */
function undefinedIfOlder(error: unknown): undefined {
  if (!(error instanceof RepositoryError) || error.kind !== 'outdated') throw error
}

/** Only where the host cannot read the pull request: one that is older than its own report of a merge, limits requests or refuses us may read it later. */
function undefinedIfUnread(error: unknown): undefined {
  const isOfPull = error instanceof RepositoryError && error.kind === 'unavailable'
  if (!isOfPull || error.retryAfter !== undefined) throw error
}

/** @throws ServiceError `pull_request_merged`, `repository_unreachable` */
async function requireUnaccepted(
  { db, situation, claim }: Search,
  number: number,
  { reading, isListed }: { reading: PullRequestReading | undefined; isListed: boolean },
): Promise<void> {
  // A merge is final: what does not show one that the list has is older.
  const isOlder = isListed && !reading?.facts.merged
  const is_attributed = reading !== undefined && isWorkOf(reading.facts, claim.agentId, claim.id)
  const work = { is_attributed, merge_counts_from: claim.claimedAt }
  if (!isOlder && (!reading || mergeOf(reading.facts, work) !== 'accepted')) return
  // The host may have no webhook.
  if (claim.repositoryId !== null) await keepMerged(db, { repository_id: claim.repositoryId, number })
  if (isOlder) throw new ServiceError('repository_unreachable')
  const next = situation.review
    ? 'That counts as the approval: the payout begins by itself.'
    : 'Once the claimant submits it, approving it pays for it.'
  throw new ServiceError('pull_request_merged', `Its code is merged: ${urlOf(claim, number)}. ${next}`)
}
