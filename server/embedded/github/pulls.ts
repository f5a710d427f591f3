import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  type Api,
  asRecord,
  findPull,
  type PullPath,
  type RepositoryPath,
  requireRepository,
  sameName,
} from './api.ts'
import type { Addresses } from './bodies.ts'
import { commitBody, diffEntry } from './commit-bodies.ts'
import { requireCollaborator } from './commits.ts'
import type { PullChange, StoredPull, StoredRepository } from './entries.ts'
import { type FieldError, GitHubError, notFound, requireLengths } from './errors.ts'
import { cutPage } from './paging.ts'
import { authorOf, simplePull } from './pull-requests/bodies.ts'

const pages = {
  list: '/pulls/pulls#list-pull-requests',
  get: '/pulls/pulls#get-a-pull-request',
  create: '/pulls/pulls#create-a-pull-request',
  update: '/pulls/pulls#update-a-pull-request',
  merge: '/pulls/pulls#merge-a-pull-request',
  mergeBranch: '/branches/branches#merge-a-branch',
}
const mergeMethods = new Map([
  ['merge', 'Merge commits'],
  ['rebase', 'Rebase merges'],
])

/** Pull requests: reading, opening, editing and merging them. */
export function addPullRoutes(app: FastifyInstance, api: Api): void {
  addPullReads(app, api)
  addPullWrites(app, api)
  addMergeRoutes(app, api)
  addBranchMerge(app, api)
}

function addPullReads(app: FastifyInstance, api: Api): void {
  const { store, addresses, pullRequests } = api

  app.get<RepositoryPath>('/repos/:owner/:repo/pulls', async (request, reply) => {
    const repository = requireRepository(api, request.params, pages.list)
    const { state = 'open', head } = request.query as Record<string, string | undefined>
    const label = (pull: StoredPull) =>
      pull.head.includes(':') ? pull.head : `${addresses.organization}:${pull.head}`
    const found = store
      .pulls(repository.name)
      .filter((pull) => state === 'all' || pull.state === state)
      .filter((pull) => head === undefined || sameName(label(pull), head))
      .toReversed()
    const listed = await pullRequests.withEnds(repository, cutPage(found, request, reply))
    return listed.map(({ pull, ends }) => simplePull(addresses, repository, pull, ends))
  })

  app.get<PullPath>('/repos/:owner/:repo/pulls/:number', async ({ params }) => {
    const { repository, pull } = requirePull(api, params, pages.get)
    return pullRequests.body(repository, pull)
  })

  app.get<PullPath>('/repos/:owner/:repo/pulls/:number/files', async (request, reply) => {
    const { repository, pull } = requirePull(api, request.params, pages.get)
    const { files, headSha } = await pullRequests.files(repository, pull)
    return cutPage(files, request, reply).map((file) => diffEntry(addresses, repository, file, headSha))
  })

  app.get<PullPath>('/repos/:owner/:repo/pulls/:number/commits', async (request, reply) => {
    const { repository, pull } = requirePull(api, request.params, pages.get)
    const commits = await pullRequests.commits(repository, pull)
    return cutPage(commits, request, reply).map((commit) => commitBody(addresses, repository, commit))
  })
}

function addPullWrites(app: FastifyInstance, api: Api): void {
  const { addresses, pullRequests, code } = api
  const config = { agents: true }

  app.post<RepositoryPath>('/repos/:owner/:repo/pulls', { config }, async (request, reply) => {
    const repository = requireRepository(api, request.params, pages.create)
    requireLengths(asRecord(request.body), pages.create)
    const fields = readNewPull(asRecord(request.body), addresses)
    const author = authorOfNew(request, fields.head, api)
    const pull = { ...fields, ...(author !== undefined && { author }), repository: repository.name }
    const body = await pullRequests.open(repository, pull, pages.create)
    return reply.code(201).header('location', body.url).send(body)
  })

  app.patch<PullPath>('/repos/:owner/:repo/pulls/:number', { config }, async ({ params, body, caller }) => {
    const { repository, pull } = requirePull(api, params, pages.update)
    if (authorOf(addresses, pull) !== caller.login) requireCollaborator(repository, caller, pages.update)
    if (!api.store.pull(repository.name, pull.number)) throw notFound(pages.update)
    requireLengths(asRecord(body), pages.update)
    const change = readPullChange(asRecord(body))
    return pullRequests.edit(repository, pull.number, { change, sender: caller.login, page: pages.update })
  })

  /** An agent opens pull requests from its own branches only, for only it can move them. */
  function authorOfNew({ caller }: FastifyRequest, head: string, { store }: Api): string | undefined {
    const owner = /^(\w+)\/./.exec(head)?.[1]
    if (caller.kind === 'agent') {
      if (owner === caller.login) return caller.login
      const message = `you open pull requests from branches below ${caller.login}/ only`
      throw pullRefused({ resource: 'PullRequest', field: 'head', code: 'invalid', message })
    }
    return code && owner !== undefined && store.hasAccount(owner) ? owner : undefined
  }
}

