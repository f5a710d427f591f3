import { execFile } from 'node:child_process'
import { devNull } from 'node:os'
import process from 'node:process'
import { promisify } from 'node:util'
import type { Marketplace } from '../client.ts'
import { MarketplaceError } from '../core/errors.ts'

const run = promisify(execFile)
const restMs = 60_000

/** How to log in where the code host is GitHub. */
export interface LogInOptions {
  /** A token of a GitHub account that may fork public repositories and push to its forks. The embedded code host needs none. */
  githubToken?: string | undefined
}

/** An account at the code host. Its token is neither in arguments nor in files, and goes to this host alone. */
export interface Account {
  login: string
  /**
   * Runs git without the configuration, hooks and helpers of this machine, and without following submodules or making links. Nothing
   * of a clone is executed. Returns what git prints.
   */
  git(folder: string, ...args: string[]): Promise<string>
  /** Sends a request to the REST interface, which is GitHub's. `path` begins with `/repos/`. */
  rest<Body>(method: string, path: string, body?: object): Promise<Body>
  /** Where to push branches of a repository: to itself, or at GitHub to the fork of this account, which it makes. */
  pushUrl(repoUrl: string): Promise<string>
}

/**
 * Logs in at the code host of a marketplace: at the embedded one with the API key or `work` token of `market`, at GitHub with a token
 * of your own. No key is sent to GitHub.
 * @throws MarketplaceError if there is no code host, or if it needs `githubToken`
 */
export async function logIn(
  market: Pick<Marketplace, 'config' | 'request'>,
  { githubToken }: LogInOptions = {},
): Promise<Account> {
  const { github } = (await market.config.public()).config
  if (!github) throw new MarketplaceError('The marketplace has no code host')
  const { url, api_url, token_url } = github
  if (token_url === null) {
    if (!githubToken) throw new MarketplaceError(`githubToken must be a token of your account at ${url}`)
    const rest = restWith(api_url, githubToken)
    const { login } = await rest<{ login: string }>('GET', '/user')
    return { login, rest, git: gitWith(url, login, githubToken), pushUrl: forkWith(rest) }
  }
  // The address is another one than the marketplace's. Nobody else can listen on it.
  if (new URL(token_url).hostname !== '127.0.0.1')
    throw new MarketplaceError(`The code host at ${url} is not on this machine`)
  const toHost: typeof fetch = (_, init) => fetch(token_url, init)
  const { token, login } = await market.request<{ token: string; login: string }>(
    'POST /token',
    { expects: 'token' },
    { fetch: toHost },
  )
  const rest = restWith(api_url, token)
  return { login, rest, git: gitWith(url, login, token), pushUrl: async (repoUrl) => repoUrl }
}

/**
 * Commits all changes in the folder of a clone that {@link Account.git} made. Where others have put a link into the repository there is a
 * file: if it has changed, it is committed as a file.
 */
export async function commit(
  { git }: Pick<Account, 'git'>,
  folder: string,
  ...paragraphs: string[]
): Promise<void> {
  // ':120000 120000 <id> <id> M', then the path. Git would commit the new text as the target of a link.
  const changed = (await git(folder, 'diff', '--raw', '-z', '--no-renames')).split('\0')
  const links = changed.filter((_, at) => at % 2 === 1 && changed[at - 1]?.startsWith(':120000'))
  if (links.length > 0) await git(folder, 'rm', '--cached', '--quiet', '--', ...links)
  await git(folder, 'add', '--all')
  await git(folder, 'commit', '--quiet', ...paragraphs.flatMap((text) => ['--message', text]))
}

function gitWith(hostUrl: string, login: string, token: string): Account['git'] {
  const { origin } = new URL(hostUrl)
  const settings = Object.entries({
    [`http.${origin}/.extraHeader`]: `Authorization: Basic ${btoa(`x-access-token:${token}`)}`,
    // A redirect would take the token along.
    'http.followRedirects': 'false',
    // A connection that stands still for a minute is given up.
    'http.lowSpeedLimit': '1',
    'http.lowSpeedTime': '60',
    // Others write the repository. A link in it would lead what is written here to any file of this machine.
    'core.symlinks': 'false',
    'core.hooksPath': devNull,
    'core.fsmonitor': 'false',
    'submodule.recurse': 'false',
    // Nothing goes on in a folder that is about to be removed.
    'gc.auto': '0',
  })
  const own = Object.entries(process.env).filter(([name]) => !/^(GIT_|BOUNTY_MARKETPLACE_)/.test(name))
  const env = {
    ...Object.fromEntries(own),
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ALLOW_PROTOCOL: 'http:https:file',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_AUTHOR_NAME: login,
    GIT_AUTHOR_EMAIL: `${login}@example.org`,
    GIT_COMMITTER_NAME: login,
    GIT_COMMITTER_EMAIL: `${login}@example.org`,
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(settings.map(([name], at) => [`GIT_CONFIG_KEY_${at}`, name])),
    ...Object.fromEntries(settings.map(([, value], at) => [`GIT_CONFIG_VALUE_${at}`, value])),
  }
  return async (folder, ...args) =>
    (await run('git', args, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 })).stdout.trim()
}

function restWith(apiUrl: string, token: string): Account['rest'] {
  return async <Body>(method: string, path: string, body?: object) => {
    const response = await fetch(apiUrl + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(restMs),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    })
    if (!response.ok)
      throw new MarketplaceError(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Body
  }
}

/** GitHub returns the fork that is there, or begins to make one: a push before it is ready fails, and is tried again. */
function forkWith(rest: Account['rest']): Account['pushUrl'] {
  return async (repoUrl) => {
    const { clone_url } = await rest<{ clone_url: string }>(
      'POST',
      `/repos${new URL(repoUrl).pathname}/forks`,
    )
    return clone_url.replace(/\.git$/, '')
  }
}
