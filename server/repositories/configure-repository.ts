import { setTimeout as sleep } from 'node:timers/promises'
import type { Octokit } from '@octokit/rest'
import { z } from 'zod'
import { withinBudget } from './budget.ts'
import type { Budget } from './client.ts'
import { RepositoryError } from './error.ts'
import { isMissing, isUnknownOutcome, statusOf, toRepositoryError } from './failures.ts'
import { type NamedProject, repositoryDescription } from './naming.ts'
import { isInitialReadme, readmeText } from './readme.ts'

/** A repository of ours, as the host described it. */
export interface FoundRepository {
  name: string
  description: string | null
  defaultBranch: string
  topics: string[]
  /** Whether this very call has created it: then nobody can have changed anything yet. */
  created: boolean
}

interface Target {
  octokit: Octokit
  organization: string
  repository: FoundRepository
  project: NamedProject
  marketplaceUrl: string | undefined
}

/** A setting that could not be made. */
interface Unmade {
  setting: string
  kind: RepositoryError['kind']
  status: number | undefined
}

const ourTopics = ['ai-agents', 'bounties', 'bounty-marketplace']
const mostTopics = 20
const attempts = 3
const Readme = z.object({ content: z.string(), sha: z.string().min(1) })

/**
 * Completes what creating a repository leaves out: topics, a README for agents, protection of the default branch.
 * What is there already stays as it is, so it can be repeated after a crash. The host may not allow some of it, by
 * plan or permission: a project works without, so nothing that the host answers is an error.
 *
 * @param deadline milliseconds since the epoch, after which nothing more is sent
 * @returns what could not be made
 */
export async function configureRepository(target: Target, deadline: number): Promise<Unmade[]> {
  const made = async (setting: string, make: (target: Target, budget: Budget) => Promise<void>) => {
    try {
      const left = deadline - Date.now()
      if (left <= 0) throw new RepositoryError('unavailable')
      await withinBudget(left, (budget) => make(target, budget))
      return []
    } catch (error) {
      const failure = toRepositoryError(error)
      if (!failure) throw error // a mistake of ours
      return [{ setting, kind: failure.kind, status: statusOf(error) }]
    }
  }
  const unmade = await Promise.all([
    made('topics', addTopics),
    // One after the other: a protected branch would refuse the README of whoever is not its administrator.
    made('readme', writeReadme).then(async (before) => [...before, ...(await made('protection', protect))]),
  ])
  return unmade.flat()
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
 * Replaces the README that the repository was created with, and no other. In the call that created the repository that
 * is the one found first; later one that still says what the host wrote. The host compares `sha` again, so an edit
 * made meanwhile is never lost.
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
      .catch((error: unknown) => {
        if (!isMissing(error)) throw error
      })
    if (found) {
      const { content, sha } = readme(found.data)
      first ??= sha
      const untouched = repository.created ? sha === first : isInitialReadme(content, at.repo, descriptions)
      if (content === text || !untouched) return
      try {
        await octokit.rest.repos.createOrUpdateFileContents({
          ...at,
          path: 'README.md',
          message: 'Say what the project is and how to work here',
          content: Buffer.from(text).toString('base64'),
          sha,
          branch: repository.defaultBranch,
          request: { ...request, retries: 0 },
        })
        return
      } catch (error) {
        // The branch may still be in the making, or the answer was lost: the next look tells.
        if (statusOf(error) !== 409 && !isUnknownOutcome(error)) throw error
      }
    }
    await sleep(250 * attempt, undefined, { signal: request.signal })
  }
  throw new RepositoryError('unavailable')
}

function readme(data: unknown): { content: string; sha: string } {
  const parsed = Readme.safeParse(data)
  if (!parsed.success) throw new RepositoryError('unavailable')
  const { content, sha } = parsed.data
  return { content: Buffer.from(content, 'base64').toString(), sha }
}

/** The branch moves by pull request, which needs nobody's review, and is never rewritten; administrators may step in. */
async function protect({ octokit, organization, repository }: Target, request: Budget): Promise<void> {
  const at = { owner: organization, repo: repository.name, branch: repository.defaultBranch }
  if (!repository.created) {
    const there = await octokit.rest.repos
      .getBranchProtection({ ...at, request: { ...request } })
      .catch((error: unknown) => {
        if (!isMissing(error)) throw error
      })
    if (there) return
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
