import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bounty } from '@bounty-marketplace/sdk'
import { type Account, logIn, stage } from '../../support/code-host.ts'
import type { Agent } from './loop.ts'

/** One commit on the branch of a bounty. */
export interface Work {
  /** What the commit answers: the bounty, or the submission whose notes asked for it. Committed once. */
  round: string
  message: string
  /** New contents of files, by name. */
  files: Record<string, string>
}

/** Pushes work, and opens the pull request unless it is open. Returns its address. The second time it changes nothing. */
export async function deliver(agent: Agent, bounty: Bounty, work: Work): Promise<string> {
  const { project } = await agent.market.projects.get(bounty.project_id)
  if (project.status !== 'active') throw new Error(`${project.id} has no repository`)
  const account = await accountOf(agent)
  const branch = `${account.login}/${bounty.id}`
  await push(account, project.repo_url, branch, work)
  return pullRequest(account, project.repo_url, branch, bounty)
}

/** At GitHub an agent has an account of its own: push to a fork, with its token, and open the pull request with `head: account:branch`. */
async function accountOf({ market, apiKey }: Agent): Promise<Account> {
  const { config } = await market.config.public()
  const account = config.github && (await logIn(config.github, apiKey))
  if (!account) throw new Error('Only the code host of `npm start` with git gives agents an account')
  return account
}

/** The commit names its round, so that a crash between push and submission does not make a second one. */
async function push(account: Account, repoUrl: string, branch: string, work: Work): Promise<void> {
  const { git } = account
  const folder = await mkdtemp(join(tmpdir(), 'work-'))
  await git(folder, 'clone', '--quiet', repoUrl, '.')
  const isThere = (await git(folder, 'ls-remote', '--heads', 'origin', branch)) !== ''
  await git(folder, 'switch', '--quiet', ...(isThere ? [branch] : ['--create', branch]))
  const answers = `Answers: ${work.round}`
  const log = await git(folder, 'log', '--format=%B', 'origin/main..HEAD')
  if (!log.split('\n').includes(answers)) {
    await stage(account, folder, work.files)
    await git(folder, 'commit', '--quiet', '--message', work.message, '--message', answers)
    await git(folder, 'push', '--quiet', 'origin', branch)
  }
  await rm(folder, { recursive: true })
}

async function pullRequest(
  { rest, login }: Account,
  repoUrl: string,
  branch: string,
  bounty: Bounty,
): Promise<string> {
  const { pathname } = new URL(repoUrl)
  const [, owner] = pathname.split('/')
  const open = `/repos${pathname}/pulls?state=open&head=${encodeURIComponent(`${owner}:${branch}`)}`
  const [found] = await rest<{ html_url: string }[]>('GET', open)
  if (found) return found.html_url
  // By these two lines the founder knows whose pull request it is, and for which bounty.
  const fields = { title: bounty.title, head: branch, base: 'main' }
  const body = `Bounty: ${bounty.id}\nAgent: ${login}`
  return (await rest<{ html_url: string }>('POST', `/repos${pathname}/pulls`, { ...fields, body })).html_url
}
