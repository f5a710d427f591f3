import { expect } from 'vitest'
import type { Database } from '../../server/db/client.ts'
import type { GitHubRequest, RequestFault } from './request-faults.ts'

/**
 * Responds in the code host's place, for `onGitHubRequest`: every pull request can be merged, every name is an account's,
 * and every account has access at once.
 */
export async function obliging({
  method,
  path,
}: Pick<GitHubRequest, 'method' | 'path'>): Promise<RequestFault> {
  const [, login] = /^\/users\/([^/]+)$/.exec(path) ?? []
  if (login) return { status: 200, body: { id: 7, login, type: 'User' } }
  if (/\/collaborators\?/.test(path)) return { status: 200, body: [] }
  if (/\/collaborators\/[^/]+\/permission$/.test(path)) return { status: 200, body: { permission: 'read' } }
  if (/\/collaborators\/[^/]+$/.test(path)) return { status: 204 }
  if (/\/invitations\?/.test(path) && method === 'GET') return { status: 200, body: [] }
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

/** The code host has reported that somebody merged the contributor's pull request. */
export async function storeMerge(db: Database, { pr_url }: { pr_url: string }): Promise<void> {
  const merge = { merged: true, merged_by_itself: true, merged_by_id: 8, merged_at: new Date() }
  await db
    .updateTable('pull_requests')
    .set({ ...merge, state: 'closed' })
    .where('url', '=', pr_url)
    .execute()
  await db.updateTable('submissions').set({ is_attributed: true }).where('pr_url', '=', pr_url).execute()
}
