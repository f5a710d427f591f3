import { isWorkOf, wasMergedBefore } from '../../lifecycle/attribution.ts'
import { parseRepositoryUrl } from '../../repositories/pull-request-url.ts'
import type { Repositories } from '../../repositories/repositories.ts'
import type { Work } from '../../repositories/work.ts'
import type { SoughtClaim } from './store.ts'

/**
 * What the code host shows of the work on a project's claims since the first of them.
 * @throws RepositoryError
 */
export async function readWorkOf(
  repositories: Pick<Repositories, 'readWork'>,
  claims: [SoughtClaim, ...SoughtClaim[]],
  mostMs?: number,
): Promise<Work[]> {
  const [{ repoUrl, repositoryId: id }] = claims
  const address = parseRepositoryUrl(repoUrl)
  const since = new Date(Math.min(...claims.map(({ claimedAt }) => claimedAt.getTime())))
  return address ? repositories.readWork({ ...address, id }, since, mostMs) : []
}

/**
 * The work of a claim: by the rules of a submission, open or merged since the claim, and none that the agent has submitted before it.
 */
export function workOf(works: Work[], { id, agentId, claimedAt, submitted, seenPull }: SoughtClaim): Work[] {
  return works.filter(
    (work) =>
      (isWorkOf(work, agentId, id) || (seenPull !== null && work.number === seenPull)) &&
      !submitted.includes(work.head_sha) &&
      !(work.merged_at && wasMergedBefore({ merged: true, merged_at: work.merged_at }, claimedAt)),
  )
}
