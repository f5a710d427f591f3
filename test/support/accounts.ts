import type { GitHubRequest, RequestFault } from '../../server/embedded/github/github.ts'

/** Responds in GitHub's place where every name is an account's and every account has access at once. */
export async function everyAccount({ method, path }: GitHubRequest): Promise<RequestFault> {
  const [, login] = /^\/users\/([^/]+)$/.exec(path) ?? []
  if (login) return { status: 200, body: { id: 7, login, type: 'User' } }
  if (/\/collaborators\/[^/]+$/.test(path)) return { status: 204 }
  return /\/invitations\?/.test(path) && method === 'GET' ? { status: 200, body: [] } : undefined
}
