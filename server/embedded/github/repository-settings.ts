import type { FastifyInstance } from 'fastify'
import { type Api, asRecord, type RepositoryPath, requireRepository } from './api.ts'
import { contentFile, fileEntry } from './bodies.ts'
import { signatureOf } from './contents.ts'
import { readmePath } from './entries.ts'
import { GitHubError, invalid, notFound } from './errors.ts'

const branchName = 'main'

type BranchPath = { Params: RepositoryPath['Params'] & { branch: string } }
type ContentsPath = { Params: RepositoryPath['Params'] & { '*': string }; Querystring: { ref?: string } }

/** Files and branch protection of a repository. */
export function addRepositorySettings(app: FastifyInstance, api: Api): void {
  addFileRoutes(app, api)
  addProtectionRoutes(app, api)
}

function addFileRoutes(app: FastifyInstance, api: Api): void {
  const { addresses, code } = api
  const read = async (params: RepositoryPath['Params'], path: string, ref = branchName) => {
    const repository = requireRepository(api, params)
    const sha = await code.findCommit(repository, ref)
    const content = sha === undefined ? undefined : await code.readFile(repository, path, sha)
    if (!content) throw notFound()
    return contentFile(path, content)
  }

  app.get<RepositoryPath>('/repos/:owner/:repo/readme', async ({ params }) => read(params, readmePath))

  app.get<ContentsPath>('/repos/:owner/:repo/contents/*', async ({ params, query }) =>
    read(params, params['*'], query.ref),
  )

  app.put<ContentsPath>('/repos/:owner/:repo/contents/*', async (request, reply) => {
    const path = request.params['*']
    const repository = requireRepository(api, request.params)
    if (path === '') throw notFound()
    const by = signatureOf(addresses.organization)
    const change = { path, ...readChange(asRecord(request.body)), by }
    const { previous, sha } = await code.writeFile(repository, change)
    const body = { content: fileEntry(path, change.content), commit: { sha, message: change.message } }
    return reply.code(previous === null ? 201 : 200).send(body)
  })
}

function readChange(body: Record<string, unknown>) {
  const { message, content, sha, branch } = body
  for (const [field, value] of Object.entries({ message, content }))
    if (typeof value !== 'string') throw invalid(`Invalid request.\n\n"${field}" wasn't supplied.`)
  if (branch !== undefined && branch !== branchName)
    throw new GitHubError(404, `Branch ${String(branch)} not found`)
  const encoded = String(content).replace(/\s/g, '')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) throw invalid('content is not valid Base64.')
  const bytes = Buffer.from(encoded, 'base64')
  return { content: bytes, message: String(message), sha: typeof sha === 'string' ? sha : undefined }
}

function addProtectionRoutes(app: FastifyInstance, api: Api): void {
  const path = '/repos/:owner/:repo/branches/:branch/protection'
  const find = async (params: BranchPath['Params']) => {
    const repository = requireRepository(api, params)
    if (params.branch !== branchName || !(await api.code.hasMain(repository)))
      throw new GitHubError(404, 'Branch not found')
    return repository
  }

  app.get<BranchPath>(path, async ({ params }) => {
    const { protection } = await find(params)
    if (!protection) throw new GitHubError(404, 'Branch not protected')
    return protection
  })

  app.put<BranchPath>(path, async ({ params, body }) => {
    const { name } = await find(params)
    const protection = readProtection(asRecord(body))
    await api.store.changeRepository(name, () => ({ protection }))
    return protection
  })
}

const requiredFields = [
  'required_status_checks',
  'enforce_admins',
  'required_pull_request_reviews',
  'restrictions',
]

/** Matches GitHub's schemas `branch-protection` and `protected-branch`. */
function readProtection(body: Record<string, unknown>) {
  const missing = requiredFields.filter((field) => body[field] === undefined)
  if (missing.length > 0)
    throw invalid('Validation Failed', ...missing.map((field) => `"${field}" wasn't supplied.`))
  const unsupported = ['required_status_checks', 'restrictions'].find((field) => body[field] !== null)
  if (unsupported)
    throw invalid('Validation Failed', `the embedded stand-in supports only null for "${unsupported}"`)
  const reviews = body.required_pull_request_reviews
  const count = asRecord(reviews).required_approving_review_count ?? 1
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > 6)
    throw invalid('Validation Failed', 'required_approving_review_count must be between 0 and 6')
  return {
    ...(reviews !== null && { required_pull_request_reviews: { required_approving_review_count: count } }),
    enforce_admins: { enabled: body.enforce_admins === true },
    allow_force_pushes: { enabled: body.allow_force_pushes === true },
    allow_deletions: { enabled: body.allow_deletions === true },
  }
}
