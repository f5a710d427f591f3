import { expect } from 'vitest'
import type { Database } from '../../server/db/client.ts'
import type { GitHubRequest } from '../../server/embedded/github/github.ts'

/** Merges every pull request in the code host's place, for `onGitHubRequest`. */
export async function mergeEverything({ method, path }: Pick<GitHubRequest, 'method' | 'path'>) {
  if (method !== 'PUT' || !path.endsWith('/merge')) return undefined
  return { status: 200, body: { merged: true, sha: 'c'.repeat(40), message: 'merged' } }
}

/** The newest commit of a pull request when it was submitted. */
export async function submittedHead(db: Database, submissionId: string): Promise<string> {
  const row = await db
    .selectFrom('submissions')
    .where('id', '=', submissionId)
    .select('head_sha')
    .executeTakeFirstOrThrow()
  expect(row.head_sha).toMatch(/^[0-9a-f]{40}$/)
  return row.head_sha ?? ''
}
