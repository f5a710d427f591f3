import type { Caller } from '../../auth/api-keys.ts'
import { findAnyWork, keepEarlierWork, readWorkOf, workOf } from '../../code/claims/search.ts'
import { findClaim } from '../../code/claims/store.ts'
import { RepositoryError } from '../../code/host/error.ts'
import type { Work } from '../../code/host/work.ts'
import { describeError } from '../../config/redact.ts'
import type { Context } from '../../context.ts'
import type { Database } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type ErrorCode, ServiceError } from '../../errors.ts'
import { postponedReview } from '../../lifecycle/deadlines.ts'
import { edges } from '../../lifecycle/edges.ts'
import { move } from '../../lifecycle/move.ts'
import type { Situation, SituationQuery } from '../../lifecycle/situation.ts'
import { onCodeHost, spendQuota } from '../on-code-host.ts'

/** Longest reading at the code host, in ms. */
export const readingMs = 5000
/** Longest comparison there, and the longest that a claim waits for what was there before, in ms. */
const comparingMs = 10_000
const claimingMs = 2000

/**
 * The work for the claim of a bounty that the code host shows now, none where there is no claim; and what finds the newest of it that
 * proves or extends the claim.
 * @param onlyMerged whether the list may lack open work
 * @throws ServiceError `repository_unreachable`, `repositories_not_configured`, `rate_limited`
 */
export async function readWorkOfClaim(
  { services: { db, repositories }, agent }: Context & { agent: Caller },
  bountyId: string,
  onlyMerged: boolean,
): Promise<{ works: Work[]; findNew: () => Promise<Work | undefined> }> {
  if (!repositories) throw new ServiceError('repositories_not_configured')
  const claim = await findClaim(db, bountyId)
  if (!claim) return { works: [], findNew: async () => undefined }
  spendQuota(repositories.quotaOf(claim.repoUrl), agent.id, true)
  const works = await onCodeHost(() =>
    readWorkOf(db, repositories, [claim], { mostMs: readingMs, onlyMerged }),
  )
  return {
    works: workOf(works, claim),
    findNew: () => onCodeHost(() => findAnyWork(db, repositories, works, claim, comparingMs)),
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
  if (!repositories) return
  try {
    const claim = await findClaim(db, bountyId)
    if (claim?.agentId !== agent.id || repositories.quotaOf(claim.repoUrl).spend(agent.id) > 0) return
    await keepEarlierWork(db, repositories, claim, claimingMs)
  } catch (reason) {
    // The claim has happened.
    log.warn(
      { entityId: bountyId, reason: describeError(reason) },
      'earlier work of a claimant is not known; what is older may count',
    )
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

/** Postpones the deadline of the caller's claim if a reading of the code host fails because the host is away, or others have used its quota up. */
export const orPostpone = <Result>(ctx: Context, claim: SituationQuery, reading: Promise<Result>) => {
  const { repositories } = ctx.services
  const isOfAll = () => repositories !== null && repositories.quota.pause() > 0
  return ifAway(ctx, claim.id, reading, isOfAll, (trx) => move(trx, edges.postpone, claim))
}

/**
 * Postpones the end of a review if its founder's decision fails because the code host or the chain is away, or its share of the host's quota
 * is used up: silence is to pay for nothing that was refused in time.
 * @param began when the decision was asked for
 */
export const orPostponeReview = <Result>(
  ctx: Context,
  submissionId: string,
  began: Date,
  deciding: Promise<Result>,
) => {
  const isItsOwn = () => true
  return ifAway(ctx, submissionId, deciding, isItsOwn, (trx) =>
    trx
      .updateTable('submissions')
      .set(postponedReview(began, ctx.services.config.REVIEW_DAYS))
      .where('id', '=', submissionId)
      .where('status', '=', 'pending')
      .execute(),
  )
}

/**
 * Postpones what would end meanwhile if something fails because the code host or the chain is away.
 * @param countsLimit whether it does also where a share of the host's quota is used up
 */
async function ifAway<Result>(
  { services: { db }, log }: Context,
  entityId: string,
  reading: Promise<Result>,
  countsLimit: () => boolean,
  postpone: (trx: Database) => Promise<unknown>,
): Promise<Result> {
  return reading.catch(async (error) => {
    const isLimit = error instanceof ServiceError && error.code === 'rate_limited'
    if (isLimit ? countsLimit() : isAway(error))
      await inTransaction(db, postpone).catch((reason) =>
        log.warn({ entityId, reason: describeError(reason) }, 'nothing is postponed'),
      )
    throw error
  })
}

const away: readonly ErrorCode[] = ['repository_unreachable', 'chain_unreachable']

/** Whether the code host or the chain could not be read, or the host shows less than it has said. */
const isAway = (error: unknown) =>
  error instanceof ServiceError && (error.cause instanceof RepositoryError || away.includes(error.code))
