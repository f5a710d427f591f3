import { expect, onTestFinished } from 'vitest'
import { startGitHub } from '../../../server/embedded/github/github.ts'
import { type OnRequest, requestFaults } from '../../support/request-faults.ts'
import { type Finish, recorder, temporaryDirectory } from '../support.ts'
import { loadDescription } from './openapi.ts'

export const descriptions = {
  'github.com': loadDescription('api.github.com'),
  Enterprise: loadDescription('ghes-3.19'),
}

/** A running stand-in with a caller for it. */
export async function start(
  options: {
    directory?: string
    strict?: boolean
    git?: boolean
    token?: string
    finish?: Finish
    port?: number
    limits?: Parameters<typeof startGitHub>[0]['limits']
    onRequest?: OnRequest
  } = {},
) {
  const { finish = onTestFinished, onRequest, ...settings } = options
  const directory = options.directory ?? (await temporaryDirectory(finish))
  const { log, lines } = recorder()
  const extend = requestFaults(onRequest)
  const base = { directory, port: 0, organization: 'acme', log, git: false, extend }
  const github = await startGitHub({ ...base, ...settings })
  let running = true
  const stop = async () => {
    if (running) await github.stop()
    running = false
  }
  finish(stop)
  return { ...github, stop, directory, lines, call: caller(github.apiUrl, options.token) }
}

/** Sends a request, and checks the response against GitHub's OpenAPI descriptions. */
export function caller(apiUrl: string, token = 'any') {
  return async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = { authorization: `Bearer ${token}` },
  ) => {
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    })
    // biome-ignore lint/suspicious/noExplicitAny: GitHub's bodies, checked below
    const responseBody: any = response.status === 204 ? undefined : await response.json()
    for (const [name, description] of Object.entries(descriptions)) {
      expect(
        description.responseProblems(method, path.replace(/\?.*/, ''), response.status, responseBody),
        name,
      ).toEqual([])
    }
    return { status: response.status, headers: response.headers, body: responseBody }
  }
}

export const newRepository = {
  name: 'rocket',
  description: 'Flies',
  has_issues: true,
  has_wiki: false,
  auto_init: true,
}
