import manifest from '../../server/repositories/github-app-manifest.json' with { type: 'json' }
import type { GitHubRequest, RequestFault } from './request-faults.ts'

const { default_permissions: permissions, default_events: events } = manifest
const appToken = 'ghs_of-the-app'

/**
 * What GitHub does for an App that is installed: for a request that the App has signed a token, and what the App is; everything
 * else needs that token. The signature itself is not checked.
 */
export function installedApp({ path, authorization }: Omit<GitHubRequest, 'method' | 'body'>): RequestFault {
  const [, token = ''] = authorization.split(' ')
  const isApp = /^\/app(\/|$)/.test(path)
  if (isApp ? token.split('.').length !== 3 : token !== appToken)
    return { status: 401, body: { message: 'Bad credentials' } }
  if (path === '/app')
    return { status: 200, body: { id: 1, slug: 'bounty-marketplace', permissions, events } }
  if (!/^\/app\/installations\/\d+\/access_tokens$/.test(path)) return undefined
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  return { status: 201, body: { token: appToken, expires_at, permissions, repository_selection: 'all' } }
}
