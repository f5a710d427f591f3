import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createRepositories } from '../../../server/code/host/repositories.ts'
import { startGitHub } from '../../../server/embedded/github/github.ts'
import { installApp } from '../../support/github-app.ts'
import { type GitHubRequest, type RequestFault, requestFaults } from '../../support/request-faults.ts'

export const token = 'ghp_verysecret'
export const project = { id: 'proj_0123456789abcdefghij', name: 'Rocket', description: 'Flies' }
export const name = 'rocket-cdefghij'

type Options = Partial<Parameters<typeof createRepositories>[0]>

/**
 * The stand-in (strict) and the service's client for it, which may be an App. `inject` is called for each request, numbered
 * from 1.
 */
export async function setUp(
  options: Options = {},
  inject?: (request: GitHubRequest, count: number) => RequestFault | Promise<RequestFault>,
) {
  const directory = await mkdtemp(join(tmpdir(), 'repositories-'))
  const requests: GitHubRequest[] = []
  const logged: string[] = []
  const silent = { info() {}, warn() {} }
  const isApp = options.auth !== undefined && 'appId' in options.auth
  const app = installApp()
  const onRequest = async (request: GitHubRequest) => {
    requests.push(request)
    return (await inject?.(request, requests.length)) ?? (isApp ? app.respond(request) : undefined)
  }
  const github = await startGitHub({
    directory,
    port: 0,
    organization: 'Acme',
    strict: true,
    git: false,
    token: isApp ? undefined : token,
    log: silent,
    extend: requestFaults(onRequest),
  })
  onTestFinished(async () => {
    await github.stop()
    await rm(directory, { recursive: true })
  })
  const repositories = createRepositories({
    apiUrl: github.apiUrl,
    organization: 'Acme',
    auth: { token },
    log: { warn: (fields, message) => void logged.push(JSON.stringify({ ...fields, message })) },
    ...options,
  })
  const call = (method: string, path: string, body?: unknown) =>
    fetch(`${github.apiUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
  const created = () => requests.filter(({ method }) => method === 'POST').length
  return { github, app, repositories, requests, logged, call, created }
}
