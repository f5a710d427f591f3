import { type IncomingMessage, METHODS } from 'node:http'
import type { Socket } from 'node:net'
import cors, { type FastifyCorsOptions, type FastifyCorsOptionsDelegateCallback } from '@fastify/cors'
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify'
import { purgeAccessTokens, purgeReplacedKeys } from './auth/queries.ts'
import { serveBoard } from './board/serve.ts'
import { deleteOldDeliveries } from './code/pull-requests/deliveries.ts'
import { resealing } from './crypto/reseal.ts'
import { ServiceError } from './errors.ts'
import { deleteEndedDeliveries } from './events/webhooks/deliveries/store.ts'
import { logAccess, logGivenUp } from './http/access-log.ts'
import { listOperations, type Operations } from './http/adapter/operations.ts'
import { acceptStrictJson } from './http/adapter/strict-json.ts'
import { createResponseCache } from './http/cache/response-cache.ts'
import { scheduleCleanup } from './http/cleanup.ts'
import { drainOnClose } from './http/drain.ts'
import {
  refuseOtherMethods,
  respondOnSocket,
  respondToBrokenConnection,
  sendFailure,
  sendRouterFailure,
} from './http/errors/failures.ts'
import { hasEmptyParameter, noSuchPath } from './http/errors/refusals.ts'
import { exposeOperations } from './http/expose.ts'
import { serveGitHubWebhook } from './http/github-webhook.ts'
import { hasValidHost, requestIdOf, securityHeaders } from './http/headers.ts'
import { serveHealth } from './http/health.ts'
import { createIdempotency } from './http/idempotency/idempotency.ts'
import { createBulkheads } from './http/limits/bulkheads.ts'
import { createRateLimits } from './http/limits/rate-limits.ts'
import { wantsErrorPage } from './http/pages/front-page.ts'
import { serveDocument } from './http/pages/openapi-document.ts'
import { servePackages } from './http/pages/packages.ts'
import { serveDocumentationPages } from './http/pages/pages.ts'
import { serveMcp } from './mcp/serve.ts'
import { refuseWrongKeys, serveWithoutOAuth } from './mcp/without-oauth.ts'
import { router } from './router.ts'
import type { Services } from './services.ts'

const kibibyte = 1024
const second = 1000
const longestAddress = 4096
/** How long the holder of a replaced key learns of it after its end: 30 days. */
const replacedKeySeconds = 30 * 86_400

/** What a composition may choose. */
export interface AppOptions {
  /** The operations to serve; default all of them. */
  operations?: Operations
  /** Seconds within which each MCP tool responds; default 55. */
  toolSeconds?: number
  /**
   * Called for every response; `operation` is undefined if the request reached none. A message to `/mcp` that a tool passed
   * on counts once: as its operation.
   */
  onResponse?: (response: { operation: string | undefined; status: number; seconds: number }) => void
  /** Called for every request that was shed because of overload. */
  onShed?: (operation: string) => void
}

/**
 * The whole service on `services`, ready to listen. Closing it waits until every accepted request has its response. It
 * leaves the services open.
 */
export async function createApp(services: Services, options: AppOptions = {}): Promise<FastifyInstance> {
  const { config, db } = services
  const app = createServer(services)
  const { onResponse } = options
  if (onResponse)
    app.addHook('onResponse', (request, { statusCode: status, elapsedTime }, next) => {
      if (!request.reachedOperation)
        onResponse({
          operation: request.routeOptions.config?.operation,
          status,
          seconds: elapsedTime / 1000,
        })
      next()
    })
  const routes = collectRoutes(app)
  await addHooks(app, services, routes)
  const limits = createRateLimits(db, config)
  const idempotency = createIdempotency(db)
  const operations = listOperations(options.operations ?? router)
  const dependencies = {
    services,
    limits,
    idempotency,
    drain: drainOnClose(app, db),
    responseCache: createResponseCache(config.REMEMBER_RESPONSES ? services.reads.snapshots : undefined),
    bulkheads: createBulkheads({
      atOnce: config.MAX_REQUESTS_IN_FLIGHT,
      waits: config.MAX_EVENT_WAITS,
      log: services.log,
      onShed: options.onShed,
    }),
  }
  exposeOperations(app, operations, dependencies)
  serveWithoutOAuth(app)
  serveMcp(app, { operations, dependencies, callSeconds: options.toolSeconds })
  serveHealth(app, services)
  await serveGitHubWebhook(app, services)
  const limit = limits.of({ method: 'GET', access: 'public' })
  serveDocument(app, limit)
  servePackages(app, { publicUrl: config.PUBLIC_URL, limit })
  const browsers = await serveBoard(app, { operations, dependencies })
  serveDocumentationPages(app, {
    chain: services.chain,
    publicUrl: config.PUBLIC_URL,
    sdkPublished: config.SDK_PUBLISHED,
    limit,
    browsers,
  })
  app.setNotFoundHandler(async (request, reply) => {
    const error = noSuchPath(request.raw.url)
    if (!wantsErrorPage(request.raw)) throw error
    return browsers.fail(error, request, reply)
  })
  scheduleCleanup(app, [
    limits.purge,
    idempotency.purge,
    () => purgeReplacedKeys(db, replacedKeySeconds),
    () => purgeAccessTokens(db),
    () => deleteEndedDeliveries(db, config.EVENT_RETENTION_DAYS),
    () => deleteOldDeliveries(db),
    resealing(db, services.wallets, services.log),
  ])
  await app.ready()
  return app
}

