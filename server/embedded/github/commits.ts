import type { FastifyInstance } from 'fastify'
import { type Api, asRecord, type RepositoryPath, requireRepository } from './api.ts'
import { checkBody, combinedStatus, commitBody, diffEntry, statusBody } from './commit-bodies.ts'
import {
  CheckFields,
  StatusFields,
  type StoredCheck,
  type StoredRepository,
  type StoredStatus,
} from './entries.ts'
import { GitHubError, notFound, requireLengths } from './errors.ts'
import { type Caller, forbidden } from './identity.ts'
import { cutPage } from './paging.ts'
import { now } from './store.ts'

const pages = {
  commit: '/commits/commits#get-a-commit',
  listChecks: '/checks/runs#list-check-runs-for-a-git-reference',
  createCheck: '/checks/runs#create-a-check-run',
  updateCheck: '/checks/runs#update-a-check-run',
  combined: '/commits/statuses#get-the-combined-status-for-a-specific-reference',
  createStatus: '/commits/statuses#create-a-commit-status',
}
const mostFiles = 300

type CommitPath = { Params: RepositoryPath['Params'] & { ref: string } }
type CheckPath = { Params: RepositoryPath['Params'] & { id: string } }

/** Commits, and what checks and statuses say about them. */
export function addCommitRoutes(app: FastifyInstance, api: Api): void {
  addReads(app, api)
  addCheckWrites(app, api)
  addStatusWrites(app, api)
}

function addReads(app: FastifyInstance, api: Api): void {
  const { addresses, store, code } = api

  app.get<CommitPath>('/repos/:owner/:repo/commits/:ref', async ({ params }) => {
    const repository = requireRepository(api, params, pages.commit)
    const sha = await requireCommit(api, repository, params.ref, pages.commit)
    if (!code) throw notFound(pages.commit)
    const bare = await code.open(repository)
    const commit = await bare.commit(sha)
    const files = await bare.changedFiles(commit.parents[0] ?? bare.emptyTree, sha)
    const [additions, deletions] = [total(files, 'additions'), total(files, 'deletions')]
    return {
      ...commitBody(addresses, repository, commit),
      stats: { additions, deletions, total: additions + deletions },
      files: files.slice(0, mostFiles).map((file) => diffEntry(addresses, repository, file, sha)),
    }
  })

  app.get<CommitPath>('/repos/:owner/:repo/commits/:ref/check-runs', async (request, reply) => {
    const repository = requireRepository(api, request.params, pages.listChecks)
    const sha = await requireCommit(api, repository, request.params.ref, pages.listChecks)
    const { filter, check_name: name } = request.query as Record<string, string | undefined>
    const all = store.checks(repository.id, sha).toReversed()
    const named = all.filter((check) => name === undefined || check.name === name)
    const listed = filter === 'all' ? named : newestOf(named, (check) => check.name)
    const pulls = await pullsOf(api, repository, sha)
    return {
      total_count: listed.length,
      check_runs: cutPage(listed, request, reply).map((check) =>
        checkBody(addresses, repository, check, pulls),
      ),
    }
  })

  app.get<CommitPath>('/repos/:owner/:repo/commits/:ref/status', async (request, reply) => {
    const repository = requireRepository(api, request.params, pages.combined)
    const sha = await requireCommit(api, repository, request.params.ref, pages.combined)
    const newest = newestOf(store.statuses(repository.id, sha).toReversed(), ({ context }) => context)
    const statuses = cutPage(newest, request, reply)
    return combinedStatus(addresses, repository, { sha, statuses, total: newest })
  })
}

function addCheckWrites(app: FastifyInstance, api: Api): void {
  const { addresses, store } = api
  const config = { agents: true }
  const present = async (
    repository: StoredRepository,
    check: StoredCheck,
    action: string,
    caller: Caller,
  ) => {
    const pulls = await pullsOf(api, repository, check.sha)
    const body = checkBody(addresses, repository, check, pulls)
    api.deliver(repository, caller.login, 'check_run', { action, check_run: body })
    return body
  }

  app.post<RepositoryPath>('/repos/:owner/:repo/check-runs', { config }, async (request, reply) => {
    const page = pages.createCheck
    const repository = requireRepository(api, request.params, page)
    requireCollaborator(repository, request.caller, page)
    const body = asRecord(request.body)
    const sha = await requireCommit(api, repository, String(body.head_sha), page)
    const fields = readCheck(body, undefined, page)
    const check = await store.addCheck({ ...fields, repositoryId: repository.id, sha })
    return reply.code(201).send(await present(repository, check, actionOf(check), request.caller))
  })

  app.patch<CheckPath>('/repos/:owner/:repo/check-runs/:id', { config }, async ({ params, body, caller }) => {
    const page = pages.updateCheck
    const repository = requireRepository(api, params, page)
    requireCollaborator(repository, caller, page)
    const before = store.check(repository.id, Number(params.id))
    if (!before) throw notFound(page)
    const check = await store.changeCheck({ ...before, ...readCheck(asRecord(body), before, page) })
    return present(repository, check, actionOf(check), caller)
  })
}

