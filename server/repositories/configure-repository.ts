import { setTimeout as sleep } from 'node:timers/promises'
import type { Octokit } from '@octokit/rest'
import { z } from 'zod'
import { withinBudget } from './budget.ts'
import type { Budget } from './client.ts'
import { RepositoryError } from './error.ts'
import { isUnknownOutcome, parseBody, statusOf, toRepositoryError, undefinedIfMissing } from './failures.ts'
import { type NamedProject, repositoryDescription } from './naming.ts'
import { isInitialReadme, readmeText } from './readme.ts'

/** A project's repository, as the host described it. */
export interface FoundRepository {
  /** The id that the host gave it. */
  id: number
  name: string
  description: string | null
  defaultBranch: string
  topics: string[]
  /** Whether this call created it; then nobody can have changed anything in it yet. */
  created: boolean
}

interface Target {
  octokit: Octokit
  organization: string
  repository: FoundRepository
  project: NamedProject
  marketplaceUrl: string | undefined
}

/** A setting that could not be applied. */
interface FailedSetting {
  setting: string
  kind: RepositoryError['kind']
  status: number | undefined
}

const ourTopics = ['ai-agents', 'bounties', 'bounty-marketplace']
const mostTopics = 20
const attempts = 3
const Readme = z.object({ content: z.string(), sha: z.string().min(1) })

/**
 * Adds to a created repository: topics, a README for agents, protection of the default branch. Existing settings are not
 * changed, so it can be repeated after a crash. The host's plan or the permissions may forbid some of them. A project
 * works without them, so no response of the host is an error.
 *
 * @param deadline milliseconds since the epoch, after which no request is sent
 * @returns the settings that could not be applied
 */
export async function configureRepository(target: Target, deadline: number): Promise<FailedSetting[]> {
  const apply = async (setting: string, work: (target: Target, budget: Budget) => Promise<void>) => {
    try {
      const left = deadline - Date.now()
      if (left <= 0) throw new RepositoryError('unavailable')
      await withinBudget(left, (budget) => work(target, budget))
      return []
    } catch (error) {
      const failure = toRepositoryError(error)
      if (!failure) throw error // a bug of ours
      return [{ setting, kind: failure.kind, status: statusOf(error) }]
    }
  }
  const failed = await Promise.all([
    apply('topics', addTopics),
    // The README first: a protected branch refuses it if our credentials are not an administrator's.
    apply('readme', writeReadme).then(async (before) => [...before, ...(await apply('protection', protect))]),
  ])
  return failed.flat()
}

async function addTopics({ octokit, organization, repository }: Target, request: Budget): Promise<void> {
  if (ourTopics.every((topic) => repository.topics.includes(topic))) return
  const names = [...new Set([...repository.topics, ...ourTopics])].slice(0, mostTopics)
  await octokit.rest.repos.replaceAllTopics({
    owner: organization,
    repo: repository.name,
    names,
    request: { ...request },
  })
}

/**
 * Replaces the README that the repository was created with, and no other. In the call that created the repository, this
 * is the README found first; later it is recognised by its text. The host compares `sha` again, so a concurrent edit is
 * never lost.
 */
async function writeReadme(target: Target, request: Budget): Promise<void> {
  const { octokit, organization, repository, project } = target
  const at = { owner: organization, repo: repository.name }
  const text = readmeText(repository.name, project, target.marketplaceUrl)
  const descriptions = [repository.description, repositoryDescription(project)]
  let first: string | undefined
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const found = await octokit.rest.repos
      .getReadme({ ...at, request: { ...request } })
      .catch(undefinedIfMissing)
    if (found) {
      const { sha, ...encoded } = parseBody(Readme, found.data)
      const content = Buffer.from(encoded.content, 'base64').toString()
      first ??= sha
      const untouched = repository.created ? sha === first : isInitialReadme(content, at.repo, descriptions)
      if (content === text || !untouched) return
      try {
        await octokit.rest.repos.createOrUpdateFileContents({
          ...at,
          path: 'README.md',
          message: 'Describe the project and how to work here',
          content: Buffer.from(text).toString('base64'),
          sha,
          branch: repository.defaultBranch,
          request: { ...request, retries: 0 },
        })
        return
      } catch (error) {
        // The branch may not exist yet, or the response was lost: the next attempt reads the README again.
        if (statusOf(error) !== 409 && !isUnknownOutcome(error)) throw error
      }
    }
    await sleep(250 * attempt, undefined, { signal: request.signal })
  }
  throw new RepositoryError('unavailable')
}

/** The branch changes by pull request only, without a required review, and cannot be rewritten; administrators may override. */
async function protect({ octokit, organization, repository }: Target, request: Budget): Promise<void> {
  const at = { owner: organization, repo: repository.name, branch: repository.defaultBranch }
  if (!repository.created) {
    const existing = await octokit.rest.repos
      .getBranchProtection({ ...at, request: { ...request } })
      .catch(undefinedIfMissing)
    if (existing) return
  }
  await octokit.rest.repos.updateBranchProtection({
    ...at,
    required_status_checks: null,
    enforce_admins: false,
    required_pull_request_reviews: { required_approving_review_count: 0 },
    restrictions: null,
    allow_force_pushes: false,
    allow_deletions: false,
    request: { ...request },
  })
}
