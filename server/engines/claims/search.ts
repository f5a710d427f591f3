import { isWorkOf } from '../../repositories/owners.ts'
import { parseRepositoryUrl } from '../../repositories/pull-request-url.ts'
import type { Repositories } from '../../repositories/repositories.ts'
import type { Work } from '../../repositories/work.ts'
import type { SoughtClaim } from './store.ts'

/**
 * What the code host shows now of a project's work.
 * @param state of the pull requests
 * @throws RepositoryError
 */
export async function readWorkOf(
  repositories: Pick<Repositories, 'readWork'>,
  { repoUrl, repositoryId: id }: Pick<SoughtClaim, 'repoUrl' | 'repositoryId'>,
  state: 'open' | 'closed' = 'open',
  mostMs?: number,
): Promise<Work[]> {
  const address = parseRepositoryUrl(repoUrl)
  return address ? repositories.readWork({ ...address, id }, state, mostMs) : []
}

/** The work of a claim: pull requests by the rules of a submission, and pushed branches. */
export function workOf(works: Work[], { id, agentId, submitted }: SoughtClaim): Work[] {
  return works.filter(
    (work) => isWorkOf(work, agentId, id) && (work.number !== null || !submitted.includes(work.head_sha)),
  )
}
