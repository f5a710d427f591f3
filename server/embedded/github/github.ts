import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { refusalOf } from '../local-access.ts'
import { rememberedPort, retryTakenPort } from '../ports.ts'
import { EmbeddedError, type Log } from '../reporting.ts'
import { addAccountRoutes } from './accounts.ts'
import { type Api, addRepositoryRoutes } from './api.ts'
import { type Addresses, account, repositoryBody } from './bodies.ts'
import { addCommitRoutes } from './commits.ts'
import { GitHubError, MovedError, notFound } from './errors.ts'
import { addETags } from './etag.ts'
import { createFiles } from './files.ts'
import { type Code, hasCode, openCode } from './git/code.ts'
import { defaultLimits, type PushLimits, writeHooks } from './git/push-rules.ts'
import { createGit, problemOfGit } from './git/run-git.ts'
import { addGitRoutes } from './git-routes.ts'
import { addCredentials } from './identity.ts'
import { addTokenRoute, createMarketplace, type Marketplace } from './marketplace.ts'
import { addPages } from './pages.ts'
import type { Deliver } from './pull-requests/host.ts'
import { createPullRequests } from './pull-requests/pull-requests.ts'
import { addPullRoutes } from './pulls.ts'
import { addRepositorySettings } from './repository-settings.ts'
import { openStore, type Store } from './store.ts'
import { openTokens } from './tokens.ts'

