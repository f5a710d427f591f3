import manifest from '../../server/code/host/github-app-manifest.json' with { type: 'json' }
import type { GitHubRequest, RequestFault } from './request-faults.ts'

const { default_permissions: permissions, default_events: events } = manifest

/** An App that is installed at GitHub. */
export interface InstalledApp {
  /**
   * What GitHub does for it: for a request that the App has signed a token, and what the App is; everything else needs that token.
   * The signature itself is not checked.
   */
  respond(request: Omit<GitHubRequest, 'method' | 'body'>): RequestFault
  /** Ends the tokens that were issued before their time, as a change of the App's permissions does. */
  endTokens(): void
}

/** Installs an App. */
export function installApp(): InstalledApp {
  let ended = 0
  return {
    endTokens: () => void ended++,
    respond({ path, authorization }) {
      const installationToken = `ghs_of-the-app-${ended}`
      const [, token = ''] = authorization.split(' ')
      const isApp = /^\/app(\/|$)/.test(path)
      if (isApp ? token.split('.').length !== 3 : token !== installationToken)
        return { status: 401, body: { message: 'Bad credentials' } }
      if (path === '/app')
        return { status: 200, body: { id: 1, slug: 'bounty-marketplace', permissions, events } }
      if (!/^\/app\/installations\/\d+\/access_tokens$/.test(path)) return undefined
      const expires_at = new Date(Date.now() + 3_600_000).toISOString()
      const issued = { token: installationToken, expires_at, permissions }
      return { status: 201, body: { ...issued, repository_selection: 'all' } }
    },
  }
}
