import { channel } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Octokit } from '@octokit/rest'
import { z } from 'zod'
import { withinBudget } from './budget.ts'
import { type Budget, createClient, type RepositoryAuth } from './client.ts'
import { configureRepository, type FoundRepository } from './configure-repository.ts'
import { type Diff, readDiff } from './diff.ts'
import { RepositoryError } from './error.ts'
import {
  isNameTaken,
  isUnknownOutcome,
  parseBody,
  statusOf,
  toRepositoryError,
  undefinedIfMissing,
} from './failures.ts'
import { type Account, findAccount, invite, type RepositoryReference, uninvite } from './maintainers.ts'
import { type CommitToMerge, type MergeOutcome, merge, mergeCommit } from './merge.ts'
import { asLine, belongsTo, type NamedProject, repositoryDescription, repositoryNames } from './naming.ts'
import {
  type Host as HostOfCall,
  type KnownReading,
  type PullRequestAddress,
  type PullRequestReading,
  readPullRequest,
} from './pull-requests.ts'
import { followQuota, type Quota } from './quota.ts'
import { readWork, type Work } from './work.ts'

/** The organization on GitHub, GitHub Enterprise or a host with their REST interface. */
export interface Repositories {
  /**
   * Creates the project's repository, or adopts the one that an earlier attempt created. Idempotent; never adopts a
   * repository of another project. Then adds a README and a protected default branch if they are missing;
   * settings that the host does not allow are logged and left out.
   *
   * @returns the address `{url}/{organization}/{repository}`, and the id that the host gave the repository
   * @throws RepositoryError
   */
  ensure(project: { id: string; name: string; description: string }): Promise<{ url: string; id: number }>
  /**
   * A pull request and the checks of its newest commit; undefined if the host has none of that number. The host need not
   * send again what has not changed since `known`.
   *
   * @param mostMs ends the reading earlier than the budget of a call does
   * @throws RepositoryError
   */
  readPullRequest(
    pullRequest: PullRequestAddress,
    known?: KnownReading,
    mostMs?: number,
  ): Promise<PullRequestReading | undefined>
  /**
   * The changes of a pull request; undefined if the host has none of that number.
   *
   * @throws RepositoryError
   */
  readDiff(pullRequest: PullRequestAddress, mostMs: number): Promise<Diff | undefined>
  /**
   * What has changed in a repository since a moment, the newest first: pull requests that are open or were merged, and at the
   * embedded host branches of agents.
   *
   * @param mostMs ends the reading earlier than the budget of a call does
   * @throws RepositoryError
   */
  readWork(
    repository: { owner: string; repository: string; id: number | null },
    since: Date,
    mostMs?: number,
  ): Promise<Work[]>
  /**
   * Merges exactly the commit `headSha` of the pull request, as one commit with this title, in one line, and message.
   *
   * @throws RepositoryError after which it may have been merged
   */
  merge(pullRequest: PullRequestAddress, commit: CommitToMerge): Promise<MergeOutcome>
  /**
   * Merges exactly the commit `headSha` into the default branch by its hash, whatever has become of its pull request.
   *
   * @throws RepositoryError after which it may have been merged
   */
  mergeCommit(pullRequest: PullRequestAddress, commit: CommitToMerge): Promise<MergeOutcome>
  /**
   * The account with this name at the host; `undefined` if there is none.
   *
   * @throws RepositoryError
   */
  findAccount(login: string): Promise<Account | undefined>
  /**
   * Lets the account write to a repository: at once, or by an invitation that it has to accept.
   *
   * @throws RepositoryError `rejected` where the host does not allow it
   */
  invite(repository: RepositoryReference, account: Account): Promise<'active' | 'invited'>
  /**
   * Takes back what `invite` gave. Repeating it changes nothing.
   *
   * @throws RepositoryError
   */
  uninvite(repository: RepositoryReference, account: Account): Promise<void>
  readonly quota: Quota
  readonly organization: string
  /** Address of the web pages, without a trailing slash. */
  readonly url: string
  /** Address of the REST interface, without a trailing slash. */
  readonly apiUrl: string
}

