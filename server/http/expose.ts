import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Caller } from '../auth/api-keys.ts'
import { type Context, createContext, type IdempotentRequest } from '../context.ts'
import { ServiceError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import type { Answer } from './answer.ts'
import type { DrainSignal } from './drain.ts'
import { conditional } from './etag.ts'
import { jsonType, privateCache } from './headers.ts'
import type { Idempotency } from './idempotency.ts'
import { inputReader } from './input.ts'
import type { Operation } from './operations.ts'
import type { RateLimits } from './rate-limits.ts'

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

/** What surrounds an operation. */
export interface Surroundings {
  parts: Parts
  limits: RateLimits
  idempotency: Idempotency
  drain: DrainSignal
}

/** Registers one route per operation. */
export function exposeOperations(
  app: FastifyInstance,
  operations: Operation[],
  surroundings: Surroundings,
): void {
  app.decorateRequest('agent', null)
  for (const operation of operations) app.route(routeOf(operation, surroundings))
}

function routeOf(operation: Operation, surroundings: Surroundings): RouteOptions {
  const { limits } = surroundings
  const handle =
    operation.method === 'GET' ? reader(operation, surroundings) : writer(operation, surroundings)
  const limit = limits.of(operation)
  return {
    method: operation.method,
    url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { operation: operation.id },
    // Before the body is read: a stranger's body is not worth reading.
    onRequest: async (request, reply) => {
      if (operation.access === 'agent') await authenticate(operation, request, surroundings)
      await limit(request, reply)
    },
    handler: async (request, reply) => {
      const { status, headers, body } = await handle(request, reply)
      return reply
        .code(status)
        .headers({ 'cache-control': privateCache, 'content-type': jsonType, ...headers })
        .send(body)
    },
  }
}

/** An ended key can do one thing: read the answer that ended it again, where that answer was lost on its way. */
async function authenticate(
  { issuesKey }: Operation,
  request: FastifyRequest,
  { parts, idempotency }: Surroundings,
): Promise<void> {
  const { authorization } = request.headers
  request.agent = await parts.apiKeys.authenticate(parts.db, authorization, { evenEnded: issuesKey })
  if (request.agent.key_ended && !(await idempotency.isAnswered(request))) {
    request.agent = null
    throw new ServiceError('unauthorized')
  }
}

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<Answer>

function reader(operation: Operation, surroundings: Surroundings): Handle {
  const readInput = inputReader(operation)
  return async (request, reply) => {
    const context = contextOf(request, reply, surroundings, null)
    const answer = success(operation, await operation.call(context, readInput(request)))
    return operation.access === 'public' ? conditional(answer, request.headers['if-none-match']) : answer
  }
}

function writer(operation: Operation, surroundings: Surroundings): Handle {
  const readInput = inputReader(operation)
  return (request, reply) =>
    surroundings.idempotency.once(operation, request, async (idempotent) => {
      const context = contextOf(request, reply, surroundings, idempotent)
      return success(operation, await operation.call(context, readInput(request)))
    })
}

function success(operation: Operation, output: unknown): Answer {
  return { status: operation.status, headers: {}, body: JSON.stringify(output) }
}

function contextOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { parts, drain }: Surroundings,
  idempotent: IdempotentRequest | null,
): Context {
  return createContext({
    parts,
    requestId: request.id,
    log: request.log as Parts['log'],
    agent: request.agent,
    signal: drain.signalOf(reply),
    idempotent,
  })
}
