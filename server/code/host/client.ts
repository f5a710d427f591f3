import { createPrivateKey } from 'node:crypto'
import { createAppAuth } from '@octokit/auth-app'
import { retry } from '@octokit/plugin-retry'
import { throttling } from '@octokit/plugin-throttling'
import { RequestError } from '@octokit/request-error'
import { Octokit } from '@octokit/rest'
import Bottleneck from 'bottleneck'
import { servedAgent } from '../../auth/served-agent.ts'
import { limitPerKey } from '../../config/limit-per-key.ts'
import { limitSignal } from '../../config/time-limit.ts'
import { statusOf } from './failures.ts'
import { followQuota, type Quota } from './quota.ts'

/** Credentials: a token, or a GitHub App with one of its installations. Without one it signs only what is about the App itself. */
export type RepositoryAuth =
  | { token: string }
  | { appId: number | string; privateKey: string; installationId?: number | string }

/** Time limit of one call with all its requests; passed as `request` with every request of the call. */
export interface Budget {
  signal: AbortSignal
  /** Milliseconds since the epoch. */
  deadline: number
}

const attemptMs = 10_000
const throttledRetries = 2

/** An Octokit that knows what the host still lets it request. */
export type Client = Octokit & { quota: Quota }

/**
 * An Octokit for one host. It waits for rate limits to end and repeats failed reads, as far as the call's budget allows.
 * Requests that must not be repeated blindly are sent with `retries: 0`.
 */
export function createClient(apiUrl: string, auth: RepositoryAuth): Client {
  // The first is next to the host: what the others repeat or hold back passes it.
  const Limited = Octokit.plugin(followQuota, retry, throttling)
  const waitIfTimeAllows = (seconds: number, options: { request?: unknown }, _: unknown, count: number) => {
    const deadline = (options.request as Partial<Budget> | undefined)?.deadline ?? 0
    return count < throttledRetries && Date.now() + seconds * 1000 < deadline
  }
  const client = new Limited({
    ...credentials(auth),
    baseUrl: apiUrl,
    userAgent: 'bounty-marketplace',
    log: { debug() {}, info() {}, warn() {}, error() {} }, // its lines contain addresses
    request: { fetch: fetchWithinHost },
    // The throttling plugin handles 429.
    retry: { doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451], retries: 2 },
    throttle: {
      id: apiUrl,
      ...spacing(apiUrl),
      onRateLimit: waitIfTimeAllows,
      onSecondaryRateLimit: waitIfTimeAllows,
    },
  })
  client.hook.after('request', (response, request) => {
    // A redirect that leads nowhere is no success.
    if (response.status >= 300) throw new RequestError('redirected', response.status, { request, response })
  })
  if ('installationId' in auth) renewRefusedTokens(client)
  shareAmongAgents(client)
  return client
}

/** Requests at once that the requests of one agent cause: those of all others wait for few of it. */
const mostOfAgent = 4

/** However many decisions one agent has under way, the host is free for those of others. */
function shareAmongAgents(client: Octokit): void {
  const { run } = limitPerKey<string>(mostOfAgent)
  client.hook.wrap('request', async (request, options) => {
    const agent = servedAgent.getStore()
    // Others wait for a token of the App.
    if (agent === undefined || isOfApp(options)) return request(options)
    return run(agent, async () => {
      if (options.request.signal?.aborted)
        throw new RequestError('not sent in time', 500, { request: options })
      return request(options)
    })
  })
}

/** Whether a request is about the App itself, which is signed by its key. */
const isOfApp = ({ url }: { url: string }) => /^\/app(\/|$)/.test(url)

/**
 * Exchanges a refused token of the installation for a new one, and sends the request once more. The host ends tokens before their
 * time, when the App is suspended for example, and the App's authentication keeps one for an hour whatever the host says of it.
 */
function renewRefusedTokens(client: Octokit): void {
  let renewal: Promise<unknown> | undefined
  client.hook.wrap('request', async (request, options) => {
    const known = renewal
    try {
      return await request(options)
    } catch (error) {
      if (statusOf(error) !== 401 || isOfApp(options)) throw error
      // Requests that were refused with the same token share one exchange.
      if (renewal === known) renewal = client.auth({ type: 'installation', refresh: true })
      await renewal
      return request(options)
    }
  })
}

function credentials(auth: RepositoryAuth) {
  if ('token' in auth) return { auth: auth.token }
  const privateKey = readKey(auth.privateKey)
  return { authStrategy: createAppAuth, auth: { ...auth, privateKey } }
}

/** GitHub issues PKCS#1 keys, signing needs PKCS#8. Environment files often contain line ends as "\n". */
function readKey(pem: string): string {
  try {
    return createPrivateKey(pem.replaceAll('\\n', '\n')).export({ type: 'pkcs8', format: 'pem' }).toString()
  } catch {
    throw new Error('the private key of the GitHub App is not a PEM private key')
  }
}

/** Requests at once: GitHub takes 100. With the plugin's ten, a few slow ones kept all decisions waiting. */
const mostAtOnce = 50

/**
 * github.com requires a second between writes, and three between those that send notifications, which are the plugin's
 * defaults. Enterprise servers do not.
 */
function spacing(apiUrl: string) {
  const host = new URL(apiUrl).hostname
  const atOnce = (maxConcurrent: number) => new Bottleneck.Group({ maxConcurrent })
  const global = atOnce(mostAtOnce)
  if (host === 'api.github.com' || host.endsWith('.ghe.com')) return { global }
  return { global, write: atOnce(1), notifications: atOnce(1) }
}

/** The version of GitHub's interface that responses are read by. Later ones leave fields out. */
const version = { 'x-github-api-version': '2022-11-28' }

const redirects = [301, 302, 307, 308]
const mostRedirects = 3

/**
 * Limits one attempt to a part of the budget, so that a hanging connection leaves time for another attempt. Follows redirects within
 * the host, which it has for repositories with a new name, by the same method: `fetch` itself turns some writes into reads. The
 * credentials go to this host alone, whatever a redirect names.
 */
const fetchWithinHost: typeof fetch = async (url, init) => {
  const headers = { ...(init?.headers as Record<string, string>), ...version }
  const signal = limitSignal(attemptMs, init?.signal)
  let address = String(url)
  for (let count = 0; ; count++) {
    const response = await fetch(address, { ...init, headers, redirect: 'manual', signal })
    const next = redirects.includes(response.status) && response.headers.get('location')
    if (!next || count === mostRedirects || !isSameHost(next, address)) return response
    await response.body?.cancel()
    address = new URL(next, address).href
  }
}

const isSameHost = (location: string, base: string) =>
  URL.canParse(location, base) && new URL(location, base).origin === new URL(base).origin
