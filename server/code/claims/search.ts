import type { Database } from '../../db/client.ts'
import { isOfAgent, ownerOf, wasMergedBefore } from '../../lifecycle/pull-requests/attribution.ts'
import { keepPulls } from '../../lifecycle/pull-requests/seen-pulls.ts'
import { RepositoryError } from '../host/error.ts'
import { parseRepositoryUrl } from '../host/pull-request-url.ts'
import type { Repositories } from '../host/repositories.ts'
import { mostCompared, type Work } from '../host/work.ts'
import { keepListedMerges, readCurrent, requireListed } from '../pull-requests/reports.ts'
import { keepSeen, type SoughtClaim, seenBefore } from './store.ts'

/**
 * What the code host shows of the work on a project's claims since the first of them. Keeps whose pull requests are.
 * @param onlyMerged whether it may lack open work
 * @throws RepositoryError
 */
export async function readWorkOf(
  db: Database,
  repositories: Pick<Repositories, 'readWork'>,
  claims: [SoughtClaim, ...SoughtClaim[]],
  { mostMs, onlyMerged = false }: { mostMs?: number; onlyMerged?: boolean } = {},
): Promise<Work[]> {
  const since = new Date(Math.min(...claims.map(({ claimedAt }) => claimedAt.getTime())))
  const repository = repositoryOf(claims[0])
  if (!repository) return []
  const works = await repositories.readWork(repository, { since, mostMs })
  await requireListed(db, { id: repository.id, since, claims, onlyMerged }, works)
  for (const claim of claims) {
    await keepPulls(db, claim, works)
    if (repository.id !== null) await keepListedMerges(db, repository.id, workOf(works, claim))
  }
  return works
}

function repositoryOf({ repoUrl, repositoryId: id }: SoughtClaim) {
  const address = parseRepositoryUrl(repoUrl)
  return address && { ...address, id }
}

/** The work of a claim: by the rules of a submission, open or merged since the claim. */
export function workOf(works: Work[], { id, agentId, claimedAt }: SoughtClaim): Work[] {
  return works.filter(
    (work) =>
      isOfAgent(work, agentId, id) &&
      !(work.merged_at && wasMergedBefore({ ...work, merged: true }, claimedAt)),
  )
}

/** Longest search for the work of one claim, in ms; less than its lease. */
const searchMs = 20_000

/**
 * The newest work of a claim that proves or extends it: none that was seen before, and it was merged, or changes files against the
 * default branch. The host compares only what could prove something.
 * @param mostMs longest comparison at the host
 * @throws RepositoryError also `unavailable` where there is more to compare than the time allows: the next search goes on
 */
export async function findNewWork(
  db: Database,
  repositories: Pick<Repositories, 'firstChange'>,
  works: Work[],
  claim: SoughtClaim,
  mostMs?: number,
): Promise<Work | undefined> {
  const own = workOf(works, claim)
  const repository = repositoryOf(claim)
  if (!repository || own.length === 0) return undefined
  const seen = await seenBefore(db, claim, headsOf(own))
  let unseen = own.filter(({ head_sha }) => !seen.includes(head_sha))
  const started = Date.now()
  while (unseen.length > 0) {
    if (Date.now() - started > searchMs) throw new RepositoryError('unavailable')
    const { work, unchanged } = await repositories.firstChange(repository, unseen, mostMs)
    // Others can open any number of pull requests that name the claimant and change nothing: each is compared once.
    await keepSeen(db, claim, unchanged)
    if (work) return work
    unseen = unseen.slice(mostCompared)
  }
  return undefined
}

/** Most pull requests of a claim that are read alone because the list lacks them. */
const mostUnlisted = 3

/**
 * Reads the newest pull requests that were seen to be the claim's and that the list lacks: it is cut, and anybody can push something behind
 * its end.
 * @throws RepositoryError
 */
export async function readUnlisted(
  db: Database,
  repositories: Pick<Repositories, 'readPullRequest' | 'repositoryIdAt'>,
  works: Work[],
  claim: SoughtClaim,
  mostMs?: number,
): Promise<Work[]> {
  const unlisted = await db
    .selectFrom('seen_pulls')
    .where((row) => row.and({ bounty_id: claim.id, agent_id: claim.agentId }))
    .where('number', 'not in', [0, ...works.flatMap(({ number }) => number ?? [])])
    .select('number')
    .orderBy('number', 'desc')
    .limit(mostUnlisted)
    .execute()
  const readings = unlisted.map(async ({ number }): Promise<Work[]> => {
    const pull = { ...claim, url: `${claim.repoUrl}/pull/${number}` }
    const reading = await readCurrent(db, repositories, pull, {}, { onlyMerge: true, mostMs })
    const isWork = reading && (reading.facts.merged || reading.facts.state === 'open')
    return isWork ? [{ ...reading.facts, number, base: reading.cache.base }] : []
  })
  return (await Promise.all(readings)).flat()
}

/** {@link findNewWork}, also among those of {@link readUnlisted}, before that ends the claim. */
export async function findAnyWork(
  db: Database,
  repositories: Pick<Repositories, 'firstChange' | 'readPullRequest' | 'repositoryIdAt'>,
  works: Work[],
  claim: SoughtClaim,
  mostMs?: number,
): Promise<Work | undefined> {
  const found = await findNewWork(db, repositories, works, claim, mostMs)
  if (found) return found
  const unlisted = await readUnlisted(db, repositories, works, claim, mostMs)
  return findNewWork(db, repositories, unlisted, claim, mostMs)
}

/**
 * Keeps what the host shows of the claimant's work while a claim begins: it is no work of that claim.
 * @throws RepositoryError
 */
export async function keepEarlierWork(
  db: Database,
  repositories: Pick<Repositories, 'readWork'>,
  claim: SoughtClaim,
  mostMs: number,
): Promise<void> {
  const repository = repositoryOf(claim)
  if (!repository) return
  const works = await repositories.readWork(repository, { since: new Date(0), mostMs, mostPages: 1 })
  await keepPulls(db, claim, works)
  await keepSeen(db, claim, headsOf(works.filter((work) => ownerOf(work).agent === claim.agentId)))
}

const headsOf = (works: Work[]) => works.map(({ head_sha }) => head_sha)