/** A running stand-in for GitHub. */
export interface EmbeddedGitHub {
  /** `http://127.0.0.1:<port>/api/v3`, as GitHub Enterprise has it. */
  apiUrl: string
  /** `http://127.0.0.1:<port>` */
  webUrl: string
  /** Signs the deliveries of events. Never print it. */
  webhookSecret: string
  /** Why repositories have no code, such as that git is not installed; `undefined`: they have. */
  problemOfGit?: string | undefined
  /** From then on agents of that marketplace get tokens here, and it hears of events at `/github/webhook`. */
  connectTo(marketplaceUrl: string): void
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

/** How to start the stand-in. */
export interface GitHubOptions {
  directory: string
  /** Preferred port; a port used before on this directory takes precedence, a taken one is replaced. */
  port: number
  /** The only account that owns repositories. */
  organization: string
  log: Log
  /** Whether the repositories have code; default: whether the machine has git. */
  git?: boolean | undefined
  /** Whether only pull requests exist that were created here; with code always, otherwise any number counts as open. */
  strict?: boolean
  /** The platform's token; by default every token is. */
  token?: string | undefined
  /** Whether a GitHub App gets tokens too, although nobody can check its signature; for tests. */
  app?: boolean
  /** Signs the deliveries of events; by default a secret of this folder. */
  webhookSecret?: string | undefined
  /** Differences from what a push may bring; for tests. */
  limits?: Partial<PushLimits>
  /** Called before each REST request is served; for fault tests. */
  onRequest?: (request: GitHubRequest) => Promise<RequestFault>
}

/**
 * Starts a stand-in for GitHub on 127.0.0.1: the REST calls that the service and its agents make, git over HTTP where the
 * machine has git, and a plain page for each address in their responses. A confirmed change survives a kill.
 */
export async function startGitHub(options: GitHubOptions): Promise<EmbeddedGitHub> {
  const { directory, organization, log } = options
  const limits = { ...defaultLimits, ...options.limits }
  const [store, tokens] = [await openStore(directory), await openTokens(directory)]
  const { code, problem } =
    options.git === false ? {} : await openCodeIfPossible(directory, { store, limits, log })
  const webhookSecret = options.webhookSecret ?? tokens.derive('webhooks')
  const marketplace = createMarketplace(webhookSecret)
  return retryTakenPort(async () => {
    const port = await rememberedPort(directory, options.port, 'GitHub stand-in', log)
    const webUrl = `http://127.0.0.1:${port}`
    const addresses = { apiUrl: `${webUrl}${prefix}`, webUrl, organization }
    const deliver = createDeliver(addresses, marketplace)
    const api: Api = {
      store,
      addresses,
      strict: code !== undefined || (options.strict ?? false),
      token: options.token,
      app: options.app ?? options.token === undefined,
      tokens,
      code,
      files: createFiles(store, code),
      pullRequests: createPullRequests({ store, code, addresses, deliver }),
      deliver,
    }
    await api.pullRequests.recover((message) => log.warn(message))
    const app = createApp(api, { marketplace, limits, onRequest: options.onRequest })
    await app.listen({ port, host: '127.0.0.1' })
    return {
      apiUrl: addresses.apiUrl,
      webUrl,
      webhookSecret,
      problemOfGit: problem,
      connectTo: marketplace.connectTo,
      async stop() {
        await app.close()
        await marketplace.settled()
        await store.close()
      },
    }
  })
}

async function openCodeIfPossible(
  directory: string,
  { store, limits, log }: { store: Store; limits: PushLimits; log: Log },
): Promise<{ code?: Code; problem?: string }> {
  const home = join(directory, 'git')
  const git = createGit(home, limits.push)
  const problem = (await problemOfGit()) ?? (await writeHooks(git, home, limits))
  if (problem === undefined) return { code: await openCode(git, directory, store) }
  if (await hasCode(directory))
    throw new EmbeddedError(`The repositories of the code host in ${directory} need git: ${problem}`)
  log.warn(`Repositories of the code host have no code: ${problem}`)
  return { problem }
}

function createDeliver(addresses: Addresses, marketplace: Marketplace): Deliver {
  return (repository, sender, event, payload) =>
    marketplace.deliver(event, {
      ...payload,
      repository: repositoryBody(addresses, repository),
      organization: account(addresses, addresses.organization),
      sender: account(addresses, sender),
    })
}

function createApp(
  api: Api,
  {
    marketplace,
    limits,
    onRequest,
  }: { marketplace: Marketplace; limits: PushLimits; onRequest: GitHubOptions['onRequest'] },
): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true, rewriteUrl: (request) => addressByName(api, request) })
  app.addHook('onRequest', async ({ headers }, reply) => {
    const refusal = refusalOf(headers)
    if (refusal !== undefined) return respondWithError(new GitHubError(403, refusal), reply)
  })
  // GitHub reads JSON whatever type its sender names; curl names this one.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    app.getDefaultJsonParser('error', 'error'),
  )
  addPages(app, api)
  if (api.code) addGitRoutes(app, api, api.code, limits)
  app.register(async (token) => {
    token.setErrorHandler(async (error, _request, reply) => respondWithError(error, reply))
    addTokenRoute(token, { ...api, marketplace })
  })
  app.register(
    async (rest) => {
      rest.setErrorHandler(async (error, request, reply) =>
        error instanceof MovedError ? redirect(api, request, reply, error) : respondWithError(error, reply),
      )
      rest.setNotFoundHandler(async (_request, reply) => respondWithError(notFound(), reply))
      addETags(rest)
      addCredentials(rest, api)
      addRepositoryRoutes(rest, api)
      addRepositorySettings(rest, api)
      addPullRoutes(rest, api)
      addCommitRoutes(rest, api)
      addAccountRoutes(rest, api)
      if (onRequest) addRequestFaults(rest, onRequest)
    },
    { prefix },
  )
  return app
}

/** `/repositories/{id}` is another address of a repository, which outlives its name. */
function addressByName({ store, addresses }: Api, { url = '/' }: IncomingMessage): string {
  const [, id, rest = ''] = /^\/api\/v3\/repositories\/(\d{1,15})([/?].*)?$/.exec(url) ?? []
  const repository = id === undefined ? undefined : store.repositoryById(Number(id))
  return repository ? `${prefix}/repos/${addresses.organization}/${repository.name}${rest}` : url
}

function redirect(
  { addresses }: Api,
  request: FastifyRequest,
  reply: FastifyReply,
  { message, repositoryId }: MovedError,
): FastifyReply {
  const rest = request.originalUrl.replace(/^\/api\/v3\/repos\/[^/?]+\/[^/?]+/, '')
  const url = `${addresses.apiUrl}/repositories/${repositoryId}${rest}`
  const documentation_url =
    'https://docs.github.com/rest/guides/best-practices-for-using-the-rest-api#follow-redirects'
  return reply
    .code(request.method === 'GET' || request.method === 'HEAD' ? 301 : 307)
    .header('location', url)
    .send({ message, url, documentation_url })
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