/** The log of `createRepositories`; a pino logger fits. */
export interface RepositoriesLog {
  warn(fields: Record<string, unknown>, message: string): void
}

/** The channel on which the outcome of each call is published, for metrics. */
export const callChannel = 'bounty-marketplace:code-host-call'

/** How a call ended: `done`, or why it failed. */
export interface CallOutcome {
  outcome: 'done' | RepositoryError['kind']
}

const calls = channel(callChannel)

const Repository = z.object({
  id: z.number(),
  name: z.string().min(1),
  description: z.string().nullable(),
  default_branch: z.string().min(1),
  owner: z.object({ login: z.string() }),
})

const attemptsPerName = 3
/**
 * Most merges under way. The client sends them to github.com 3 seconds apart, and one whose budget has ended leaves its
 * queue only when its turn comes: so what could not begin within its budget fails at once.
 */
const mostMerges = 6

/**
 * @param options.apiUrl `https://api.github.com`, or `https://{host}/api/v3` of GitHub Enterprise
 * @param options.webUrl address of the web pages; by default derived from `apiUrl`
 * @param options.marketplaceUrl base address agents use, for the README of repositories
 * @param options.timeoutMs budget of one call with all its requests and waits, default 20,000
 */
export function createRepositories(options: {
  apiUrl: string
  webUrl?: string
  organization: string
  auth: RepositoryAuth
  marketplaceUrl?: string | undefined
  timeoutMs?: number
  log: RepositoriesLog
}): Repositories {
  const { organization, log, timeoutMs = 20_000 } = options
  const apiUrl = options.apiUrl.replace(/\/+$/, '')
  const url = (options.webUrl ?? webUrlOf(apiUrl)).replace(/\/+$/, '')
  const marketplaceUrl = options.marketplaceUrl?.replace(/\/+$/, '')
  const octokit = createClient(apiUrl, options.auth)
  const quota = followQuota(octokit)
  const host = { octokit, organization }
  const call = createCall(log, timeoutMs)
  const mergeBy = createMerges(octokit, log, call)

  return {
    quota,
    organization,
    url,
    apiUrl,
    ensure: async (project) => {
      const deadline = Date.now() + timeoutMs
      const repository = await call('ensure repository', (budget) => ensureRepository(host, project, budget))
      const isApp = 'appId' in options.auth
      const target = { ...host, repository, project, marketplaceUrl, isApp }
      const failed = await configureRepository(target, deadline)
      if (failed.length > 0)
        log.warn(
          { repository: repository.name, failed },
          'repository settings could not be applied; the project works without them',
        )
      return { url: `${url}/${organization}/${repository.name}`, id: repository.id }
    },
    readPullRequest: (address, known, mostMs = timeoutMs) =>
      call(
        'read pull request',
        (request) => readPullRequest({ octokit, request }, address, known),
        Math.min(timeoutMs, mostMs),
      ),
    readDiff: (address, mostMs) =>
      call('read diff', (request) => readDiff({ octokit, request }, address), mostMs),
    readWork: (repository, since, mostMs = timeoutMs) =>
      call(
        'read work',
        (request) => readWork({ octokit, request }, repository, { since, hasBranches: isEmbedded(url) }),
        Math.min(timeoutMs, mostMs),
      ),
    merge: mergeBy('merge pull request', merge),
    mergeCommit: mergeBy('merge commit', mergeCommit),
    findAccount: (login) => call('find account', (request) => findAccount({ octokit, request }, login)),
    invite: (repository, account) =>
      call('invite', (request) => invite({ octokit, request }, repository, account)),
    uninvite: (repository, account) =>
      call('uninvite', (request) => uninvite({ octokit, request }, repository, account)),
  }
}

