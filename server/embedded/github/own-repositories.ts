import type { FastifyInstance } from 'fastify'
import {
  type Api,
  asRecord,
  nameRefused,
  type RepositoryPath,
  readNewRepository,
  requireRepository,
} from './api.ts'
import { account, loginOf, repositoryBody } from './bodies.ts'
import { ownerOf, type StoredRepository } from './entries.ts'
import { invalid, notFound } from './errors.ts'
import type { PushLimits } from './git/push-rules.ts'
import { type Caller, forbidden } from './identity.ts'

/** What the service may do in a repository where it is installed. */
const permissions = {
  checks: 'read',
  contents: 'read',
  metadata: 'read',
  pull_requests: 'read',
  statuses: 'read',
}

type InstallationPath = { Params: { name: string } }

/** Repositories that agents own, and which of them the service may read as an App. */
export function addOwnRepositories(app: FastifyInstance, api: Api, { owned }: PushLimits): void {
  const { store, addresses } = api
  const config = { agents: true }

  app.post('/user/repos', { config }, async ({ body, caller }, reply) => {
    const { login } = requireAgent(caller)
    const mine = store.repositories().filter((repository) => ownerOf(repository) === login)
    if (mine.length >= owned) throw nameRefused(`you may have ${owned} repositories`)
    const asked = asRecord(body)
    if (asked.private === true) throw invalid('Private repositories are not available at this code host.')
    const fields = readNewRepository(asked)
    if (/^\.+$|\.git$/i.test(fields.name)) throw nameRefused('name is reserved')
    const own = { ...fields, private: false, name: `${login}/${fields.name}` }
    const repository = await store.addRepository(own)
    if (!repository) throw nameRefused('name already exists on this account')
    const created = repositoryBody(addresses, repository)
    return reply.code(201).header('location', created.url).send(created)
  })

  // GitHub has no such path: there the owner installs an App in the browser.
  const path = '/user/installation/repositories/:name'
  const install = async (caller: Caller, name: string, installed: boolean) => {
    const { login: owner } = requireAgent(caller)
    const { id, name: fullName } = requireRepository(api, { owner, repo: name })
    const repository = await store.changeRepository(fullName, () => ({ installed }))
    const action = installed ? 'added' : 'removed'
    api.deliver(repository, owner, 'installation_repositories', {
      action,
      [`repositories_${action}`]: [{ id }],
    })
    return repository
  }
  const present = (repository: StoredRepository) => ({
    id: repository.id,
    account: account(addresses, loginOf(addresses, repository)),
    permissions,
    events: ['check_run', 'pull_request', 'repository', 'status'],
    suspended_at: null,
  })
  app.put<InstallationPath>(path, { config }, async ({ caller, params }) =>
    present(await install(caller, params.name, true)),
  )
  app.delete<InstallationPath>(path, { config }, async ({ caller, params }, reply) => {
    await install(caller, params.name, false)
    return reply.code(204).send()
  })

  app.get<RepositoryPath>('/repos/:owner/:repo/installation', async ({ params }) => {
    const repository = requireRepository(api, params)
    if (!repository.installed) throw notFound()
    return present(repository)
  })
}

function requireAgent(caller: Caller): Caller {
  if (caller.kind !== 'agent') throw forbidden()
  return caller
}