function createServer({ config, log }: Services): FastifyInstance {
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestIdOf,
    trustProxy: config.TRUSTED_PROXIES ?? false,
    bodyLimit: 64 * kibibyte,
    requestTimeout: 30 * second,
    keepAliveTimeout: 75 * second,
    http: {
      maxHeaderSize: 16 * kibibyte,
      headersTimeout: 10 * second,
      connectionsCheckingInterval: 2 * second,
      // A hook refuses such requests instead, in the shape of every other error.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: longestAddress },
    // A request on an open connection is accepted while the server closes.
    return503OnClosing: false,
    frameworkErrors: sendRouterFailure,
    clientErrorHandler: respondToBrokenConnection,
  })
  // Connections beyond this number are closed at once, so that idle ones cannot use up the process's file descriptors.
  app.server.maxConnections = 10_000
  // RFC 9110 lets a server ignore unknown expectations; node would respond without a body.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  app.server.on('connect', (_request, socket: Socket) =>
    respondOnSocket(socket, new ServiceError('method_not_allowed', 'This server is not a proxy.')),
  )
  return app
}

/** Collects the methods of every route registered from now on, by path. */
function collectRoutes(app: FastifyInstance): Map<string, Set<string>> {
  const routes = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return
    const methods = routes.get(url) ?? new Set()
    for (const name of [method].flat()) methods.add(name)
    routes.set(url, methods)
  })
  return routes
}

/** Adds the hooks and handlers of every request and every failure. */
async function addHooks(
  app: FastifyInstance,
  services: Services,
  routes: ReturnType<typeof collectRoutes>,
): Promise<void> {
  for (const method of METHODS)
    if (!app.supportedMethods.includes(method) && method !== 'CONNECT') app.addHttpMethod(method)
  acceptStrictJson(app)
  // Every request passes these, so those that wait for nothing return at once: a promise for each would cost more than they do.
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id).headers(securityHeaders)
    next()
  })
  await app.register(cors, () => corsOf(services.config))
  app.addHook('onRequest', ({ raw, params }, _reply, next) => next(refusalOf(raw, params)))
  refuseWrongKeys(app, services)
  refuseOtherMethods(app, routes)
  app.addHook('onResponse', (request, reply, next) => {
    logAccess(request, reply)
    next()
  })
  app.addHook('onRequest', (request, reply, next) => {
    logGivenUp(request, reply)
    next()
  })
  app.setErrorHandler(sendFailure)
}

/** Why an address or a Host header is refused, whatever the path. */
function refusalOf(raw: IncomingMessage, params: unknown): ServiceError | undefined {
  if ((raw.url?.length ?? 0) > longestAddress) return new ServiceError('uri_too_long')
  if (!hasValidHost(raw))
    return new ServiceError('malformed_request', 'The Host header is missing or not valid.')
  return hasEmptyParameter(params) ? noSuchPath(raw.url) : undefined
}

/** Paths that pages of other origins may read: the API and its documents, not health. */
const crossOriginPaths =
  /^(\*$|\/(api([/?]|$)|mcp([/?]|$)|server\.json|openapi|contracts\.json|llms\.txt|skill[./]|sdk[.-]|\.well-known\/))/

function corsOf({ CORS_ORIGINS: origin }: Services['config']): FastifyCorsOptionsDelegateCallback {
  const allowed: FastifyCorsOptions = {
    origin,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'authorization',
      'content-type',
      'idempotency-key',
      'if-none-match',
      'mcp-method',
      'mcp-name',
      'mcp-protocol-version',
      'x-request-id',
    ],
    exposedHeaders: [
      'etag',
      'idempotency-replayed',
      'ratelimit',
      'ratelimit-policy',
      'retry-after',
      'www-authenticate',
      'x-request-id',
    ],
    maxAge: 7200,
    strictPreflight: false,
    cacheControl: 'no-store',
  }
  return ({ url }, callback) => callback(null, crossOriginPaths.test(url) ? allowed : { origin: false })
}