/** Runs one call to the host within its budget. Publishes its outcome, and logs a failure. */
function createCall(log: RepositoriesLog, timeoutMs: number) {
  return async <T>(
    operation: string,
    work: (budget: Budget) => Promise<T>,
    budgetMs = timeoutMs,
  ): Promise<T> => {
    try {
      const result = await withinBudget(budgetMs, work)
      calls.publish({ outcome: 'done' } satisfies CallOutcome)
      return result
    } catch (error) {
      const failure = toRepositoryError(error)
      if (!failure) throw error // a bug of ours
      calls.publish({ outcome: failure.kind } satisfies CallOutcome)
      log.warn(
        { operation, kind: failure.kind, status: statusOf(error) },
        'request to the repository host failed',
      )
      throw failure
    }
  }
}

/** Merges in one of two ways. Both count as merges under way. */
function createMerges(octokit: Octokit, log: RepositoriesLog, call: ReturnType<typeof createCall>) {
  let merging = 0
  return (
    operation: string,
    send: (host: HostOfCall, ...request: Parameters<Repositories['merge']>) => Promise<MergeOutcome>,
  ) =>
    async (address: PullRequestAddress, commit: CommitToMerge): Promise<MergeOutcome> => {
      const outcome = await call(operation, async (request) => {
        if (merging >= mostMerges) throw new RepositoryError('unavailable')
        merging++
        return send({ octokit, request }, address, { ...commit, title: asLine(commit.title) }).finally(
          () => void merging--,
        )
      })
      if ('refused' in outcome) log.warn({ operation, ...outcome }, 'the repository host refused a merge')
      return outcome
    }
}

interface Host {
  octokit: Octokit
  organization: string
}

async function ensureRepository(
  host: Host,
  project: NamedProject,
  request: Budget,
): Promise<FoundRepository> {
  for (const name of repositoryNames(project)) {
    const repository = await ensureNamed(host, name, project, request)
    if (repository) return repository
  }
  throw new RepositoryError('name_taken')
}

/** The project's repository of that name, created if necessary; `undefined` if the name belongs to another one. */
async function ensureNamed(
  { octokit, organization }: Host,
  name: string,
  project: NamedProject,
  request: Budget,
): Promise<FoundRepository | undefined> {
  for (let attempt = 1; attempt <= attemptsPerName; attempt++) {
    // Always checks first: an earlier attempt may have succeeded although its response was lost.
    const found = await octokit.rest.repos
      .get({ owner: organization, repo: name, request: { ...request } })
      .catch(undefinedIfMissing)
    if (found) {
      const repository = parseBody(Repository, found.data)
      const inOrganization = repository.owner.login.toLowerCase() === organization.toLowerCase()
      return inOrganization && belongsTo(repository.description, project)
        ? describe(repository, false)
        : undefined
    }
    try {
      const { data } = await octokit.rest.repos.createInOrg({
        org: organization,
        name,
        description: repositoryDescription(project),
        private: false,
        has_issues: true,
        has_wiki: false,
        auto_init: true, // pull requests need a branch to merge into
        delete_branch_on_merge: true,
        // A merge commit may bring along another pull request, which the host then calls merged, too.
        allow_merge_commit: false,
        allow_rebase_merge: false,
        request: { ...request, retries: 0 },
      })
      return describe(parseBody(Repository, data), true)
    } catch (error) {
      if (!isNameTaken(error) && !isUnknownOutcome(error)) throw error
      await sleep(250 * attempt, undefined, { signal: request.signal })
    }
  }
  throw new RepositoryError('unavailable')
}

function describe(repository: z.infer<typeof Repository>, created: boolean): FoundRepository {
  const { id, name, description, default_branch: defaultBranch } = repository
  return { id, name, description, defaultBranch, created }
}

function webUrlOf(apiUrl: string): string {
  const { protocol, host } = new URL(apiUrl)
  return `${protocol}//${host.replace(/^api\.(?=github\.com$|.*\.ghe\.com$)/, '')}`
}

/**
 * Whether `url` is the embedded code host. It listens on the loopback address alone, with a port, and its URL is made from both;
 * the URL of a GitHub is one that other machines reach.
 */
export const isEmbedded = (url: string): boolean => url.startsWith('http://127.0.0.1:')
