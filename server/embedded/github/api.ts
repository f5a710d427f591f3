import type { FastifyInstance } from 'fastify'
import { type Addresses, account, repositoryBody } from './bodies.ts'
import type { Code } from './code.ts'
import { initialReadme, type StoredPull, type StoredRepository } from './entries.ts'
import { type FieldError, invalid, notFound } from './errors.ts'
import type { GitCode } from './git/code.ts'
import type { Deliver, PullRequests } from './pull-requests.ts'
import type { Store } from './store.ts'
import type { Tokens } from './tokens.ts'

/** State and settings of the stand-in, for its routes. */
export interface Api {
  store: Store
  addresses: Addresses
  /** The platform's token; `undefined`: every token is the platform's. */
  token: string | undefined
  tokens: Tokens
  /** The agent whose token this is, as long as what it was issued for has not ended. @throws GitHubError 503 */
  agentOf(token: string): Promise<string | undefined>
  code: Code
  /** The same code, where the machine has git; otherwise there is nothing to push to. */
  git: GitCode | undefined
  pullRequests: PullRequests
  deliver: Deliver
}

const largestNumber = 2 ** 31 - 1

/** The organization and its repositories. GitHub Enterprise has the REST interface under `/api/v3`. */
export function addRepositoryRoutes(app: FastifyInstance, api: Api): void {
  const { store, addresses } = api

  app.get<{ Params: { org: string } }>('/orgs/:org', async (request) => {
    if (!sameName(request.params.org, addresses.organization)) throw notFound()
    return account(addresses, addresses.organization)
  })

  app.post<{ Params: { org: string } }>('/orgs/:org/repos', async (request, reply) => {
    if (!sameName(request.params.org, addresses.organization)) throw notFound()
    const repository = await store.addRepository(readNewRepository(asRecord(request.body)))
    if (!repository) throw nameRefused('name already exists on this account')
    const body = repositoryBody(addresses, repository)
    return reply.code(201).header('location', body.url).send(body)
  })

  app.get<RepositoryPath>('/repos/:owner/:repo', async (request) =>
    repositoryBody(addresses, requireRepository(api, request.params)),
  )
}

/** Path parameters of a repository's routes. */
export type RepositoryPath = { Params: { owner: string; repo: string } }
/** Path parameters of a pull request's routes. */
export type PullPath = { Params: { owner: string; repo: string; number: string } }

/** The pull request of that number, if there is one. */
export function findPull(
  { store, code }: Api,
  repository: StoredRepository,
  number: string,
): StoredPull | undefined {
  if (!/^[1-9]\d{0,9}$/.test(number) || Number(number) > largestNumber) return undefined
  return store.pull(repository.name, Number(number)) ?? code.unopened(repository, Number(number))
}

/** The repository of that owner and name, if it exists. */
export function findRepository(
  { addresses, store }: Api,
  { owner, repo }: RepositoryPath['Params'],
): StoredRepository | undefined {
  if (repo.includes('/')) return undefined
  return store.repository(sameName(owner, addresses.organization) ? repo : `${owner}/${repo}`)
}

/** @throws GitHubError 404 */
export function requireRepository(api: Api, params: RepositoryPath['Params']): StoredRepository {
  const found = findRepository(api, params)
  if (!found) throw notFound()
  return found
}

/** The fields of a repository that is to be made. @throws GitHubError 422 */
export function readNewRepository(body: Record<string, unknown>) {
  const { name, description } = body
  if (typeof name !== 'string' || name === '') throw refused('name')
  if (name.length > 100) throw refused('name', 'name is too long (maximum is 100 characters)')
  if (typeof description === 'string') {
    if (description.length > 350)
      throw refused('description', 'description cannot be more than 350 characters')
    if (/\p{Cc}/u.test(description))
      throw refused('description', 'description control characters are not allowed')
  }
  const storedName = name.replace(/[^A-Za-z0-9._-]+/g, '-')
  const about = typeof description === 'string' && description ? description : null
  return {
    name: storedName,
    description: about,
    private: body.private === true,
    readme: body.auto_init === true ? initialReadme({ name: storedName, description: about }) : null,
    protection: null,
  }
}

/** Why a repository cannot have a name. */
export const nameRefused = (message: string) => refused('name', message)

/** Without `message`, the field is missing. */
function refused(field: string, message?: string) {
  const error: FieldError = message
    ? { resource: 'Repository', code: 'custom', field, message }
    : { resource: 'Repository', code: 'missing_field', field }
  return invalid('Repository creation failed.', error)
}

/** The body's fields; empty if it is not an object. */
export function asRecord(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : {}
}

/** Compares two names as GitHub does, without regard to letter case. */
export function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

export const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
