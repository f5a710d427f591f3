import { channel } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Octokit } from '@octokit/rest'
import { z } from 'zod'
import type { AcceptanceRule } from '../../lifecycle/acceptance.ts'
import { readDefaultChecks, readRuled } from './acceptance-facts.ts'
import { withinBudget } from './budget.ts'
import type { Budget, RepositoryAuth } from './client.ts'
import { type Clients, createClients, type Place, type ReaderAuth } from './clients.ts'
import { containedInDefault } from './comparison.ts'
import { configureRepository, type FoundRepository } from './configure-repository.ts'
import { readDiff } from './diff.ts'
import { RepositoryError } from './error.ts'
import {
  isNameTaken,
  isUnknownOutcome,
  parseBody,
  statusOf,
  toRepositoryError,
  undefinedIfMissing,
} from './failures.ts'
import { type Host, type PullRequestAddress, repositoryIdAt } from './host.ts'
import { type Account, findAccount, invite, type RepositoryReference, uninvite } from './maintainers.ts'
import { type CommitToMerge, type MergeOutcome, merge, mergeCommit } from './merge.ts'
import { asLine, belongsTo, type NamedProject, repositoryDescription, repositoryNames } from './naming.ts'
import { lookAt } from './own-repository.ts'
import { parseRepositoryUrl } from './pull-request-url.ts'
import { type Before, readPullRequest } from './pull-requests.ts'
import { firstChange, mostPages, readWork, type Work } from './work.ts'

/** The organization on GitHub, GitHub Enterprise or a host with their REST interface. Every call throws RepositoryError. */
export type Repositories = ReturnType<typeof createRepositories>

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

/** The organization, and how its host is reached. */
interface RepositoriesOptions {
  /** `https://api.github.com`, or `https://{host}/api/v3` of GitHub Enterprise. */
  apiUrl: string
  /** Address of the web pages; by default derived from `apiUrl`. */
  webUrl?: string
  organization: string
  auth: RepositoryAuth
  /** Reads the repositories that founders own; without it there are none. */
  reader?: ReaderAuth | undefined
  /** Base address agents use, for the README of repositories. */
  marketplaceUrl?: string | undefined
  /** Budget of one call with all its requests and waits; default 20,000. */
  timeoutMs?: number
  log: RepositoriesLog
}

/** Connects to the organization; sends nothing yet. */
export function createRepositories(options: RepositoriesOptions) {
  const { organization, log, timeoutMs = 20_000 } = options
  const apiUrl = options.apiUrl.replace(/\/+$/, '')
  const url = (options.webUrl ?? webUrlOf(apiUrl)).replace(/\/+$/, '')
  const clients = createClients({ ...options, apiUrl })
  const { ours: octokit } = clients
  const call = createCall(log, timeoutMs)
  const mergeBy = createMerges(octokit, log, call)

  return {
    /** What the host lets the organization's client request. */
    quota: octokit.quota,
    /** The quota from which readings of the repository with this web address are taken. */
    quotaOf: (repoUrl: string | null) => clients.quotaOf(parseRepositoryUrl(repoUrl ?? '')),
    organization,
    /** Address of the web pages, without a trailing slash. */
    url,
    /** Address of the REST interface, without a trailing slash. */
    apiUrl,
    /** Creates the project's repository or adopts it, and configures it. Idempotent. */
    ensure: createEnsure({ ...options, octokit, url, timeoutMs }, call),
    ...createReads({ clients, url, timeoutMs }, call),
    /** Whether founders can bring repositories of their own. */
    takesOwn: clients.hasReader,
    /** {@link lookAt} */
    lookAt: (place: Place, projectId: string) =>
      call('look at a repository', (request) => lookAt(clients, request, place, projectId)),
    /** Where the owner of a repository installs the App that reads it. */
    installUrl: (place: Place) => call('find the App', (request) => clients.installUrl(place, request)),
    /** {@link merge}. After an error it may have been merged. */
    merge: mergeBy('merge pull request', merge),
    /** {@link mergeCommit}. After an error it may have been merged. */
    mergeCommit: mergeBy('merge commit', mergeCommit),
    /** {@link findAccount} */
    findAccount: (login: string) =>
      call('find account', (request) => findAccount({ octokit, request }, login)),
    /** {@link invite} */
    invite: (repository: RepositoryReference, account: Account) =>
      call('invite', (request) => invite({ octokit, request }, repository, account)),
    /** {@link uninvite} */
    uninvite: (repository: RepositoryReference, account: Account) =>
      call('uninvite', (request) => uninvite({ octokit, request }, repository, account)),
  }
}

