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
  /** Whether this call created it; then nobody can have changed anything in it yet. */
  created: boolean
}

interface Target {
  octokit: Octokit
  organization: string
  repository: FoundRepository
  project: NamedProject
  marketplaceUrl: string | undefined
  /** Whether the service is a GitHub App at the host. */
  isApp: boolean
}

/** A setting that could not be applied. */
interface FailedSetting {
  setting: string
  kind: RepositoryError['kind']
  status: number | undefined
}

const attempts = 3
const App = z.object({ slug: z.string().min(1) })
const Readme = z.object({ content: z.string(), sha: z.string().min(1) })

/**
 * Adds to a created repository: a README for agents, protection of the default branch.
 * Existing settings are not changed, so it can be repeated after a crash. The host's plan or the permissions may forbid some of them. A project
 * works without them, so no refusal of the host is an error.
 *
 * @param deadline milliseconds since the epoch, after which no request is sent
 * @returns the settings that could not be applied
 * @throws RepositoryError with `retryAfter` if the host limits requests: then it is to be repeated
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
      if (failure.retryAfter !== undefined) throw failure
      return [{ setting, kind: failure.kind, status: statusOf(error) }]
    }
  }
  return [
    // The file first: a protected branch refuses it if our credentials are not an administrator's.
    ...(await apply('readme', writeReadme)),
    ...(await apply('protection', protect)),
  ]
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
  await untilWritten(request, async () => {
    const found = await octokit.rest.repos
      .getReadme({ ...at, request: { ...request } })
      .catch(undefinedIfMissing)
    if (!found) return false
    const { sha, ...encoded } = parseBody(Readme, found.data)
    const content = Buffer.from(encoded.content, 'base64').toString()
    first ??= sha
    const untouched = repository.created ? sha === first : isInitialReadme(content, at.repo, descriptions)
    if (content === text || !untouched) return true
    const message = 'Describe the project and how to work here'
    return commit(target, request, { path: 'README.md', message, text, sha })
  })
}

/** Tries until `attempt` returns true. */
async function untilWritten(request: Budget, attempt: () => Promise<boolean>): Promise<void> {
  for (let count = 1; count <= attempts; count++) {
    if (await attempt()) return
    await sleep(250 * count, undefined, { signal: request.signal })
  }
  throw new RepositoryError('unavailable')
}

/** Writes a file; false if its state has to be read again. `sha` is the file's present content, absent for a new file. */
async function commit(
  { octokit, organization, repository }: Target,
  request: Budget,
  { text, ...file }: { path: string; message: string; text: string; sha?: string },
): Promise<boolean> {
  try {
    await octokit.rest.repos.createOrUpdateFileContents({
      owner: organization,
      repo: repository.name,
      ...file,
      content: Buffer.from(text).toString('base64'),
      branch: repository.defaultBranch,
      request: { ...request, retries: 0 },
    })
    return true
  } catch (error) {
    // The branch may not exist yet, or the response was lost.
    if (statusOf(error) !== 409 && !isUnknownOutcome(error)) throw error
    return false
  }
}

/**
 * The branch changes by pull request only, without a required review, and cannot be rewritten. Administrators may override
 * that, and so may the service, which merges a paid commit by its hash where its pull request has moved on. An App is no
 * administrator, so it is named.
 */
async function protect(target: Target, request: Budget): Promise<void> {
  const { octokit, organization, repository } = target
  const at = { owner: organization, repo: repository.name, branch: repository.defaultBranch }
  if (!repository.created) {
    const existing = await octokit.rest.repos
      .getBranchProtection({ ...at, request: { ...request } })
      .catch(undefinedIfMissing)
    if (existing) return
  }
  const app = target.isApp && (await octokit.rest.apps.getAuthenticated({ request: { ...request } })).data
  await octokit.rest.repos.updateBranchProtection({
    ...at,
    required_status_checks: null,
    enforce_admins: false,
    required_pull_request_reviews: {
      required_approving_review_count: 0,
      ...(app && { bypass_pull_request_allowances: { apps: [parseBody(App, app).slug] } }),
    },
    restrictions: null,
    allow_force_pushes: false,
    allow_deletions: false,
    request: { ...request },
  })
}
