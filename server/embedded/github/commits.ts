import type { FastifyInstance } from 'fastify'
import { type Api, asRecord, type RepositoryPath, requireRepository, textOf } from './api.ts'
import {
  checkBody,
  combinedStatus,
  commitBody,
  comparisonBody,
  diffEntry,
  simplePull,
  statusBody,
} from './bodies.ts'
import {
  CheckFields,
  ownerOf,
  StatusFields,
  type StoredCheck,
  type StoredRepository,
  type StoredStatus,
} from './entries.ts'
import { invalid, notFound, requireLengths } from './errors.ts'
import { type Caller, forbidden } from './identity.ts'
import { cutPage } from './paging.ts'
import { now } from './store.ts'

const mostFiles = 300
/** Characters that are kept of each text of a check run. Lists have a hundred runs with all of theirs, and this service reads none. */
const keptOfReport = 1000

type CommitPath = { Params: RepositoryPath['Params'] & { ref: string } }
type CheckPath = { Params: RepositoryPath['Params'] & { id: string } }

/** Commits, and what checks and statuses say about them. */
export function addCommitRoutes(app: FastifyInstance, api: Api): void {
  addReads(app, api)
  addCheckReads(app, api)
  addCheckWrites(app, api)
  addStatusWrites(app, api)
}

async function find(api: Api, params: CommitPath['Params']) {
  const repository = requireRepository(api, params)
  return { repository, sha: await requireCommit(api, repository, params.ref) }
}

