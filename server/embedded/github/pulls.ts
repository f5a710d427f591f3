import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  type Api,
  asRecord,
  findPull,
  type PullPath,
  type RepositoryPath,
  requireRepository,
  sameName,
  textOf,
} from './api.ts'
import { authorOf, commitBody, diffEntry, labelOf, loginOf, simplePull } from './bodies.ts'
import { requireCollaborator } from './commits.ts'
import { signatureOf } from './contents.ts'
import { ownerOf, type PullChange, type StoredPull, type StoredRepository } from './entries.ts'
import { type FieldError, GitHubError, invalid, notFound, requireLengths } from './errors.ts'
import { cutPage } from './paging.ts'

const mergeMethods = new Map([
  ['merge', 'Merge commits'],
  ['rebase', 'Rebase merges'],
])

/** What can be the name of a branch or a commit for git. */
const nameOfCommit = /^[^\0]{1,250}$/

/** Pull requests: reading, opening, editing and merging them. */
export function addPullRoutes(app: FastifyInstance, api: Api): void {
  addPullReads(app, api)
  addPullWrites(app, api)
  addMergeRoutes(app, api)
}

function addPullReads(app: FastifyInstance, api: Api): void {
  const { store, addresses, pullRequests, code } = api
  const path = '/repos/:owner/:repo/pulls'

  app.get<RepositoryPath>(path, async (request, reply) => {
    const repository = requireRepository(api, request.params)
    const { state = 'open', head, sort } = request.query as Record<string, string | undefined>
    const changedAt = ({ updatedAt, createdAt }: StoredPull) => updatedAt ?? createdAt
    const found = store
      .pulls(repository.name)
      .filter((pull) => state === 'all' || pull.state === state)
      .filter(
        (pull) => head === undefined || sameName(labelOf(loginOf(addresses, repository), pull.head), head),
      )
      .toReversed()
    if (sort === 'updated') found.sort((one, other) => changedAt(other).localeCompare(changedAt(one)))
    const listed = await code.withEnds(repository, cutPage(found, request, reply))
    return listed.map(({ pull, ends }) => simplePull(addresses, repository, pull, ends))
  })

  const endsOf = async (params: PullPath['Params']) => {
    const { repository, pull } = requirePull(api, params)
    return [repository, await code.ends(repository, pull)] as const
  }

  app.get<PullPath>(`${path}/:number`, async ({ params, headers }, reply) => {
    if (/^application\/vnd\.github\.(v3\.)?diff$/.test(headers.accept ?? '')) {
      const diff = await code.diff(...(await endsOf(params)))
      if (diff === undefined)
        throw new GitHubError(406, 'Sorry, the diff exceeded the maximum number of lines')
      return reply.type('text/plain; charset=utf-8').send(diff)
    }
    const { repository, pull } = requirePull(api, params)
    return pullRequests.body(repository, pull)
  })

  app.get<PullPath>(`${path}/:number/files`, async (request, reply) => {
    const files = await code.changedFiles(...(await endsOf(request.params)))
    return cutPage(files, request, reply).map(diffEntry)
  })

  // GitHub lists all of them. Here the newest is kept, and no base ever changes.
  app.get<PullPath>('/repos/:owner/:repo/issues/:number/events', async ({ params }) => {
    const { lastEvent } = requirePull(api, params).pull
    return lastEvent ? [lastEvent] : []
  })

  app.get<PullPath>(`${path}/:number/commits`, async (request, reply) => {
    const commits = await code.commits(...(await endsOf(request.params)))
    return cutPage(commits, request, reply).map(commitBody)
  })
}

function addPullWrites(app: FastifyInstance, api: Api): void {
  const { addresses, pullRequests } = api
  const config = { agents: true }

  app.post<RepositoryPath>('/repos/:owner/:repo/pulls', { config }, async (request, reply) => {
    const repository = requireRepository(api, request.params)
    requireLengths(asRecord(request.body))
    const fields = readNewPull(asRecord(request.body), loginOf(addresses, repository))
    const author = authorOfNew(request, fields.head, repository)
    const pull = { ...fields, ...(author !== undefined && { author }), repository: repository.name }
    const body = await pullRequests.open(repository, pull, request.caller.login)
    return reply.code(201).header('location', body.url).send(body)
  })

  app.patch<PullPath>('/repos/:owner/:repo/pulls/:number', { config }, async ({ params, body, caller }) => {
    const { repository, pull } = requirePull(api, params)
    if (authorOf(addresses, pull) !== caller.login) requireCollaborator(repository, caller)
    if (!api.store.pull(repository.name, pull.number)) throw notFound()
    requireLengths(asRecord(body))
    return pullRequests.edit(repository, pull.number, readPullChange(asRecord(body)), caller.login)
  })

  /** An agent opens pull requests from its own branches only, for only it can move them. */
  function authorOfNew(
    { caller }: FastifyRequest,
    head: string,
    repository: StoredRepository,
  ): string | undefined {
    const owner = /^(\w+)\/./.exec(head)?.[1]
    if (caller.kind === 'agent') {
      const isOwners = ownerOf(repository) === caller.login && !head.startsWith('agent_')
      if (owner === caller.login || isOwners) return caller.login
      throw pullRefused('head', 'invalid', `you open pull requests from branches below ${caller.login}/ only`)
    }
    return owner !== undefined && api.store.hasAccount(owner) ? owner : undefined
  }
}

