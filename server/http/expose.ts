import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Caller } from '../auth/api-keys.ts'
import { type Context, createContext, type ResponseRetention } from '../context.ts'
import type { Services } from '../services.ts'
import { inputReader } from './adapter/input.ts'
import type { Operation } from './adapter/operations.ts'
import { conditional, negotiate, tagged } from './cache/etag.ts'
import type { ResponseCache } from './cache/response-cache.ts'
import type { DrainSignal } from './drain.ts'
import { jsonType, privateCache } from './headers.ts'
import type { Idempotency } from './idempotency/idempotency.ts'
import { admit, authenticateLate } from './limits/admission.ts'
import type { Bulkhead, Bulkheads } from './limits/bulkheads.ts'
import type { Limit, RateLimits } from './limits/rate-limits.ts'
import { type HttpResponse, sendResponse } from './response.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, on operations that need an API key. */
    agent: Caller | null
  }
  interface FastifyContextConfig {
    /** Id of the operation that the route belongs to, for the access log. */
    operation?: string
  }
}

/** What every route needs in addition to its operation. */
export interface RouteDependencies {
  services: Services
  limits: RateLimits
  idempotency: Idempotency
  drain: DrainSignal
  bulkheads: Bulkheads
  responseCache: ResponseCache
}

/** Registers one route per operation. */
export function exposeOperations(
  app: FastifyInstance,
  operations: Operation[],
  dependencies: RouteDependencies,
): void {
  app.decorateRequest('agent', null)
  for (const operation of operations) app.route(routeOf(operation, dependencies))
}

function routeOf(operation: Operation, dependencies: RouteDependencies): RouteOptions {
  const { limits, bulkheads } = dependencies
  const bulkhead = bulkheads.of(operation)
  const handle =
    operation.method === 'GET'
      ? reader(operation, bulkhead, dependencies)
      : writer(operation, bulkhead, dependencies)
  const { access, rateLimit } = operation.meta
  const limit = limits.of({ method: operation.method, access, rateLimit })
  return {
    method: operation.method,
    url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { operation: operation.id },
    // Before the body is read, so that callers who are refused cannot make the process read it.
    onRequest: (request, reply) =>
      bulkhead.beforeBody(() => admit(operation, limit, dependencies, [request, reply])),
    ...(limit.giveBack && { onSend: givingBack(limit.giveBack) }),
    handler: async (request, reply) => {
      if (request.agent) await authenticateLate(operation, dependencies, [request, reply])
      return sendResponse(reply, await handle(request, reply))
    },
  }
}

/** Takes back that a refused request was counted. */
function givingBack(giveBack: NonNullable<Limit['giveBack']>): RouteOptions['onSend'] {
  return async (request, { statusCode }) => {
    const isRefused = statusCode >= 400 && statusCode < 500
    if (isRefused) await giveBack(request).catch(() => undefined)
  }
}

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<HttpResponse>

function reader(operation: Operation, bulkhead: Bulkhead, dependencies: RouteDependencies): Handle {
  const { drain } = dependencies
  const readInput = inputReader(operation)
  const read = (request: FastifyRequest, reply: FastifyReply) =>
    bulkhead.serve(request, async () => {
      // Other requests may share a cacheable response, so it must not end with the client that asked first.
      const { cacheable } = operation.meta
      const context = contextOf(
        request,
        cacheable ? drain.closing : drain.signalOf(reply),
        dependencies,
        null,
      )
      const run = cacheable ? operation.read : operation.call
      return success(operation, await run(context, readInput(request)), usual)
    })
  if (operation.meta.access !== 'public') return read
  if (!operation.meta.cacheable)
    return async (request, reply) => conditional(await read(request, reply), request.headers['if-none-match'])
  const { versions } = operation.meta
  const versionOf = versions && dependencies.services.reads.versions?.(versions)
  return async (request, reply) => {
    const { id } = request.params as { id: string }
    const response = await dependencies.responseCache.get(request.raw.url ?? '', {
      read: async () => tagged(await read(request, reply)),
      ...(versionOf && { version: () => versionOf(id) }),
    })
    return negotiate(response, request.headers['if-none-match'])
  }
}

function writer(operation: Operation, bulkhead: Bulkhead, dependencies: RouteDependencies): Handle {
  const readInput = inputReader(operation)
  const write = (request: FastifyRequest, reply: FastifyReply) =>
    dependencies.idempotency.run(operation, request, async (retention) => {
      const context = contextOf(request, dependencies.drain.signalOf(reply), dependencies, retention)
      return success(operation, await operation.call(context, readInput(request)))
    })
  return async (request, reply) => {
    const response = await bulkhead.serve(request, () => write(request, reply))
    return { ...response, headers: { ...usual, ...response.headers } }
  }
}

const usual = { 'cache-control': privateCache, 'content-type': jsonType }

function success(operation: Operation, output: unknown, headers: HttpResponse['headers'] = {}): HttpResponse {
  return { status: operation.meta.status, headers, body: JSON.stringify(output) }
}

function contextOf(
  request: FastifyRequest,
  signal: AbortSignal,
  { services }: RouteDependencies,
  retention: ResponseRetention | null,
): Context {
  const context = {
    services,
    requestId: request.id,
    log: request.log as Services['log'],
    agent: request.agent,
    signal,
  }
  return createContext(context, retention)
}