function addReads(app: FastifyInstance, api: Api): void {
  const { store, code, addresses } = api

  // Of the history of a branch or commit only its newest one.
  app.get<RepositoryPath>('/repos/:owner/:repo/commits', async ({ params, query }) => {
    const { sha = 'main' } = query as Record<string, string | undefined>
    const found = await find(api, { ...params, ref: sha })
    const commit = await code.commit(found.repository, found.sha)
    return commit ? [{ ...commitBody(commit), author: null }] : []
  })

  app.get<CommitPath>('/repos/:owner/:repo/commits/:ref', async ({ params }) => {
    const { repository, sha } = await find(api, params)
    const commit = await code.commit(repository, sha)
    if (!commit) throw notFound()
    const { files, additions, deletions } = commit
    return {
      ...commitBody(commit),
      stats: { additions, deletions, total: additions + deletions },
      files: files.slice(0, mostFiles).map(diffEntry),
    }
  })

  app.get<{ Params: RepositoryPath['Params'] & { basehead: string } }>(
    '/repos/:owner/:repo/compare/:basehead',
    async ({ params, query }) => {
      const repository = requireRepository(api, params)
      const [baseSha, headSha] = await Promise.all(
        params.basehead.split('...').map((ref) => code.findCommit(repository, ref)),
      )
      if (baseSha === undefined || headSha === undefined) throw notFound()
      const ends = { baseSha, headSha }
      const found = await code.distance(repository, ends)
      if (!found) throw notFound()
      // GitHub lists the files on the first page only.
      const isFirst = Number((query as Record<string, string | undefined>).page ?? 1) === 1
      const files = isFirst ? (await code.changedFiles(repository, ends)).slice(0, mostFiles) : undefined
      return comparisonBody(found, files)
    },
  )

  app.get<CommitPath>('/repos/:owner/:repo/commits/:ref/pulls', async (request, reply) => {
    const { repository, sha } = await find(api, request.params)
    const numbers = new Set(await code.pullsWith(repository, sha))
    const pulls = store
      .pulls(repository.name)
      .filter(({ number, merge }) => numbers.has(number) || merge?.sha === sha)
    const listed = await code.withEnds(repository, cutPage(pulls, request, reply))
    return listed.map(({ pull, ends }) => simplePull(addresses, repository, pull, ends))
  })

  app.get<{ Params: RepositoryPath['Params'] & { '*': string } }>(
    '/repos/:owner/:repo/git/matching-refs/*',
    async ({ params }) => {
      const repository = requireRepository(api, params)
      const branches = await code.branches(repository, params['*'].replace(/^heads\//, ''))
      return branches.map(({ ref, sha }) => ({ ref, object: { type: 'commit', sha } }))
    },
  )
}

function addCheckReads(app: FastifyInstance, api: Api): void {
  const { store } = api
  app.get<CommitPath>('/repos/:owner/:repo/commits/:ref/check-runs', async (request, reply) => {
    const { repository, sha } = await find(api, request.params)
    const { filter, check_name: name } = request.query as Record<string, string | undefined>
    const all = store.checks(repository.id, sha).toReversed()
    const named = all.filter((check) => name === undefined || check.name === name)
    const listed = filter === 'all' ? named : newestOf(named, (check) => check.name)
    return { total_count: listed.length, check_runs: cutPage(listed, request, reply).map(checkBody) }
  })

  app.get<CommitPath>('/repos/:owner/:repo/commits/:ref/statuses', async (request, reply) => {
    const { repository, sha } = await find(api, request.params)
    const all = store.statuses(repository.id, sha).toReversed()
    return cutPage(all, request, reply).map((status) => statusBody(api.addresses, status))
  })

  app.get<CommitPath>('/repos/:owner/:repo/commits/:ref/status', async (request, reply) => {
    const { repository, sha } = await find(api, request.params)
    const newest = newestOf(store.statuses(repository.id, sha).toReversed(), ({ context }) => context)
    return combinedStatus(sha, cutPage(newest, request, reply), newest)
  })
}

function addCheckWrites(app: FastifyInstance, api: Api): void {
  const { store } = api
  const config = { agents: true }
  const present = (repository: StoredRepository, check: StoredCheck, caller: Caller) => {
    const body = checkBody(check)
    const action = check.status === 'completed' ? 'completed' : 'created'
    api.deliver(repository, caller.login, 'check_run', { action, check_run: body })
    return body
  }

  app.post<RepositoryPath>('/repos/:owner/:repo/check-runs', { config }, async (request, reply) => {
    const repository = requireRepository(api, request.params)
    requireCollaborator(repository, request.caller)
    const body = asRecord(request.body)
    const sha = await requireCommit(api, repository, String(body.head_sha))
    const creator = request.caller.login
    const check = await store.addCheck({ ...readCheck(body), repositoryId: repository.id, sha, creator })
    return reply.code(201).send(present(repository, check, request.caller))
  })

  app.patch<CheckPath>('/repos/:owner/:repo/check-runs/:id', { config }, async ({ params, body, caller }) => {
    const repository = requireRepository(api, params)
    requireCollaborator(repository, caller)
    const before = store.check(repository.id, Number(params.id))
    if (!before) throw notFound()
    const creator = caller.login
    const check = await store.changeCheck({ ...before, ...readCheck(asRecord(body), before), creator })
    return present(repository, check, caller)
  })
}

function addStatusWrites(app: FastifyInstance, api: Api): void {
  const path = '/repos/:owner/:repo/statuses/:ref'
  app.post<CommitPath>(path, { config: { agents: true } }, async ({ params, body, caller }, reply) => {
    const repository = requireRepository(api, params)
    requireCollaborator(repository, caller)
    const sha = await requireCommit(api, repository, params.ref)
    const fields = asRecord(body)
    requireLengths(fields)
    const { data } = StatusFields.safeParse(fields)
    if (!data) throw invalid('Validation Failed', 'state is not included in the list')
    const status = await api.store.addStatus({
      ...data,
      repositoryId: repository.id,
      sha,
      context: textOf(fields.context) ?? 'default',
      description: textOf(fields.description) ?? null,
      targetUrl: textOf(fields.target_url) ?? null,
      creator: caller.login,
      createdAt: now(),
    })
    const present = statusBody(api.addresses, status)
    api.deliver(repository, caller.login, 'status', { ...present, sha })
    return reply.code(201).send(present)
  })
}

async function requireCommit({ code }: Api, repository: StoredRepository, ref: string): Promise<string> {
  const found = await code.findCommit(repository, ref)
  if (found === undefined) throw invalid(`No commit found for SHA: ${ref.slice(0, 100)}`)
  return found
}

/** @throws GitHubError 403 unless the caller is the platform or owns the repository or collaborates in it */
export function requireCollaborator(repository: StoredRepository, caller: Caller): void {
  const { collaborators } = repository
  const mayWrite = ownerOf(repository) === caller.login || collaborators.includes(caller.login)
  if (caller.kind === 'agent' && !mayWrite) throw forbidden()
}

/** @param before the check run that the request changes */
function readCheck(body: Record<string, unknown>, before?: StoredCheck) {
  const { output, conclusion } = body
  requireLengths(body)
  requireLengths(asRecord(output))
  const status = body.status ?? (conclusion === undefined ? (before?.status ?? 'queued') : 'completed')
  const name = body.name ?? before?.name
  const { data } = CheckFields.safeParse({
    name,
    status,
    conclusion: conclusion ?? before?.conclusion ?? null,
  })
  if (!data?.name || (data.status === 'completed') !== (data.conclusion !== null))
    throw invalid('Invalid request.\n\nname, status and conclusion do not fit together.')
  const report = output === undefined ? before?.output : asRecord(output)
  return {
    ...data,
    detailsUrl: textOf(body.details_url) ?? before?.detailsUrl ?? null,
    output: {
      title: textOf(report?.title) ?? null,
      summary: beginningOf(report?.summary),
      text: beginningOf(report?.text),
    },
  }
}

/** What is kept of a text: a copy, since a slice keeps the whole text in memory. */
function beginningOf(value: unknown): string | null {
  const text = textOf(value)
  return text === undefined ? null : Buffer.from(text.slice(0, keptOfReport)).toString()
}

function newestOf<T extends StoredCheck | StoredStatus>(newestFirst: T[], nameOf: (one: T) => string): T[] {
  const seen = new Set<string>()
  return newestFirst.filter((one) => !seen.has(nameOf(one)) && seen.add(nameOf(one)))
}