function addMergeRoutes(app: FastifyInstance, api: Api): void {
  const { pullRequests, code } = api
  const config = { agents: true }

  const path = '/repos/:owner/:repo/pulls/:number/merge'
  app.put<PullPath>(path, { config }, async ({ params, body, caller }) => {
    const { repository, pull } = requirePull(api, params)
    requireCollaborator(repository, caller)
    const fields = asRecord(body)
    requireLengths(fields)
    const method = String(fields.merge_method ?? 'merge')
    if (method !== 'squash') {
      const refused = mergeMethods.get(method)
      if (refused === undefined) throw invalid('Invalid request.\n\nUnknown merge_method.')
      throw new GitHubError(405, `${refused} are not allowed on this repository.`)
    }
    const sha = await pullRequests.merge(repository, pull.number, {
      sha: textOf(fields.sha),
      title: textOf(fields.commit_title),
      message: textOf(fields.commit_message),
      sender: caller.login,
    })
    return { sha, merged: true, message: 'Pull Request successfully merged' }
  })

  // Merging without a pull request. The default branch is protected as `configureRepository` asks GitHub to do it.
  app.post<RepositoryPath>(
    '/repos/:owner/:repo/merges',
    { config },
    async ({ params, body, caller }, reply) => {
      const repository = requireRepository(api, params)
      requireCollaborator(repository, caller)
      if (caller.kind === 'agent') throw new GitHubError(409, 'Changes must be made through a pull request.')
      const { base, head, commit_message } = asRecord(body)
      if (base !== 'main') throw new GitHubError(404, 'Base does not exist')
      const branch = textOf(head) ?? ''
      if (!nameOfCommit.test(branch)) throw new GitHubError(404, 'Head does not exist')
      const by = signatureOf(caller.login)
      const message = textOf(commit_message) ?? `Merge ${branch} into main`
      const commit = await code.mergeBranch(repository, branch, { author: by, committer: by, message })
      await pullRequests.followBranches(repository, caller.login)
      return commit ? reply.code(201).send(commitBody(commit)) : reply.code(204).send()
    },
  )
}

function requirePull(
  api: Api,
  params: PullPath['Params'],
): { repository: StoredRepository; pull: StoredPull } {
  const repository = requireRepository(api, params)
  const pull = findPull(api, repository, params.number)
  if (!pull) throw notFound()
  return { repository, pull }
}

function readNewPull(body: Record<string, unknown>, repositoryOwner: string) {
  const text = (field: 'title' | 'head' | 'base') => {
    const value = body[field]
    if (typeof value === 'string' && value !== '') return value
    throw pullRefused(field, 'missing_field')
  }
  const fields = { title: text('title'), head: text('head'), base: text('base') }
  const [owner = '', ...branch] = fields.head.split(':')
  // The name of the repository's owner before a branch says nothing, so it is not kept.
  if (sameName(owner, repositoryOwner) && branch.length > 0) fields.head = branch.join(':')
  if (fields.base !== 'main') throw pullRefused('base', 'invalid')
  return { ...fields, body: textOf(body.body) ?? null, draft: body.draft === true }
}

/** GitHub makes a draft ready by its other interface, GraphQL, only; here `draft: false` does. */
function readPullChange({ title, body, base, state, draft }: Record<string, unknown>): PullChange {
  const isTitle = title === undefined || (typeof title === 'string' && title !== '')
  if (base !== undefined && base !== 'main') throw pullRefused('base', 'invalid')
  const isState = state === undefined || state === 'open' || state === 'closed'
  if (!isTitle || !isState) throw pullRefused(isTitle ? 'state' : 'title', 'invalid')
  return {
    ...(title !== undefined && { title }),
    ...(body !== undefined && { body: textOf(body) ?? null }),
    ...(state !== undefined && { state }),
    ...(draft === false && { draft }),
  }
}

function pullRefused(field: string, code: FieldError['code'], message?: string): GitHubError {
  return invalid('Validation Failed', {
    resource: 'PullRequest',
    code,
    field,
    ...(message !== undefined && { message }),
  })
}
