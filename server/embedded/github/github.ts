import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { errorCode } from '../files.ts'
import type { Log } from '../parts.ts'
import { rememberedPort } from '../ports.ts'
import { refusalOf } from '../visitors.ts'
import { type Api, addRoutes } from './api.ts'
import { GitHubError } from './errors.ts'
import { addPages } from './pages.ts'
import { addSettingsRoutes } from './settings.ts'
import { openStore } from './store.ts'

/** A running stand-in for GitHub. */
export interface EmbeddedGitHub {
  /** `http://127.0.0.1:<port>/api/v3`, as GitHub Enterprise has it. */
  apiUrl: string
  /** `http://127.0.0.1:<port>` */
  webUrl: string
  stop(): Promise<void>
}

/** A request to the REST interface, as seen by `onRequest`. */
export interface GitHubRequest {
  method: string
  /** Below `apiUrl`, for example `/orgs/acme/repos`. */
  path: string
  body: unknown
}

/** What `onRequest` may make of a request: nothing, its effect without an answer, or another answer. */
export type Interference =
  // biome-ignore lint/suspicious/noConfusingVoidType: a function that only looks returns nothing
  void | 'lose-answer' | { status: number; headers?: Record<string, string>; body?: unknown }

const prefix = '/api/v3'

/**
 * Starts a stand-in for GitHub on 127.0.0.1: the few REST calls the service makes, and a plain page for each address
 * they name. What it has answered as done outlives a kill.
 *
 * @param options.port preferred port; a port used before on this directory goes first, a taken one is replaced
 * @param options.organization the only account that owns repositories
 * @param options.strict a pull request nobody created is absent; by default it counts as open
 * @param options.token the only token accepted; by default any is
 * @param options.onRequest called before each REST request is served; for fault tests
 */
export async function startGitHub(options: {
  directory: string
  port: number
  organization: string
  log: Log
  strict?: boolean
  token?: string
  onRequest?: (request: GitHubRequest) => Promise<Interference>
}): Promise<EmbeddedGitHub> {
  const { directory, organization, onRequest, log } = options
  const store = await openStore(directory)
  for (let attempt = 1; ; attempt++) {
    const port = await rememberedPort(directory, options.port, 'GitHub stand-in', log)
    const webUrl = `http://127.0.0.1:${port}`
    const addresses = { apiUrl: `${webUrl}${prefix}`, webUrl, organization }
    const app = createApp(
      { store, addresses, strict: options.strict ?? false, token: options.token },
      onRequest,
    )
    try {
      await app.listen({ port, host: '127.0.0.1' })
    } catch (error) {
      if (errorCode(error) === 'EADDRINUSE' && attempt < 5) continue // taken since we looked
      throw error
    }
    return {
      apiUrl: addresses.apiUrl,
      webUrl,
      async stop() {
        await app.close()
        await store.close()
      },
    }
  }
}

function createApp(api: Api, onRequest?: (request: GitHubRequest) => Promise<Interference>): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true })
  app.addHook('onRequest', async ({ headers }, reply) => {
    const refusal = refusalOf(headers)
    if (refusal !== undefined) return respondWithError(new GitHubError(403, refusal), reply)
  })
  addPages(app, api)
  app.register(
    async (rest) => {
      rest.setErrorHandler(async (error, _request, reply) => respondWithError(error, reply))
      rest.setNotFoundHandler(async (_request, reply) =>
        respondWithError(new GitHubError(404, 'Not Found'), reply),
      )
      addRoutes(rest, api)
      addSettingsRoutes(rest, api)
      if (onRequest) addInterference(rest, onRequest)
    },
    { prefix },
  )
  return app
}

function respondWithError(error: unknown, reply: FastifyReply): FastifyReply {
  const known = error instanceof GitHubError ? error : translate(error)
  return reply.code(known.status).send(known.body)
}

function translate(error: unknown): GitHubError {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  return status < 500 ? new GitHubError(400, 'Problems parsing JSON') : new GitHubError(500, 'Server Error')
}

function addInterference(app: FastifyInstance, onRequest: (request: GitHubRequest) => Promise<Interference>) {
  const lost = new WeakSet<object>()
  app.addHook('preHandler', async (request, reply) => {
    const path = request.url.slice(prefix.length)
    const outcome = await onRequest({ method: request.method, path, body: request.body })
    if (outcome === 'lose-answer') lost.add(request)
    else if (outcome)
      return reply
        .code(outcome.status)
        .headers(outcome.headers ?? {})
        .send(outcome.body)
  })
  app.addHook('onSend', async (request) => {
    if (lost.has(request)) request.raw.socket.destroy()
  })
}
