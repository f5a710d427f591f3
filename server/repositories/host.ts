import type { Octokit } from '@octokit/rest'
import { z } from 'zod'
import type { Budget } from './client.ts'
import type { PullRequestReference } from './pull-request-url.ts'

/** Where a pull request is. */
export type PullRequestAddress = Pick<PullRequestReference, 'owner' | 'repository' | 'number'>

/** The code host, within the budget of a call. */
export interface Host {
  octokit: Octokit
  request: Budget
}

/** The full hash of a commit, as the host writes it. */
export const hostSha = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/)