function addMergeRoutes(app: FastifyInstance, api: Api): void {
  const path = '/repos/:owner/:repo/pulls/:number/merge'

  app.get<PullPath>(path, async ({ params }, reply) => {
    if (requirePull(api, params, pages.merge).pull.mergedAt === null) throw notFound(pages.merge)
    return reply.code(204).send()
  })

  app.put<PullPath>(path, { config: { agents: true } }, async ({ params, body, caller }) => {
    const { repository, pull } = requirePull(api, params, pages.merge)
    requireCollaborator(repository, caller, pages.merge)
    const fields = asRecord(body)
    const method = String(fields.merge_method ?? 'merge')
    if (method !== 'squash') {
      const refused = mergeMethods.get(method)
      if (refused === undefined)
        throw new GitHubError(422, 'Invalid request.\n\nUnknown merge_method.', pages.merge)
      throw new GitHubError(405, `${refused} are not allowed on this repository.`, pages.merge)
    }
    const sha = await api.pullRequests.merge(repository, pull.number, {
      sha: optionalText(fields.sha),
      title: optionalText(fields.commit_title),
      message: optionalText(fields.commit_message),
      sender: caller.login,
      page: pages.merge,
    })
    return { sha, merged: true, message: 'Pull Request successfully merged' }
  })
}

/** Merging without a pull request. */
function addBranchMerge(app: FastifyInstance, api: Api): void {
  const { addresses, pullRequests, code } = api
  const path = '/repos/:owner/:repo/merges'
  app.post<RepositoryPath>(path, { config: { agents: true } }, async ({ params, body, caller }, reply) => {
    const repository = requireRepository(api, params, pages.mergeBranch)
    requireCollaborator(repository, caller, pages.mergeBranch)
    const { base, head, commit_message } = asRecord(body)
    if (base !== 'main') throw new GitHubError(404, 'Base does not exist', pages.mergeBranch)
    const sha = await pullRequests.mergeBranch(repository, {
      ...{ head: optionalText(head) ?? '', message: optionalText(commit_message) },
      ...{ sender: caller.login, page: pages.mergeBranch },
    })
    const bare = await code?.open(repository)
    if (sha === undefined || !bare) return reply.code(204).send()
    return reply.code(201).send(commitBody(addresses, repository, await bare.commit(sha)))
  })
}

function requirePull(
  api: Api,
  params: PullPath['Params'],
  page: string,
): { repository: StoredRepository; pull: StoredPull } {
  const repository = requireRepository(api, params, page)
  const pull = findPull(api, repository, params.number)
  if (!pull) throw notFound(page)
  return { repository, pull }
}

function readNewPull(body: Record<string, unknown>, { organization }: Addresses) {
  const text = (field: 'title' | 'head' | 'base') => {
    const value = body[field]
    if (typeof value === 'string' && value !== '') return value
    throw pullRefused({ resource: 'PullRequest', code: 'missing_field', field })
  }
  const fields = { title: text('title'), head: text('head'), base: text('base') }
  const [owner = '', ...branch] = fields.head.split(':')
  // The organization's name before a branch says nothing, so it is not kept.
  if (sameName(owner, organization) && branch.length > 0) fields.head = branch.join(':')
  if (fields.base !== 'main') throw pullRefused({ resource: 'PullRequest', code: 'invalid', field: 'base' })
  return { ...fields, body: optionalText(body.body) ?? null, draft: body.draft === true }
}

/** GitHub makes a draft ready by its other interface, GraphQL, only; here `draft: false` does. */
function readPullChange({ title, body, state, draft }: Record<string, unknown>): PullChange {
  const isTitle = title === undefined || (typeof title === 'string' && title !== '')
  const isState = state === undefined || state === 'open' || state === 'closed'
  if (!isTitle || !isState)
    throw new GitHubError(422, 'Validation Failed', pages.update, [
      { resource: 'PullRequest', code: 'invalid', field: isTitle ? 'state' : 'title' },
    ])
  return {
    ...(title !== undefined && { title }),
    ...(body !== undefined && { body: optionalText(body) ?? null }),
    ...(state !== undefined && { state }),
    ...(draft === false && { draft }),
  }
}

const optionalText = (value: unknown) => (typeof value === 'string' ? value : undefined)

function pullRefused(error: FieldError): GitHubError {
  return new GitHubError(422, 'Validation Failed', pages.create, [error])
}
