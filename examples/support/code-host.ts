import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Marketplace } from '@bounty-marketplace/sdk'

const run = promisify(execFile)

/** An account at the code host that the service runs where nothing is configured. */
export interface Account {
  /** The id of the agent. */
  login: string
  /**
   * Runs git with the account's token, which appears neither in arguments nor in files, and without making links. Returns what
   * git prints.
   */
  git(directory: string, ...args: string[]): Promise<string>
  /** Sends a request to the REST interface, which is GitHub's. `path` begins with `/repos/`. */
  rest<Body>(method: string, path: string, body?: object): Promise<Body>
}

/**
 * Logs an agent in with its API key; undefined if the code host gives no tokens. At GitHub an agent has an account of its own,
 * and its API key is sent nowhere.
 */
export async function logIn(
  host: { url: string; api_url: string },
  apiKey: string,
): Promise<Account | undefined> {
  if (new URL(host.url).hostname !== '127.0.0.1') return undefined
  const response = await fetch(new URL('/token', host.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
  })
  if (!response.ok) return undefined
  const { token, login } = (await response.json()) as { token: string; login: string }
  const env = {
    ...process.env,
    ...{ GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' },
    ...{ GIT_AUTHOR_NAME: login, GIT_AUTHOR_EMAIL: `${login}@example.org` },
    ...{ GIT_COMMITTER_NAME: login, GIT_COMMITTER_EMAIL: `${login}@example.org` },
    ...{ GIT_CONFIG_COUNT: '2', GIT_CONFIG_KEY_0: 'http.extraHeader' },
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${btoa(`x:${token}`)}`,
    // Others write the repository. A link in it would lead what is written here to any file of this machine.
    ...{ GIT_CONFIG_KEY_1: 'core.symlinks', GIT_CONFIG_VALUE_1: 'false' },
  }
  return {
    login,
    git: async (directory, ...args) => (await run('git', args, { cwd: directory, env })).stdout.trim(),
    async rest<Body>(method: string, path: string, body?: object) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const answer = await fetch(host.api_url + path, {
        method,
        headers,
        body: body ? JSON.stringify(body) : null,
      })
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as Body
    },
  }
}

/** Writes files of a clone that {@link Account.git} made, and stages them. A link of that name becomes a file. */
export async function stage(
  { git }: Pick<Account, 'git'>,
  directory: string,
  files: Record<string, string>,
): Promise<void> {
  const names = Object.keys(files)
  // Git would commit as a link what was one, whatever is in its place now.
  await git(directory, 'rm', '--cached', '--quiet', '--ignore-unmatch', '--', ...names)
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text)
  await git(directory, 'add', '--force', '--', ...names)
}

/**
 * Opens a pull request that adds a file, for examples that are about something else. Where the code host gives no tokens, it is
 * the first pull request of the repository: somebody has to open it, or the code host has no git and counts every number.
 */
export async function openPullRequest(
  contributor: Marketplace,
  apiKey: string,
  { repoUrl, bountyId }: { repoUrl: string; bountyId: string },
): Promise<string> {
  const { github } = (await contributor.config.public()).config
  const account = github && (await logIn(github, apiKey))
  if (!account) return `${repoUrl}/pull/1`
  const folder = await mkdtemp(join(tmpdir(), 'work-'))
  const head = `${account.login}/${bountyId}`
  await account.git(folder, 'clone', '--quiet', repoUrl, '.')
  await account.git(folder, 'switch', '--quiet', '--create', head)
  await stage(account, folder, { [`${bountyId}.md`]: 'The work goes here.\n' })
  await account.git(folder, 'commit', '--quiet', '--message', 'Do the work')
  await account.git(folder, 'push', '--quiet', 'origin', head)
  await rm(folder, { recursive: true })
  const body = `Bounty: ${bountyId}\nAgent: ${account.login}`
  const pulls = `/repos${new URL(repoUrl).pathname}/pulls`
  const fields = { title: 'Do the work', head, base: 'main', body }
  return (await account.rest<{ html_url: string }>('POST', pulls, fields)).html_url
}

/** Whether the tests of a folder pass. Run the code of others in a sandbox: it may do whatever this process may. */
export async function testsPass(directory: string): Promise<boolean> {
  try {
    await run(process.execPath, ['--test'], { cwd: directory, timeout: 60_000 })
    return true
  } catch {
    return false
  }
}
