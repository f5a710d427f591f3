import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { limits } from '../api/limits.ts'
import { ServiceError } from '../errors.ts'
import type { Operation } from '../http/adapter/operations.ts'
import { sendFailure } from '../http/errors/failures.ts'
import { issueAt, validationError } from '../http/errors/service-error.ts'
import type { RouteDependencies } from '../http/expose.ts'
import { whenFinished } from '../http/finished.ts'
import { jsonType, privateCache } from '../http/headers.ts'
import { authenticate } from '../http/limits/admission.ts'
import { errorResponse, type HttpResponse } from '../http/response.ts'
import { createToolCaller } from './call.ts'
import { createCancellation } from './cancellation.ts'
import { isObject } from './json.ts'
import { requireOwnOrigin } from './origin.ts'
import { createProtocol } from './protocol.ts'
import type { Composition } from './tools/compose.ts'
import { bindTools } from './tools/definitions.ts'
import { type Role, roles } from './tools/tool.ts'
import { visitorTools } from './tools/visitors.ts'

const second = 1000
/** As long as an operation waits for events, and less than the minute after which many clients give a tool up. */
const longestCallSeconds = limits.event_wait_seconds + 5

/** How the MCP server is served. */
export interface McpOptions {
  operations: readonly Operation[]
  dependencies: RouteDependencies
  /** Seconds after which a call of a tool ends; default 55. */
  callSeconds?: number | undefined
}

/**
 * `POST /mcp`: the tools of {@link bindTools} in the Model Context Protocol, without sessions and streams; with `?role=` the list
 * is shorter. A call of a tool is
 * a request to the route of its operation, which counts, limits and logs it; some tools send
 * several requests ({@link Composition}), each of which counts. Every message that reaches no operation counts as a read of the
 * agent, or without an API key of the address. A wrong key is refused: its owner would wonder where the tools are.
 */
export function serveMcp(
  app: FastifyInstance,
  { operations, dependencies, callSeconds = longestCallSeconds }: McpOptions,
): void {
  const { limits: rates, bulkheads, services } = dependencies
  const tools = bindTools(operations)
  const ofVisitors = bindTools(operations, visitorTools)
  const respond = createProtocol(tools, ofVisitors, createToolCaller(app, operations, tools))
  const cancellable = createCancellation()
  const limit = rates.of({ method: 'GET', access: 'agent' })
  const bulkhead = bulkheads.of({ id: 'mcp', meta: { bulkhead: 'default' } })

  app.post('/mcp', {
    config: { operation: 'mcp' },
    onRequest: async (request) => {
      requireOwnOrigin(request, services.config)
      await bulkhead.beforeBody(async () => {
        if (!isVisitor(request)) await authenticate({ meta: { returnsSecret: false } }, request, dependencies)
      })
    },
    // A body that cannot be read costs as much as a request that can.
    errorHandler: async (error, request, reply) => {
      const isAdmitted = request.agent !== null || isVisitor(request)
      const limited = isAdmitted && (await limit(request, reply).catch((thrown) => thrown))
      sendFailure(limited || error, request, reply, isAdmitted ? toProtocolError : undefined)
      return reply
    },
    handler: async (request, reply) => {
      const { body } = request
      if (!isObject(body)) throw new ServiceError('invalid_json')
      const ending = new AbortController()
      const forget = cancellable(body, request.agent?.id ?? '', ending)
      const timer = setTimeout(() => ending.abort(), callSeconds * second)
      whenFinished(request.raw, reply.raw, () => ending.abort())
      try {
        const response = await respond(body, { request, signal: ending.signal, role: roleIn(request) })
        if (!request.reachedOperation) await limit(request, reply)
        const type = response.headers.get('content-type') ?? jsonType
        reply.code(response.status).headers({ 'cache-control': privateCache, 'content-type': type })
        return reply.send(await response.text())
      } finally {
        forget()
        clearTimeout(timer)
      }
    },
  })
}

/** The `role` of the query. @throws ServiceError `validation_failed` */
function roleIn({ query }: FastifyRequest): Role | undefined {
  const { role } = query as { role?: Role }
  if (role === undefined || roles.includes(role)) return role
  throw validationError([issueAt('role', `must be one of ${roles.join(', ')}`)])
}

const isVisitor = ({ headers }: FastifyRequest) =>
  headers.authorization === undefined && headers['x-api-key'] === undefined

/** A message that was refused before it reached the protocol, in the form of its errors (JSON-RPC 2.0, section 5.1). */
function toProtocolError(error: ServiceError, requestId: string): HttpResponse {
  const { body, ...response } = errorResponse(error, requestId)
  const { ParseError, InvalidRequest, InternalError } = ProtocolErrorCode
  const refusal = error.status < 500 ? InvalidRequest : InternalError
  // What is JSON and no message, such as a batch, has no cause.
  const code = error.code === 'invalid_json' && error.cause ? ParseError : refusal
  const refused = { code, message: error.message, data: JSON.parse(body).error }
  return { ...response, body: JSON.stringify({ jsonrpc: '2.0', id: null, error: refused }) }
}