function addStatusWrites(app: FastifyInstance, api: Api): void {
  const { addresses, store } = api
  const path = '/repos/:owner/:repo/statuses/:ref'
  app.post<CommitPath>(path, { config: { agents: true } }, async ({ params, body, caller }, reply) => {
    const page = pages.createStatus
    const repository = requireRepository(api, params, page)
    requireCollaborator(repository, caller, page)
    const sha = await requireCommit(api, repository, params.ref, page)
    const fields = asRecord(body)
    requireLengths(fields, page)
    const { data } = StatusFields.safeParse(fields)
    if (!data) throw new GitHubError(422, 'Validation Failed', page, ['state is not included in the list'])
    const status = await store.addStatus({
      ...data,
      repositoryId: repository.id,
      sha,
      context: textOf(fields.context) ?? 'default',
      description: textOf(fields.description),
      targetUrl: textOf(fields.target_url),
      creator: caller.login,
      createdAt: now(),
    })
    const { creator, ...simple } = statusBody(addresses, repository, status)
    const details = { ...simple, id: status.id, sha, name: `${addresses.organization}/${repository.name}` }
    api.deliver(repository, caller.login, 'status', { ...details, branches: [] })
    return reply.code(201).send({ ...simple, creator })
  })
}

/**
 * The full hash of a commit by its hash or branch; without git every name is one.
 * @returns `undefined` if there is no such commit
 */
export async function findCommit(
  { code }: Api,
  repository: StoredRepository,
  ref: string,
): Promise<string | undefined> {
  if (!code) return ref
  if (/^[0-9a-f]{7,40}$/.test(ref)) {
    const found = await (await code.open(repository)).commitOf(ref)
    if (found !== undefined) return found
  }
  // No operators of git's own: "main~1", "main@{1}", "main^{tree}".
  if (!/^[\w./-]{1,250}$/.test(ref)) return undefined
  return (await code.open(repository)).commitOf(`refs/heads/${ref.replace(/^(refs\/)?heads\//, '')}`)
}

async function requireCommit(
  api: Api,
  repository: StoredRepository,
  ref: string,
  page: string,
): Promise<string> {
  const found = await findCommit(api, repository, ref)
  if (found === undefined) throw new GitHubError(422, `No commit found for SHA: ${ref.slice(0, 100)}`, page)
  return found
}

/** @throws GitHubError 403 unless the caller is the platform or collaborates in the repository */
export function requireCollaborator({ collaborators }: StoredRepository, caller: Caller, page: string): void {
  if (caller.kind === 'agent' && !collaborators.includes(caller.login)) throw forbidden(page)
}

async function pullsOf(api: Api, repository: StoredRepository, sha: string) {
  const open = api.store.pulls(repository.name).filter(({ state }) => state === 'open')
  const all = await api.pullRequests.withEnds(repository, open)
  return all.filter(({ ends }) => ends.headSha === sha)
}

function readCheck(body: Record<string, unknown>, before: StoredCheck | undefined, page: string) {
  const { output, conclusion } = body
  requireLengths(body, page)
  requireLengths(asRecord(output), page)
  const status = body.status ?? (conclusion === undefined ? (before?.status ?? 'queued') : 'completed')
  const name = body.name ?? before?.name
  const { data } = CheckFields.safeParse({
    name,
    status,
    conclusion: conclusion ?? before?.conclusion ?? null,
  })
  if (!data?.name || (data.status === 'completed') !== (data.conclusion !== null))
    throw new GitHubError(422, 'Invalid request.\n\nname, status and conclusion do not fit together.', page)
  const report = output === undefined ? before?.output : asRecord(output)
  return {
    ...data,
    externalId: textOf(body.external_id) ?? before?.externalId ?? null,
    detailsUrl: textOf(body.details_url) ?? before?.detailsUrl ?? null,
    output: {
      title: textOf(report?.title),
      summary: textOf(report?.summary),
      text: textOf(report?.text),
    },
    startedAt: timeOf(body.started_at) ?? before?.startedAt ?? now(),
    completedAt: data.status === 'completed' ? (timeOf(body.completed_at) ?? now()) : null,
  }
}

const actionOf = ({ status }: StoredCheck) => (status === 'completed' ? 'completed' : 'created')

const timeOf = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{5,12}(Z|[+-]\d\d:\d\d)$/.test(value) ? value : null

const textOf = (value: unknown) => (typeof value === 'string' ? value : null)

function newestOf<T extends StoredCheck | StoredStatus>(newestFirst: T[], nameOf: (one: T) => string): T[] {
  const seen = new Set<string>()
  return newestFirst.filter((one) => !seen.has(nameOf(one)) && seen.add(nameOf(one)))
}

function total(files: { additions: number; deletions: number }[], count: 'additions' | 'deletions'): number {
  return files.reduce((sum, file) => sum + file[count], 0)
}
