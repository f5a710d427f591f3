import { afterEach } from 'vitest'
import { createRepositories } from '../../../server/code/host/repositories.ts'
import { createCodeHostProxy, type HostResponse } from '../../support/code-host-proxy.ts'

/** The newest commit of the pull request. */
export const head = 'a'.repeat(40)
export const address = { owner: 'acme', repository: 'rocket', number: 7 }
export const path = '/repos/acme/rocket/pulls/7'
export const missing = () => ({ status: 404, body: { message: 'Not Found' } })

/** A pull request as GitHub describes it, in the members that count. */
export const pull = (fields: Record<string, unknown> = {}) => ({
  merged_at: fields.merged ? '2026-11-01T10:00:00Z' : null,
  number: 7,
  state: 'open',
  draft: false,
  merged: false,
  merge_commit_sha: 'f'.repeat(40),
  head: { ref: 'agent_1/bnt_1', sha: head, repo: { id: 5 } },
  base: { ref: 'main', repo: { id: 42, default_branch: 'main' } },
  mergeable: true,
  user: { id: 9, login: 'ada' },
  updated_at: '2026-11-01T09:00:00Z',
  additions: 3,
  deletions: 2,
  changed_files: 1,
  ...fields,
})

/** A code host with one pull request, empty again after each test, and the service's clients for it. */
export async function openPullRequestScene() {
  const host = await createCodeHostProxy('http://127.0.0.1:9/api/v3')
  const options = {
    apiUrl: host.apiUrl,
    organization: 'acme',
    auth: { token: 'ghp_secret' },
    timeoutMs: 2000,
    log: { warn() {} },
  }
  const repositories = createRepositories({ ...options, webUrl: 'https://github.test' })
  afterEach(() => {
    host.respond = () => undefined
    host.requests.length = 0
    host.checks.clear()
    host.pulls.clear()
    host.contained.clear()
    host.alsoIn.clear()
  })
  return {
    host,
    options,
    repositories,
    /** That of the embedded host. */
    embedded: createRepositories(options),
    /** The host has this pull request. */
    serve(fields: Record<string, unknown> = {}): void {
      host.pulls.set('/acme/rocket/pull/7', pull(fields))
      host.respond = ({ path: asked }) => (asked === path ? { status: 200, body: pull(fields) } : undefined)
    },
    read: async () => (await repositories.readPullRequest(address))!,
    /** The host responds so where the path has this part. */
    except(part: string, response: (path: string) => HostResponse | undefined): void {
      const served = host.respond
      host.respond = (request) => (request.path.includes(part) ? response(request.path) : served(request))
    },
  }
}
