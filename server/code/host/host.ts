import type { Octokit } from '@octokit/rest'
import { z } from 'zod'
import type { Budget } from './client.ts'
import { parseBody, undefinedIfMissing } from './failures.ts'
import type { PullRequestReference } from './pull-request-url.ts'

/** Where a pull request is. */
export type PullRequestAddress = Pick<PullRequestReference, 'owner' | 'repository' | 'number'>

/** The code host, within the budget of a call. */
export interface Host {
  octokit: Octokit
  request: Budget
  /** Whether each agent pushes to branches of the repository below its own id, and nobody else does. At GitHub who may write names them. */
  hasBranches?: boolean
}

/** The full hash of a commit, as the host writes it. */
export const hostSha = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/)

/** Longest that the host may show less than it has already said, in ms. Later it is believed. */
export const mostLagMs = 3_600_000

/** Whether the host may not show everywhere yet what it did then. What it lacks later is gone. */
export const isRecent = (moment: Date | null): boolean =>
  moment !== null && Date.now() - moment.getTime() < mostLagMs

const Repository = z.object({ id: z.int() })

/** The id of the repository that has this address or had it before; undefined if there is none. */
export async function repositoryIdAt(
  { octokit, request }: Host,
  { owner, repository: repo }: Pick<PullRequestAddress, 'owner' | 'repository'>,
): Promise<number | undefined> {
  const found = await octokit.rest.repos
    .get({ owner, repo, request: { ...request } })
    .catch(undefinedIfMissing)
  return found && parseBody(Repository, found.data).id
}
