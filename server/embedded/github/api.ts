import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Addresses, fullOrganization, fullPull, fullRepository, simplePull } from './bodies.ts'
import { initialReadme } from './contents.ts'
import { type FieldError, GitHubError, notFound } from './errors.ts'
import type { Store, StoredPull, StoredRepository } from './store.ts'

/** State and settings of the stand-in, for its routes. */
export interface Api {
  store: Store
  addresses: Addresses
  /** Whether only pull requests exist that were created here; otherwise any number counts as open. */
  strict: boolean
  /** The only accepted token; `undefined`: every token. */
  token: string | undefined
}

const pages = {
  getOrganization: '/orgs/orgs#get-an-organization',
  getRepository: '/repos/repos#get-a-repository',
  createRepository: '/repos/repos#create-an-organization-repository',
  listPulls: '/pulls/pulls#list-pull-requests',
  getPull: '/pulls/pulls#get-a-pull-request',
  createPull: '/pulls/pulls#create-a-pull-request',
}
const largestNumber = 2 ** 31 - 1
const installationTokenMs = 3_600_000
/** Permissions of an installed App: all that the service requests. */
const permissions = { administration: 'write', contents: 'write', metadata: 'read', pull_requests: 'read' }

/** The routes of GitHub's REST interface that the service calls. GitHub Enterprise has them under `/api/v3`. */
export function addRoutes(app: FastifyInstance, api: Api): void {
  addCredentials(app, api)
  addRepositoryRoutes(app, api)
  addPullRoutes(app, api)
}

function addCredentials(app: FastifyInstance, api: Api): void {
  const issued = new Set<string>()

  app.addHook('onRequest', async (request) => {
    const token = bearer(request)
    if (!token) throw new GitHubError(401, 'Requires authentication')
    // A GitHub App signs a JSON web token to request its installation token.
    if (request.routeOptions.url?.endsWith('/access_tokens') && token.split('.').length === 3) return
    if (api.token !== undefined && token !== api.token && !issued.has(token)) {
      throw new GitHubError(401, 'Bad credentials')
    }
  })

  app.post('/app/installations/:installation/access_tokens', async (_request, reply) => {
    const token = `ghs_${randomBytes(18).toString('hex')}`
    issued.add(token)
    const expires_at = new Date(Date.now() + installationTokenMs).toISOString()
    return reply.code(201).send({ token, expires_at, permissions, repository_selection: 'all' })
  })
}

function addRepositoryRoutes(app: FastifyInstance, api: Api): void {
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
}

function addPullRoutes(app: FastifyInstance, api: Api): void {
  const { store, addresses } = api

  app.get<RepositoryPath>('/repos/:owner/:repo/pulls', async (request) => {
    const repository = requireRepository(api, request.params, pages.listPulls)
    const newestFirst = store.pulls(repository.name).toReversed()
    return newestFirst.map((pull) => simplePull(addresses, repository, pull))
  })

  app.post<RepositoryPath>('/repos/:owner/:repo/pulls', async (request, reply) => {
    const repository = requireRepository(api, request.params, pages.createPull)
    const fields = readNewPull(asRecord(request.body))
    const pull = await store.addPull({ ...fields, repository: repository.name })
    if (!pull) {
      const label = fields.head.includes(':') ? fields.head : `${addresses.organization}:${fields.head}`
      const message = `A pull request already exists for ${label}.`
      throw pullRefused({ resource: 'PullRequest', code: 'custom', message })
    }
    const body = fullPull(addresses, repository, pull)
    return reply.code(201).header('location', body.url).send(body)
  })

  app.get<PullPath>('/repos/:owner/:repo/pulls/:number', async (request) => {
    const repository = requireRepository(api, request.params, pages.getPull)
    const pull = findPull(api, repository, request.params.number)
    if (!pull) throw notFound(pages.getPull)
    return fullPull(addresses, repository, pull)
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

/** @throws GitHubError 404 */
export function requireRepository(
  api: Api,
  params: RepositoryPath['Params'],
  page: string,
): StoredRepository {
  const found = findRepository(api, params)
  if (!found) throw notFound(page)
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

function readNewPull(body: Record<string, unknown>) {
  const text = (field: 'title' | 'head' | 'base') => {
    const value = body[field]
    if (typeof value === 'string' && value !== '') return value
    throw pullRefused({ resource: 'PullRequest', code: 'missing_field', field })
  }
  const fields = { title: text('title'), head: text('head'), base: text('base') }
  if (fields.base !== 'main') throw pullRefused({ resource: 'PullRequest', code: 'invalid', field: 'base' })
  return { ...fields, body: typeof body.body === 'string' ? body.body : null, draft: body.draft === true }
}

function repositoryRefused(field: string, message: string): GitHubError {
  const error: FieldError = { resource: 'Repository', code: 'custom', field, message }
  return refused('Repository creation failed.', pages.createRepository, error)
}

function pullRefused(error: FieldError): GitHubError {
  return refused('Validation Failed', pages.createPull, error)
}

function refused(message: string, page: string, error: FieldError): GitHubError {
  return new GitHubError(422, message, page, [error])
}

function bearer(request: FastifyRequest): string | undefined {
  return /^(?:bearer|token) +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

/** The body's fields; empty if it is not an object. */
export function asRecord(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : {}
}

/** Compares two names as GitHub does, without regard to letter case. */
export function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