/** What is read of pull requests and commits. `mostMs` ends a call earlier than its budget does. */
function createReads(
  { clients, url, timeoutMs }: { clients: Clients; url: string; timeoutMs: number },
  call: Call,
) {
  const read = <Result>(
    what: string,
    place: Place,
    work: (host: Host) => Promise<Result>,
    mostMs = timeoutMs,
  ): Promise<Result> =>
    call(
      what,
      async (request) => {
        const hasBranches = isEmbedded(url) && clients.isOurs(place)
        const readBy = async () => work({ octokit: await clients.of(place, request), request, hasBranches })
        return readBy().catch((error) => {
          if (!clients.forgets(place, error)) throw error
          return readBy()
        })
      },
      Math.min(timeoutMs, mostMs),
    )
  return {
    /** {@link readPullRequest} */
    readPullRequest: (address: PullRequestAddress, before?: Before, mostMs?: number) =>
      read('read pull request', address, (host) => readPullRequest(host, address, before), mostMs),
    /** {@link readRuled} */
    readRuled: (address: PullRequestAddress, rule: AcceptanceRule) =>
      read('read what a rule needs', address, (host) => readRuled(host, address, rule)),
    /** {@link readDefaultChecks} */
    readDefaultChecks: (repository: RepositoryReference, mostMs: number) =>
      read(
        'read checks of the default branch',
        repository,
        (host) => readDefaultChecks(host, repository),
        mostMs,
      ),
    /** {@link repositoryIdAt} */
    repositoryIdAt: (address: Place, mostMs?: number) =>
      read('find repository', address, (host) => repositoryIdAt(host, address), mostMs),
    /** {@link readDiff} */
    readDiff: (address: PullRequestAddress, mostMs: number) =>
      read('read diff', address, (host) => readDiff(host, address), mostMs),
    /** {@link readWork}. */
    readWork: (repository: RepositoryReference, { since, mostMs, mostPages: pages = mostPages }: WorkSince) =>
      read('read work', repository, (host) => readWork(host, repository, { since, pages }), mostMs),
    /** {@link containedInDefault}. */
    containedInDefault: (address: Place, heads: readonly string[], mostMs: number) =>
      read('compare commits', address, (host) => containedInDefault(host, address, heads), mostMs),
    /** {@link firstChange}. */
    firstChange: (repository: RepositoryReference, works: Work[], mostMs?: number) =>
      read('compare work', repository, (host) => firstChange(host, repository, works), mostMs),
  }
}

/** Since when work is read, and how much of it at most. */
interface WorkSince {
  since: Date
  mostMs?: number | undefined
  mostPages?: number
}

type Call = ReturnType<typeof createCall>

/**
 * Creates a project's repository, or adopts the one that an earlier attempt created; never adopts a repository of another
 * project. Then adds a README and a protected default branch if they are missing; settings that the host does not allow are
 * logged and left out.
 *
 * @returns the address `{url}/{organization}/{repository}`, and the id that the host gave the repository
 */
function createEnsure(
  options: RepositoriesOptions & { octokit: Octokit; url: string; timeoutMs: number },
  call: Call,
) {
  const { octokit, organization, auth, url, timeoutMs, log } = options
  const marketplaceUrl = options.marketplaceUrl?.replace(/\/+$/, '')
  const host = { octokit, organization }
  return async (project: NamedProject): Promise<{ url: string; id: number }> => {
    const deadline = Date.now() + timeoutMs
    const repository = await call('ensure repository', (budget) => ensureRepository(host, project, budget))
    const target = { ...host, repository, project, marketplaceUrl, isApp: 'appId' in auth }
    const failed = await configureRepository(target, deadline)
    if (failed.length > 0)
      log.warn(
        { repository: repository.name, failed },
        'repository settings could not be applied; the project works without them',
      )
    return { url: `${url}/${organization}/${repository.name}`, id: repository.id }
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
function createMerges(octokit: Octokit, log: RepositoriesLog, call: Call) {
  let merging = 0
  return (
    operation: string,
    send: (host: Host, address: PullRequestAddress, commit: CommitToMerge) => Promise<MergeOutcome>,
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

interface Organization {
  octokit: Octokit
  organization: string
}

async function ensureRepository(
  host: Organization,
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
  { octokit, organization }: Organization,
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
