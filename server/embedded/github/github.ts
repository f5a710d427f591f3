import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { refusalOf } from '../local-access.ts'
import { rememberedPort, retryTakenPort } from '../ports.ts'
import type { Log } from '../reporting.ts'
import { type Api, addRoutes } from './api.ts'
import { GitHubError, notFound } from './errors.ts'
import { addPages } from './pages.ts'
import { addRepositorySettings } from './repository-settings.ts'
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

/** How `onRequest` may disturb a request: not at all, lose its response after it took effect, or respond in its place. */
export type RequestFault =
  // biome-ignore lint/suspicious/noConfusingVoidType: a function that only observes returns nothing
  void | 'lose-response' | { status: number; headers?: Record<string, string>; body?: unknown }

const prefix = '/api/v3'

/**
 * Starts a stand-in for GitHub on 127.0.0.1: the few REST calls that the service makes, and a plain page for each
 * address in their responses. A confirmed change survives a kill.
 *
 * @param options.port preferred port; a port used before on this directory takes precedence, a taken one is replaced
 * @param options.organization the only account that owns repositories
 * @param options.strict whether only pull requests exist that were created here; by default any number counts as open
 * @param options.token the only accepted token; by default every token is accepted
 * @param options.onRequest called before each REST request is served; for fault tests
 */
export async function startGitHub(options: {
  directory: string
  port: number
  organization: string
  log: Log
  strict?: boolean
  token?: string
  onRequest?: (request: GitHubRequest) => Promise<RequestFault>
}): Promise<EmbeddedGitHub> {
  const { directory, organization, onRequest, log } = options
  const store = await openStore(directory)
  return retryTakenPort(async () => {
    const port = await rememberedPort(directory, options.port, 'GitHub stand-in', log)
    const webUrl = `http://127.0.0.1:${port}`
    const addresses = { apiUrl: `${webUrl}${prefix}`, webUrl, organization }
    const api = { store, addresses, strict: options.strict ?? false, token: options.token }
    const app = createApp(api, onRequest)
    await app.listen({ port, host: '127.0.0.1' })
    return {
      apiUrl: addresses.apiUrl,
      webUrl,
      async stop() {
        await app.close()
        await store.close()
      },
    }
  })
}

function createApp(api: Api, onRequest?: (request: GitHubRequest) => Promise<RequestFault>): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true })
  app.addHook('onRequest', async ({ headers }, reply) => {
    const refusal = refusalOf(headers)
    if (refusal !== undefined) return respondWithError(new GitHubError(403, refusal), reply)
  })
  addPages(app, api)
  app.register(
    async (rest) => {
      rest.setErrorHandler(async (error, _request, reply) => respondWithError(error, reply))
      rest.setNotFoundHandler(async (_request, reply) => respondWithError(notFound(), reply))
      addRoutes(rest, api)
      addRepositorySettings(rest, api)
      if (onRequest) addRequestFaults(rest, onRequest)
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

function addRequestFaults(
  app: FastifyInstance,
  onRequest: (request: GitHubRequest) => Promise<RequestFault>,
) {
  const lost = new WeakSet<object>()
  app.addHook('preHandler', async (request, reply) => {
    const path = request.url.slice(prefix.length)
    const fault = await onRequest({ method: request.method, path, body: request.body })
    if (fault === 'lose-response') lost.add(request)
    else if (fault)
      return reply
        .code(fault.status)
        .headers(fault.headers ?? {})
        .send(fault.body)
  })
  app.addHook('onSend', async (request) => {
    if (lost.has(request)) request.raw.socket.destroy()
  })
}
