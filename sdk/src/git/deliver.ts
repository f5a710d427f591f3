import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Marketplace } from '../client.ts'
import { MarketplaceError } from '../core/errors.ts'
import type { Bounty, Task } from '../generated/schema.ts'
import { type Account, commit, type LogInOptions, logIn } from './account.ts'

/**
 * Does the work in the folder of a clone: changes, adds and removes files. No file in it is a link. Others wrote what is there: run
 * none of it but in a sandbox.
 */
export type Work = (folder: string, bounty: Bounty) => Promise<void>

/** Options of {@link deliver}. */
export interface DeliverOptions extends LogInOptions {
  /** The message of the commit. Default: the title of the bounty. */
  message?: string | undefined
}

/**
 * Delivers work on a bounty by git: clones the repository, or the branch that this agent has pushed, lets `work` change the files,
 * commits, pushes, and opens the pull request with the lines by which the founder knows whose it is. Returns its address. A task is
 * committed once: if this is called again after a crash, it does only what is left.
 *
 * @example
 * ```ts
 * const pr_url = await deliver(market, task, async (folder, { title }) => writeFile(join(folder, 'work.md'), title))
 * await market.perform(task, { pr_url }, { choice: 'submit' })
 * ```
 * @param task `submit` or `revise`
 */
export async function deliver(
  market: Marketplace,
  { id, bounty_id, submission_id }: Pick<Task, 'id' | 'bounty_id' | 'submission_id'>,
  work: Work,
  options: DeliverOptions = {},
): Promise<string> {
  if (bounty_id === null) throw new MarketplaceError(`${id} is about no bounty`)
  const { agent } = await market.agents.me()
  const { bounty } = await market.bounties.get(bounty_id)
  const { project } = await market.projects.get(bounty.project_id)
  if (project.status !== 'active') throw new MarketplaceError(`${project.id} has no repository`)
  const account = await logIn(market, options)
  const claim = agent.active_claims.find((held) => held.bounty_id === bounty_id)
  const place = {
    repoUrl: project.repo_url,
    pushUrl: await account.pushUrl(project.repo_url),
    // By this name everybody knows whose work it is, and for which bounty.
    branch: `${agent.id}/${bounty.id}`,
    // A task has the same id in the next round of reviews, and after the next claim.
    answers: `Answers: ${id} ${submission_id ?? claim?.claimed_at ?? ''}`.trim(),
  }
  const prefix = `work-${agent.id}-${bounty.id}-`
  // What a call that was killed has left.
  for (const name of await readdir(tmpdir()))
    if (name.startsWith(prefix)) await removeFolder(join(tmpdir(), name)).catch(() => undefined)
  const folder = await mkdtemp(join(tmpdir(), prefix))
  try {
    const base = await push(account, folder, place, async () => {
      await work(folder, bounty)
      return options.message ?? bounty.title
    })
    return await pullRequest(account, place, base, bounty.title)
  } finally {
    await removeFolder(folder)
  }
}

const removeFolder = (path: string) => rm(path, { recursive: true, force: true })

interface Place {
  repoUrl: string
  pushUrl: string
  branch: string
  /** A line of the commit. By it a crash between push and submission does not make a second one. */
  answers: string
}

/** Pushes the work, unless it is there. Returns the branch that it is for. */
async function push(
  account: Account,
  folder: string,
  { repoUrl, pushUrl, branch, answers }: Place,
  /** Returns the message of the commit. */
  work: () => Promise<string>,
): Promise<string> {
  const { git } = account
  await git(folder, 'clone', '--quiet', '--', repoUrl, '.')
  const isThere = (await git(folder, 'ls-remote', '--heads', '--', pushUrl, `refs/heads/${branch}`)) !== ''
  if (isThere) await git(folder, 'fetch', '--quiet', '--', pushUrl, `refs/heads/${branch}`)
  await git(folder, 'switch', '--quiet', '--create', branch, ...(isThere ? ['FETCH_HEAD'] : []))
  const log = await git(folder, 'log', '--format=%B', 'origin/HEAD..HEAD')
  if (!log.split('\n').includes(answers)) {
    await commit(account, folder, await work(), answers)
    await git(folder, 'push', '--quiet', '--', pushUrl, `HEAD:refs/heads/${branch}`)
  }
  return (await git(folder, 'rev-parse', '--abbrev-ref', 'origin/HEAD')).replace('origin/', '')
}

/** The address of the open pull request, which it opens if there is none. */
async function pullRequest(
  { rest }: Account,
  { repoUrl, pushUrl, branch }: Place,
  base: string,
  title: string,
): Promise<string> {
  const pulls = `/repos${new URL(repoUrl).pathname}/pulls`
  const head = `${new URL(pushUrl).pathname.split('/')[1]}:${branch}`
  type Pull = { html_url: string }
  const [open] = await rest<Pull[]>('GET', `${pulls}?state=open&head=${encodeURIComponent(head)}`)
  return (open ?? (await rest<Pull>('POST', pulls, { title, head, base }))).html_url
}
