import type { FastifyInstance } from 'fastify'
import { type Addresses, fullOrganization, fullRepository } from './bodies.ts'
import { initialReadme, type StoredPull, type StoredRepository } from './entries.ts'
import { type FieldError, GitHubError, MovedError, notFound } from './errors.ts'
import type { Files } from './files.ts'
import type { Code } from './git/code.ts'
import type { Deliver } from './pull-requests/host.ts'
import type { PullRequests } from './pull-requests/pull-requests.ts'
import type { Store } from './store.ts'
import type { Tokens } from './tokens.ts'

/** State and settings of the stand-in, for its routes. */
export interface Api {
  store: Store
  addresses: Addresses
  /** Whether only pull requests exist that were created here; otherwise any number counts as open. */
  strict: boolean
  /** The platform's token; `undefined`: every token is the platform's. */
  token: string | undefined
  /** Whether an installed App, which nobody can check, gets tokens of the platform. */
  app: boolean
  tokens: Tokens
  /** `undefined`: the machine has no git. */
  code: Code | undefined
  files: Files
  pullRequests: PullRequests
  deliver: Deliver
}

const pages = {
  getOrganization: '/orgs/orgs#get-an-organization',
  getRepository: '/repos/repos#get-a-repository',
  createRepository: '/repos/repos#create-an-organization-repository',
  updateRepository: '/repos/repos#update-a-repository',
}
const largestNumber = 2 ** 31 - 1

/** The organization and its repositories. GitHub Enterprise has the REST interface under `/api/v3`. */
export function addRepositoryRoutes(app: FastifyInstance, api: Api): void {
  const { store, addresses } = api

  app.get<{ Params: { org: string } }>('/orgs/:org', async (request) => {
    if (!sameName(request.params.org, addresses.organization)) throw notFound(pages.getOrganization)
    return fullOrganization(
      addresses,
      store.repositories().filter((repository) => !repository.private).length,
    )
  })

  app.post<{ Params: { org: string } }>('/orgs/:org/repos', async (request, reply) => {
    const page = pages.createRepository
    if (!sameName(request.params.org, addresses.organization)) throw notFound(page)
    const repository = await store.addRepository(readNewRepository(asRecord(request.body)))
    if (!repository) throw repositoryRefused('name', 'name already exists on this account')
    const body = fullRepository(addresses, repository)
    return reply.code(201).header('location', body.url).send(body)
  })

  app.get<RepositoryPath>('/repos/:owner/:repo', async (request) =>
    fullRepository(addresses, requireRepository(api, request.params, pages.getRepository)),
  )

  app.patch<RepositoryPath>('/repos/:owner/:repo', async (request) => {
    const page = pages.updateRepository
    const { name, id } = requireRepository(api, request.params, page)
    const wanted = asRecord(request.body).name
    if (typeof wanted !== 'string' || !/^[\w.-]{1,100}$/.test(wanted))
      throw new GitHubError(422, 'Validation Failed', page, ['name is invalid'])
    const renamed = await store.changeRepository(name, () => {
      const other = store.repository(wanted)
      if (other && other.id !== id && sameName(other.name, wanted))
        throw new GitHubError(422, 'Validation Failed', page, ['name already exists on this account'])
      return { name: wanted }
    })
    return fullRepository(addresses, renamed)
  })
}

/** Path parameters of a repository's routes. */
export type RepositoryPath = { Params: { owner: string; repo: string } }
/** Path parameters of a pull request's routes. */
export type PullPath = { Params: { owner: string; repo: string; number: string } }

/** The pull request of that number. Unless `strict`, one that was not created here is made up. */
export function findPull(api: Api, repository: StoredRepository, number: string): StoredPull | undefined {
  if (!/^[1-9]\d{0,9}$/.test(number) || Number(number) > largestNumber) return undefined
  const created = api.store.pull(repository.name, Number(number))
  if (created || api.strict) return created
  return {
    id: largestNumber + Number(number),
    repository: repository.name,
    number: Number(number),
    title: `Pull request ${number}`,
    body: null,
    head: `change-${number}`,
    base: 'main',
    draft: false,
    state: 'open',
    merge: null,
    mergedAt: null,
    closedAt: null,
    createdAt: repository.createdAt,
  }
}

/** The repository of that owner and name, if it exists. */
export function findRepository(
  { addresses, store }: Api,
  { owner, repo }: RepositoryPath['Params'],
): StoredRepository | undefined {
  return sameName(owner, addresses.organization) ? store.repository(repo) : undefined
}

/** @throws GitHubError 404, MovedError for a name that the repository had before */
export function requireRepository(
  api: Api,
  params: RepositoryPath['Params'],
  page: string,
): StoredRepository {
  const found = findRepository(api, params)
  if (!found) throw notFound(page)
  if (!sameName(found.name, params.repo)) throw new MovedError(found.id)
  return found
}

function readNewRepository(body: Record<string, unknown>) {
  const { name, description, homepage } = body
  if (typeof name !== 'string' || name === '') {
    throw refused('Repository creation failed.', pages.createRepository, {
      resource: 'Repository',
      code: 'missing_field',
      field: 'name',
    })
  }
  if (name.length > 100) throw repositoryRefused('name', 'name is too long (maximum is 100 characters)')
  if (typeof description === 'string') {
    if (description.length > 350) {
      throw repositoryRefused('description', 'description cannot be more than 350 characters')
    }
    if (/\p{Cc}/u.test(description)) {
      throw repositoryRefused('description', 'description control characters are not allowed')
    }
  }
  const storedName = name.replace(/[^A-Za-z0-9._-]+/g, '-')
  const about = typeof description === 'string' && description ? description : null
  return {
    name: storedName,
    description: about,
    homepage: typeof homepage === 'string' ? homepage : null,
    private: body.private === true,
    hasIssues: body.has_issues !== false,
    hasWiki: body.has_wiki !== false,
    hasProjects: body.has_projects !== false,
    topics: [],
    readme: body.auto_init === true ? initialReadme({ name: storedName, description: about }) : null,
    protection: null,
  }
}

function repositoryRefused(field: string, message: string): GitHubError {
  const error: FieldError = { resource: 'Repository', code: 'custom', field, message }
  return refused('Repository creation failed.', pages.createRepository, error)
}

function refused(message: string, page: string, error: FieldError): GitHubError {
  return new GitHubError(422, message, page, [error])
}

/** The body's fields; empty if it is not an object. */
export function asRecord(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : {}
}

/** Compares two names as GitHub does, without regard to letter case. */
export function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
