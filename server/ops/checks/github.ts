import { RequestError } from '@octokit/request-error'
import type { Octokit } from '@octokit/rest'
import { createClient } from '../../code/host/client.ts'
import { isRefusal, statusOf } from '../../code/host/failures.ts'
import type { Config } from '../../config/config.ts'
import { type Finding, ok, warn, wrong } from '../../config/finding.ts'
import { limitSignal } from '../../config/time-limit.ts'
import { repositoryAuth } from '../../startup/connect/repositories.ts'
import { checkApp, checkReader } from './github-app.ts'

const once = { request: { retries: 0 } }

/** Checks whether the credentials may do what the service does at the code host, and the webhook; creates nothing. */
export async function checkGitHub(config: Config): Promise<Finding[]> {
  const auth = repositoryAuth(config)
  if (!auth) {
    const text = config.EMBEDDED === 'off' ? 'activations get 503' : 'an embedded stand-in will run'
    return [(config.EMBEDDED === 'off' ? warn : ok)('GITHUB_TOKEN', `not set: ${text}`)]
  }
  const about = 'token' in auth ? 'GITHUB_TOKEN' : 'GITHUB_APP_ID'
  const octokit = createClient(config.GITHUB_API_URL, auth)
  try {
    const app = 'token' in auth ? [] : await checkApp(octokit, config)
    const { headers, data } = await octokit.rest.orgs.get({ org: config.GITHUB_ORGANIZATION, ...once })
    const token =
      'token' in auth
        ? [
            checkScopes(headers['x-oauth-scopes']),
            ...(await checkReading(octokit, config.GITHUB_ORGANIZATION)),
          ]
        : []
    if (!data.login) throw new Error('what responds is no code host')
    const reader = await checkReader(config).catch((error) => [
      refusal('GITHUB_READER_APP_ID', error, config.GITHUB_ORGANIZATION),
    ])
    return [ok('GITHUB_ORGANIZATION', data.login), ...app, ...reader, ...token, ...checkSecret(config)]
  } catch (error) {
    if (await isEnterprise(config.GITHUB_API_URL)) return [wrong('GITHUB_API_URL', withoutPath)]
    return [refusal(about, error, config.GITHUB_ORGANIZATION)]
  }
}

const enterprisePath = '/api/v3'
const withoutPath = `is the address of GitHub Enterprise without \`${enterprisePath}\`: add it`

/** Whether GitHub Enterprise responds below the path that the address lacks. */
async function isEnterprise(url: string): Promise<boolean> {
  if (url.includes(enterprisePath)) return false
  const found = await fetch(`${url.replace(/\/+$/, '')}${enterprisePath}/meta`, {
    signal: limitSignal(5000),
  }).catch(() => undefined)
  await found?.body?.cancel()
  return found?.headers.has('x-github-enterprise-version') ?? false
}

function checkSecret({ GITHUB_WEBHOOK_SECRET: secret, GITHUB_APP_ID: app }: Config): Finding[] {
  const about = 'GITHUB_WEBHOOK_SECRET'
  if (!secret)
    return [warn(about, 'not set: what happens at the code host is noticed by polling only, minutes later')]
  return app ? [] : [ok(about, 'set; only with an App can the webhook be checked')]
}

/** Only classic tokens list their scopes; the permissions of a fine-grained token are known only when it is used. */
function checkScopes(scopes: string | number | undefined): Finding {
  if (scopes === undefined) return ok('GITHUB_TOKEN', 'accepted; its permissions cannot be listed')
  const has = String(scopes).split(/,\s*/)
  return has.includes('repo') || has.includes('public_repo')
    ? ok('GITHUB_TOKEN', 'may create repositories')
    : wrong('GITHUB_TOKEN', 'lacks the scope public_repo')
}

/** The permissions that reading checks needs. They are tried on the newest repository; an organization without one shows nothing. */
async function checkReading(octokit: Octokit, org: string): Promise<Finding[]> {
  const repositories = await octokit.rest.repos
    .listForOrg({ org, sort: 'pushed', per_page: 1, ...once })
    .catch(() => undefined)
  const [repository] = repositories?.data ?? []
  if (!repository?.default_branch) return []
  const at = { owner: org, repo: repository.name, ref: repository.default_branch, per_page: 1, ...once }
  const isForbidden = (error: unknown) => statusOf(error) === 403 && isRefusal(error)
  const tried = [
    ['Checks: read', octokit.rest.checks.listForRef(at)],
    ['Commit statuses: read', octokit.rest.repos.getCombinedStatusForRef(at)],
  ] as const
  const results = await Promise.allSettled(tried.map(([, response]) => response))
  return results.flatMap((result, index) =>
    result.status === 'rejected' && isForbidden(result.reason)
      ? [warn('GITHUB_TOKEN', `lacks ${tried[index]?.[0]}: the checks of pull requests are \`unknown\``)]
      : [],
  )
}

function refusal(about: string, error: unknown, organization: string): Finding {
  const status = statusOf(error)
  if (status === 401) return wrong(about, 'the code host refuses these credentials')
  if (status === 403) return wrong(about, 'the code host forbids it, or its rate limit is used up')
  const url = error instanceof RequestError ? error.request.url : ''
  if (status === 404 && url.endsWith('/app')) return wrong(about, 'there is no such App')
  if (status === 404 && url.includes('/app/installations/'))
    return wrong('GITHUB_APP_INSTALLATION_ID', 'there is no such installation of the App')
  if (status === 404)
    return wrong('GITHUB_ORGANIZATION', `${organization} does not exist, or these credentials cannot see it`)
  return wrong('GITHUB_API_URL', status ? `answers with status ${status}` : 'does not answer')
}
