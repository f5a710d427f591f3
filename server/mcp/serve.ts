import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../errors.ts'
import type { Surroundings } from '../http/adapter/expose.ts'
import type { Operation } from '../http/adapter/operations.ts'
import { sendFailure } from '../http/errors/failures.ts'
import { whenFinished } from '../http/finished.ts'
import { jsonType, privateCache } from '../http/headers.ts'
import { authenticate } from '../http/limits/admission.ts'
import { createToolCaller } from './call.ts'
import type { Composition } from './compose.ts'
import { bindTools } from './definitions.ts'
import { isObject } from './json.ts'
import { requireOwnOrigin } from './origin.ts'
import { createProtocol } from './protocol.ts'

const second = 1000
/** Many clients give a tool up after a minute. */
const longestCallSeconds = 45

/** How the MCP server is served. */
export interface McpOptions {
  operations: readonly Operation[]
  surroundings: Surroundings
  /** Seconds after which a call of a tool ends; default 45. */
  callSeconds?: number | undefined
}

/**
 * `POST /mcp`: the tools of {@link bindTools} in the Model Context Protocol, without sessions and streams. A call of a tool is
 * a request to the route of its operation, which counts, limits and logs it; some tools send
 * several requests ({@link Composition}), each of which counts. Every message that reaches no operation counts as a read of the agent.
 */
export function serveMcp(
  app: FastifyInstance,
  { operations, surroundings, callSeconds = longestCallSeconds }: McpOptions,
): void {
  const { limits, bulkheads, services } = surroundings
  const tools = bindTools(operations)
  const respond = createProtocol(tools, createToolCaller(app, operations, tools))
  const limit = limits.of({ method: 'GET', access: 'agent' })
  const bulkhead = bulkheads.of({ id: 'mcp', meta: { bulkhead: 'default' } })

  app.post('/mcp', {
    config: { operation: 'mcp' },
    onRequest: async (request) => {
      requireOwnOrigin(request, services.config)
      await bulkhead.beforeBody(() => authenticate({ meta: { returnsSecret: false } }, request, surroundings))
    },
    // A body that cannot be read costs as much as a request that can.
    errorHandler: async (error, request, reply) => {
      const limited =
        request.agent && (await limit.ofAgent(request.agent.id, reply).catch((thrown) => thrown))
      sendFailure(limited ?? error, request, reply)
      return reply
    },
    handler: async (request, reply) => {
      const { agent, body } = request
      if (!agent || !isObject(body)) throw new ServiceError('invalid_json')
      const ending = new AbortController()
      const timer = setTimeout(() => ending.abort(), callSeconds * second)
      whenFinished(request.raw, reply.raw, () => ending.abort())
      try {
        const response = await respond(body, { request, signal: ending.signal })
        if (!request.reachedOperation) await limit.ofAgent(agent.id, reply)
        const type = response.headers.get('content-type') ?? jsonType
        reply.code(response.status).headers({ 'cache-control': privateCache, 'content-type': type })
        return reply.send(await response.text())
      } finally {
        clearTimeout(timer)
      }
    },
  })
}
