import pLimit from 'p-limit'
import type { Caller } from '../../auth/api-keys.ts'
import { describeError } from '../../config/redact.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db/transaction.ts'
import { findNewWork, keepEarlierWork, readWorkOf, workOf } from '../../engines/claims/search.ts'
import { findClaim } from '../../engines/claims/store.ts'
import { keepMerged, readCurrent } from '../../engines/pull-requests/reports.ts'
import { ServiceError } from '../../errors.ts'
import { isWorkOf, mergeOf } from '../../lifecycle/attribution.ts'
import { edges } from '../../lifecycle/edges.ts'
import { move } from '../../lifecycle/move.ts'
import type { Asked, Situation } from '../../lifecycle/situation.ts'
import { RepositoryError } from '../../repositories/error.ts'
import type { Repositories } from '../../repositories/repositories.ts'
import type { Work } from '../../repositories/work.ts'
import type { Services } from '../../services.ts'
import { onCodeHost, spendQuota } from '../on-code-host.ts'

/** Longest reading at the code host, and the longest that all those of one request take, in ms. */
const readingMs = 5000
const allReadingsMs = 20_000
/** Longest comparison there, and the longest that a claim waits for what was there before, in ms. */
const comparingMs = 10_000
const claimingMs = 2000

/**
 * Most pull requests of a claim that are read, of those that the code host lists as merged, and of the others: the claimant can open any
 * number, and its founder has to wait for each.
 */
const mostMerged = 10
const mostUnmerged = 3
const readAtOnce = 4

/**
 * The work for the claim of a bounty that the code host shows now, none where there is no claim; and what finds the newest of it that
 * proves or extends the claim.
 * @throws ServiceError `repository_unreachable`, `repositories_not_configured`, `rate_limited`
 */
export async function readWorkOfClaim(
  { services: { db, repositories }, agent }: Context & { agent: Caller },
  bountyId: string,
): Promise<{ works: Work[]; findNew: () => Promise<Work | undefined> }> {
  if (!repositories) throw new ServiceError('repositories_not_configured')
  const claim = await findClaim(db, bountyId)
  if (!claim) return { works: [], findNew: async () => undefined }
  spendQuota(repositories.quota, agent.id, true)
  const works = await onCodeHost(() => readWorkOf(db, repositories, [claim], readingMs))
  return {
    works: workOf(works, claim),
    findNew: () => onCodeHost(() => findNewWork(db, repositories, works, claim, comparingMs)),
  }
}

/**
 * Keeps what the code host shows of the caller's work when it has just claimed a bounty, so that it does not count for this claim.
 * A host that does not respond delays no claim for long, and fails none.
 */
export async function keepWorkBefore(
  { services: { db, repositories }, agent, log }: Context & { agent: Caller },
  bountyId: string,
): Promise<void> {
  if (!repositories || repositories.quota.spend(agent.id) > 0) return
  try {
    const claim = await findClaim(db, bountyId)
    if (claim?.agentId === agent.id) await keepEarlierWork(db, repositories, claim, claimingMs)
  } catch (reason) {
    // The claim has happened.
    log.warn(
      { entityId: bountyId, reason: describeError(reason) },
      'earlier work of a claimant is not known; what is older may count',
    )
  }
}

/**
 * Makes sure that no work of the claim was merged by anybody but its author: none that the code host lists as merged, and none that was
 * seen to change something, whatever has become of its pull request. If some was, its payment begins if a submission is in review.
 * @param agentId the caller, whose share of the code host's quota each reading costs
 * @param listed the work of the claim, if the code host has just listed it
 * @throws ServiceError `pull_request_merged`, `repository_unreachable`, `repositories_not_configured`, `rate_limited`
 */
