import type { FastifyInstance } from 'fastify'
import { type Api, type RepositoryPath, requireRepository, sameName } from './api.ts'
import { account, loginOf } from './bodies.ts'
import { ownerOf } from './entries.ts'
import { notFound } from './errors.ts'
import { type Caller, forbidden } from './identity.ts'
import { cutPage } from './paging.ts'

type CollaboratorPath = { Params: RepositoryPath['Params'] & { login: string } }

/** Accounts and collaborators. An account is an agent that got a token or opened a pull request, or the platform. */
export function addAccountRoutes(app: FastifyInstance, api: Api): void {
  const { addresses, store } = api
  const path = '/repos/:owner/:repo/collaborators/:login'
  const config = { agents: true }

  app.get('/user', async ({ caller }) => account(addresses, caller.login))

  app.get<{ Params: { login: string } }>('/users/:login', async ({ params: { login } }) => {
    if (sameName(login, addresses.organization)) return account(addresses, addresses.organization)
    if (!store.hasAccount(login)) throw notFound()
    return account(addresses, login.toLowerCase())
  })

  app.get<{ Params: { id: string } }>('/user/:id', async ({ params: { id } }) => {
    const logins = [addresses.organization, ...store.accounts()]
    const login = logins.find((one) => String(account(addresses, one).id) === id)
    if (login === undefined) throw notFound()
    return account(addresses, login)
  })

  app.get<RepositoryPath>('/repos/:owner/:repo/collaborators', async (request, reply) => {
    const { collaborators } = requireRepository(api, request.params)
    return cutPage(collaborators, request, reply).map((login) => account(addresses, login))
  })

  app.get<CollaboratorPath>(`${path}/permission`, async ({ params }) => {
    const repository = requireRepository(api, params)
    const { collaborators } = repository
    const owner = loginOf(addresses, repository)
    const isOwner = sameName(params.login, owner)
    if (!isOwner && !store.hasAccount(params.login)) throw notFound()
    const login = isOwner ? owner : params.login.toLowerCase()
    const permission = isOwner ? 'admin' : collaborators.includes(login) ? 'write' : 'read'
    return { permission, role_name: permission, user: account(addresses, login) }
  })

  // Who is invited has access at once.
  app.get<RepositoryPath>('/repos/:owner/:repo/invitations', async ({ params }) => {
    requireRepository(api, params)
    return []
  })

  app.put<CollaboratorPath>(path, { config }, async ({ params, caller }, reply) => {
    const { name } = requireOwned(api, params, caller)
    if (!store.hasAccount(params.login)) throw notFound()
    const login = params.login.toLowerCase()
    await store.changeRepository(name, ({ collaborators }) => ({
      collaborators: [...new Set([...collaborators, login])],
    }))
    return reply.code(204).send()
  })

  app.delete<CollaboratorPath>(path, { config }, async ({ params, caller }, reply) => {
    const { name } = requireOwned(api, params, caller)
    const login = params.login.toLowerCase()
    await store.changeRepository(name, ({ collaborators }) => ({
      collaborators: collaborators.filter((one) => one !== login),
    }))
    return reply.code(204).send()
  })
}

/** The repository, if the caller owns it. @throws GitHubError 403, 404 */
function requireOwned(api: Api, params: RepositoryPath['Params'], caller: Caller) {
  const repository = requireRepository(api, params)
  if (caller.kind === 'agent' && ownerOf(repository) !== caller.login) throw forbidden()
  return repository
}
