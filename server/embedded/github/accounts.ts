import type { FastifyInstance } from 'fastify'
import { type Api, type RepositoryPath, requireRepository, sameName } from './api.ts'
import { publicUser } from './bodies.ts'
import { notFound } from './errors.ts'

const pages = {
  user: '/users/users#get-a-user',
  addCollaborator: '/collaborators/collaborators#add-a-repository-collaborator',
  removeCollaborator: '/collaborators/collaborators#remove-a-repository-collaborator',
}

type CollaboratorPath = { Params: RepositoryPath['Params'] & { login: string } }

/** Accounts and collaborators. An account is an agent that got a token or opened a pull request, or the platform. */
export function addAccountRoutes(app: FastifyInstance, api: Api): void {
  const { addresses, store } = api
  const path = '/repos/:owner/:repo/collaborators/:login'

  app.get('/user', async ({ caller }) => publicUser(addresses, caller.login))

  app.get<{ Params: { login: string } }>('/users/:login', async ({ params: { login } }) => {
    if (sameName(login, addresses.organization)) return publicUser(addresses, addresses.organization)
    if (!store.hasAccount(login)) throw notFound(pages.user)
    return publicUser(addresses, login.toLowerCase())
  })

  app.put<CollaboratorPath>(path, async ({ params }, reply) => {
    const { name } = requireRepository(api, params, pages.addCollaborator)
    if (!store.hasAccount(params.login)) throw notFound(pages.addCollaborator)
    const login = params.login.toLowerCase()
    await store.changeRepository(name, ({ collaborators }) => ({
      collaborators: [...new Set([...collaborators, login])],
    }))
    return reply.code(204).send()
  })

  app.delete<CollaboratorPath>(path, async ({ params }, reply) => {
    const { name } = requireRepository(api, params, pages.removeCollaborator)
    const login = params.login.toLowerCase()
    await store.changeRepository(name, ({ collaborators }) => ({
      collaborators: collaborators.filter((one) => one !== login),
    }))
    return reply.code(204).send()
  })
}