export async function requireUnmerged(
  { db, repositories }: Pick<Services, 'db' | 'repositories'>,
  agentId: string,
  situation: Situation,
  listed?: Work[],
): Promise<void> {
  const {
    id,
    claimed_by,
    claimed_at,
    project_id: projectId,
    repo_url,
    repository_id: repositoryId,
  } = situation
  const repoUrl = repo_url ?? ''
  const submitted = situation.review?.pr_url
  const others = situation.seen_pulls.filter(({ number }) => submitted !== `${repoUrl}/pull/${number}`)
  if (!listed && others.length === 0) return
  if (!repositories) throw new ServiceError('repositories_not_configured')
  const claimedAt = claimed_at ?? new Date()
  const claim = { id, agentId: claimed_by ?? '', projectId, claimedAt, repoUrl, repositoryId }
  const list = async () => {
    spendQuota(repositories.quota, agentId, true)
    return workOf(await onCodeHost(() => readWorkOf(db, repositories, [claim], readingMs)), claim)
  }
  const works = listed ?? (await list())
  const merged = works.flatMap((work) =>
    work.number !== null && work.merged_at && isWorkOf(work, claim.agentId, id) ? [work.number] : [],
  )
  const readUntil = Date.now() + allReadingsMs
  const changed = others.flatMap(({ number, head_sha }) => (head_sha === null ? [] : [number]))
  const urlOf = (number: number) => `${repoUrl}/pull/${number}`
  const read = async (number: number) => {
    const pull = { url: urlOf(number), projectId, repoUrl, repositoryId, agentId: claimed_by }
    spendQuota(repositories.quota, agentId, true)
    const commit = changed.includes(number) ? seenCommit(situation, number) : null
    const mostMs = Math.max(0, Math.min(readingMs, readUntil - Date.now()))
    const reading = await onCodeHost(() =>
      readCurrent(db, repositories, pull, { submitted: commit }, { onlyMerge: true, mostMs }),
    )
    return { number, reading }
  }
  const numbers = new Set([...merged.slice(0, mostMerged), ...changed.slice(0, mostUnmerged)])
  const toRead = [...numbers].filter((number) => urlOf(number) !== submitted)
  for (const { number, reading } of await pLimit(readAtOnce).map(toRead, read)) {
    // A merge is final: what does not show one that the list has is older.
    const isOlder = merged.includes(number) && !reading?.facts.merged
    const is_attributed = reading !== undefined && isWorkOf(reading.facts, claim.agentId, id)
    const work = { is_attributed, merge_counts_from: claimedAt }
    if (!isOlder && (!reading || mergeOf(reading.facts, work) !== 'accepted')) continue
    // The host may have no webhook.
    if (repositoryId !== null) await keepMerged(db, { repository_id: repositoryId, number })
    if (isOlder) throw new ServiceError('repository_unreachable')
    const next = submitted
      ? 'That counts as the approval: the payout begins by itself.'
      : 'Once the claimant submits it, approving it pays for it.'
    throw new ServiceError('pull_request_merged', `Its code is merged: ${urlOf(number)}. ${next}`)
  }
}

/** The newest commit that was seen of a pull request of the claim, or else of any work of it. */
export function seenCommit(
  { seen_pulls, seen_sha, seen_at }: Pick<Situation, 'seen_pulls' | 'seen_sha' | 'seen_at'>,
  number: number,
): { sha: string; seenAt: Date | null } | null {
  const pull = seen_pulls.find((one) => one.number === number)
  if (pull?.head_sha) return { sha: pull.head_sha, seenAt: new Date(pull.seen_at) }
  return seen_sha === null ? null : { sha: seen_sha, seenAt: seen_at }
}

/** Spares the claim of the caller if what the code host has to say fails because the host is away. */
export async function sparing<Result>(ctx: Context, asked: Asked, reading: Promise<Result>): Promise<Result> {
  const { db, repositories } = ctx.services
  return reading.catch(async (error) => {
    if (isOfHost(error, repositories))
      await inTransaction(db, (trx) => move(trx, edges.spare, asked)).catch((reason) =>
        ctx.log.warn({ entityId: asked.id, reason: describeError(reason) }, 'the claim is not spared'),
      )
    throw error
  })
}

/** Whether the code host could not be read, or others have used up its quota. */
function isOfHost(error: unknown, repositories: Repositories | null): boolean {
  if (!(error instanceof ServiceError)) return false
  const isLow = repositories !== null && repositories.quota.pause() > 0
  return error.cause instanceof RepositoryError || (error.code === 'rate_limited' && isLow)
}
