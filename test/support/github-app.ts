import manifest from '../../server/repositories/github-app-manifest.json' with { type: 'json' }
import type { GitHubRequest } from './request-faults.ts'

const { default_permissions: permissions, default_events: events } = manifest

/** What GitHub does for an App that is installed: a token for its signed request, and what the App is. */
export function installedApp({ path }: Pick<GitHubRequest, 'path'>) {
  if (/^\/app\/installations\/\d+\/access_tokens$/.test(path)) {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    return {
      status: 201,
      body: { token: 'ghs_of-the-app', expires_at, permissions, repository_selection: 'all' },
    }
  }
  if (path !== '/app') return undefined
  return { status: 200, body: { id: 1, slug: 'bounty-marketplace', permissions, events } }
}
