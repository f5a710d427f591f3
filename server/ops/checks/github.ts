import { RequestError } from '@octokit/request-error'
import type { Config } from '../../config/config.ts'
import { createClient } from '../../repositories/client.ts'
import { statusOf } from '../../repositories/failures.ts'
import { repositoryAuth } from '../../startup/connect/repositories.ts'
import { type Finding, ok, warn, wrong } from './finding.ts'

/** Permissions that an App needs: for repositories with topics and protection, for their README, to see pull requests. */
const needed = { administration: 'write', contents: 'write', pull_requests: 'read' } as const
const once = { request: { retries: 0 } }

/** Checks whether the credentials may create and configure repositories and see pull requests; creates nothing. */
export async function checkGitHub(config: Config): Promise<Finding[]> {
  const auth = repositoryAuth(config)
  if (!auth) {
    const text = config.EMBEDDED === 'off' ? 'activations get 503' : 'an embedded stand-in will run'
    return [(config.EMBEDDED === 'off' ? warn : ok)('GITHUB_TOKEN', `not set: ${text}`)]
  }
  const about = 'token' in auth ? 'GITHUB_TOKEN' : 'GITHUB_APP_ID'
  const octokit = createClient(config.GITHUB_API_URL, auth)
  try {
    const { headers, data } = await octokit.rest.orgs.get({ org: config.GITHUB_ORGANIZATION, ...once })
    const permissions =
      'token' in auth
        ? checkScopes(headers['x-oauth-scopes'])
        : checkGrants(((await octokit.auth({ type: 'installation' })) as Installation).permissions)
    return [ok('GITHUB_ORGANIZATION', data.login), permissions]
  } catch (error) {
    return [refusal(about, error, config.GITHUB_ORGANIZATION)]
  }
}

interface Installation {
  permissions: Record<string, string>
}

function checkGrants(granted: Record<string, string>): Finding {
  const missing = Object.entries(needed)
    .filter(([name, level]) => granted[name] !== level && granted[name] !== 'write')
    .map(([name, level]) => `${name}: ${level}`)
  return missing.length > 0
    ? wrong('GITHUB_APP_ID', `the installation lacks ${missing.join(', ')}`)
    : ok('GITHUB_APP_ID', 'the installation has every permission it needs')
}

/** Only classic tokens list their scopes; the permissions of a fine-grained token are known only when it is used. */
function checkScopes(scopes: string | number | undefined): Finding {
  if (scopes === undefined) return ok('GITHUB_TOKEN', 'accepted; its permissions cannot be listed')
  const has = String(scopes).split(/,\s*/)
  return has.includes('repo') || has.includes('public_repo')
    ? ok('GITHUB_TOKEN', 'may create repositories')
    : wrong('GITHUB_TOKEN', 'lacks the scope public_repo')
}

function refusal(about: string, error: unknown, organization: string): Finding {
  const status = statusOf(error)
  if (status === 401) return wrong(about, 'the code host refuses these credentials')
  if (status === 403) return wrong(about, 'the code host forbids it, or its rate limit is used up')
  if (status === 404)
    return error instanceof RequestError && error.request.url.endsWith('/access_tokens')
      ? wrong('GITHUB_APP_INSTALLATION_ID', 'there is no such installation of the App')
      : wrong('GITHUB_ORGANIZATION', `${organization} does not exist, or these credentials cannot see it`)
  return wrong('GITHUB_API_URL', status ? `answers with status ${status}` : 'does not answer')
}
