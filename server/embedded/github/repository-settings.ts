import type { FastifyInstance } from 'fastify'
import { type Api, asRecord, type RepositoryPath, requireRepository } from './api.ts'
import type { Addresses } from './bodies.ts'
import { findCommit } from './commits.ts'
import { contentFile, fileCommit, signatureOf } from './contents.ts'
import { readmePath, type StoredRepository } from './entries.ts'
import { GitHubError, notFound } from './errors.ts'

const pages = {
  topics: '/repos/repos#replace-all-repository-topics',
  readme: '/repos/contents#get-a-repository-readme',
  readContents: '/repos/contents#get-repository-content',
  writeContents: '/repos/contents#create-or-update-file-contents',
  getProtection: '/branches/branch-protection#get-branch-protection',
  updateProtection: '/branches/branch-protection#update-branch-protection',
}
const branchName = 'main'
const mostTopics = 20
const topicPattern = /^[a-z0-9][a-z0-9-]{0,49}$/

type BranchPath = { Params: RepositoryPath['Params'] & { branch: string } }
type ContentsPath = { Params: RepositoryPath['Params'] & { '*': string }; Querystring: { ref?: string } }

/** Topics, files and branch protection of a repository. */
export function addRepositorySettings(app: FastifyInstance, api: Api): void {
  addTopicsRoute(app, api)
  addFileRoutes(app, api)
  addProtectionRoutes(app, api)
}

function addTopicsRoute(app: FastifyInstance, api: Api): void {
  app.put<RepositoryPath>('/repos/:owner/:repo/topics', async (request) => {
    const { name } = requireRepository(api, request.params, pages.topics)
    const { names } = asRecord(request.body)
    if (!Array.isArray(names)) throw invalid(pages.topics, 'names is missing')
    if (names.length > mostTopics)
      throw invalid(pages.topics, 'A repository cannot have more than 20 topics.')
    const topics = names.map((topic) => String(topic).toLowerCase())
    if (!topics.every((topic) => topicPattern.test(topic)))
      throw invalid(
        pages.topics,
        'Topics must start with a lowercase letter or number, consist of 50 characters or less, and can include hyphens.',
      )
    return {
      names: (await api.store.changeRepository(name, () => ({ topics: [...new Set(topics)] }))).topics,
    }
  })
}

function addFileRoutes(app: FastifyInstance, api: Api): void {
  const { addresses, files } = api
  const send = async (repository: StoredRepository, path: string, page: string, ref?: string) => {
    const content = await files.read(repository, path, ref)
    if (!content) throw notFound(page)
    return contentFile(addresses, repository, { path, content })
  }

  app.get<RepositoryPath>('/repos/:owner/:repo/readme', async (request) =>
    send(requireRepository(api, request.params, pages.readme), readmePath, pages.readme),
  )

  app.get<ContentsPath>('/repos/:owner/:repo/contents/*', async (request) => {
    const repository = requireRepository(api, request.params, pages.readContents)
    const sha = await findCommit(api, repository, request.query.ref ?? branchName)
    if (api.code && sha === undefined) throw notFound(pages.readContents)
    return send(repository, request.params['*'], pages.readContents, sha)
  })

  app.put<ContentsPath>('/repos/:owner/:repo/contents/*', async (request, reply) => {
    const page = pages.writeContents
    const path = request.params['*']
    const repository = requireRepository(api, request.params, page)
    if (path === '') throw notFound(page)
    const change = { path, ...readChange(asRecord(request.body)), by: signatureOf(addresses), page }
    const written = await files.write(repository, change)
    const body = fileCommit(addresses, repository, { ...change, ...written })
    return reply.code(written.previous === null ? 201 : 200).send(body)
  })
}

function readChange(body: Record<string, unknown>) {
  const { message, content, sha, branch } = body
  const page = pages.writeContents
  for (const [field, value] of Object.entries({ message, content }))
    if (typeof value !== 'string')
      throw new GitHubError(422, `Invalid request.\n\n"${field}" wasn't supplied.`, page)
  if (branch !== undefined && branch !== branchName)
    throw new GitHubError(404, `Branch ${String(branch)} not found`, page)
  const encoded = String(content).replace(/\s/g, '')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(encoded))
    throw new GitHubError(422, 'content is not valid Base64.', page)
  const bytes = Buffer.from(encoded, 'base64')
  return { content: bytes, message: String(message), sha: typeof sha === 'string' ? sha : undefined }
}

function addProtectionRoutes(app: FastifyInstance, api: Api): void {
  const { store, addresses, files } = api
  const path = '/repos/:owner/:repo/branches/:branch/protection'
  const find = async (params: BranchPath['Params'], page: string) => {
    const repository = requireRepository(api, params, page)
    if (params.branch !== branchName || !(await files.hasMain(repository)))
      throw new GitHubError(404, 'Branch not found', page)
    return repository
  }

  app.get<BranchPath>(path, async (request) => {
    const repository = await find(request.params, pages.getProtection)
    if (!repository.protection) throw new GitHubError(404, 'Branch not protected', pages.getProtection)
    return protectionBody(addresses, repository, repository.protection)
  })

  app.put<BranchPath>(path, async (request) => {
    const { name } = await find(request.params, pages.updateProtection)
    const protection = readProtection(asRecord(request.body))
    return protectionBody(addresses, await store.changeRepository(name, () => ({ protection })), protection)
  })
}

type Protection = NonNullable<StoredRepository['protection']>

function readProtection(body: Record<string, unknown>): Protection {
  const required = [
    'required_status_checks',
    'enforce_admins',
    'required_pull_request_reviews',
    'restrictions',
  ]
  const missing = required.filter((field) => body[field] === undefined)
  if (missing.length > 0)
    throw invalid(pages.updateProtection, ...missing.map((field) => `"${field}" wasn't supplied.`))
  const unsupported = ['required_status_checks', 'restrictions'].find((field) => body[field] !== null)
  if (unsupported)
    throw invalid(pages.updateProtection, `the embedded stand-in supports only null for "${unsupported}"`)
  const reviews = body.required_pull_request_reviews
  const count = asRecord(reviews).required_approving_review_count ?? 1
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > 6)
    throw invalid(pages.updateProtection, 'required_approving_review_count must be between 0 and 6')
  return {
    enforceAdmins: body.enforce_admins === true,
    approvals: reviews === null ? null : count,
    allowForcePushes: body.allow_force_pushes === true,
    allowDeletions: body.allow_deletions === true,
  }
}

/** Matches GitHub's schemas `branch-protection` and `protected-branch`. */
function protectionBody(
  { apiUrl, organization }: Addresses,
  { name }: StoredRepository,
  protection: Protection,
) {
  const url = `${apiUrl}/repos/${organization}/${name}/branches/${branchName}/protection`
  const reviews = {
    url: `${url}/required_pull_request_reviews`,
    dismiss_stale_reviews: false,
    require_code_owner_reviews: false,
    require_last_push_approval: false,
    required_approving_review_count: protection.approvals,
  }
  return {
    url,
    ...(protection.approvals !== null && { required_pull_request_reviews: reviews }),
    required_signatures: { url: `${url}/required_signatures`, enabled: false },
    enforce_admins: { url: `${url}/enforce_admins`, enabled: protection.enforceAdmins },
    required_linear_history: { enabled: false },
    allow_force_pushes: { enabled: protection.allowForcePushes },
    allow_deletions: { enabled: protection.allowDeletions },
    block_creations: { enabled: false },
    required_conversation_resolution: { enabled: false },
    lock_branch: { enabled: false },
    allow_fork_syncing: { enabled: false },
  }
}

function invalid(page: string, ...errors: string[]): GitHubError {
  return new GitHubError(422, 'Validation Failed', page, errors)
}
