import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../errors.ts'
import type { Operation } from '../http/adapter/operations.ts'
import { toServiceError } from '../http/errors/service-error.ts'
import { readArguments } from './arguments.ts'
import type { BoundTool } from './definitions.ts'
import { type Failure, failureOf, failureResult, unfinished } from './errors.ts'
import type { Json } from './json.ts'
import { present, type ToolResult, toResult } from './results.ts'
import { toToolCalls } from './steps.ts'

/** Who calls a tool. */
export interface Caller {
  /** The request that brought the call. */
  request: FastifyRequest
  /** Aborted when the client is gone or the time of the call is over. */
  signal: AbortSignal
}

/** Calls a tool. It never throws: failures are results, too. */
export type CallTool = (tool: BoundTool, args: Json, caller: Caller) => Promise<ToolResult>

/** The request of a tool, sent to a route of this process. @throws Refused */
type Send = (operationId: string, input: Json, idempotencyKey?: string) => Promise<Json>

/** An operation has responded with an error. */
class Refused extends Error {
  readonly failure: Failure
  readonly retryAfter: number | undefined

  constructor(failure: Failure, retryAfter?: number) {
    super(failure.message)
    this.failure = failure
    this.retryAfter = retryAfter
  }
}

/** Makes the function that calls tools through the routes of `app`, so that everything around an operation applies. */
export function createToolCaller(
  app: FastifyInstance,
  operations: readonly Operation[],
  tools: readonly BoundTool[],
): CallTool {
  return async (tool, args, { request, signal }) => {
    const send: Send = (id, input, key) => {
      const operation = operations.find((candidate) => candidate.id === id)
      if (!operation) throw new Error(`no operation ${id}`)
      return sendTo(app, operation, { input, key, request, signal })
    }
    try {
      const input = readArguments(tool, args)
      const body = await run(tool, input, send, args.idempotency_key ?? request.headers['idempotency-key'])
      return toResult(present(tool, tool.name === 'next_actions' ? toToolCalls(body, tools) : body, args))
    } catch (error) {
      if (signal.aborted) return failureResult(tool, unfinished(tool))
      if (error instanceof Refused) return failureResult(tool, error.failure, error.retryAfter)
      if (error instanceof ServiceError) return failureResult(tool, failureOf(error))
      request.log.error({ err: error, tool: tool.name }, 'a tool call failed')
      return failureResult(tool, failureOf(toServiceError(error)))
    }
  }
}

async function run(tool: BoundTool, input: Json, send: Send, key: unknown): Promise<Json> {
  const body = await send(tool.operation, input, key === undefined ? undefined : String(key))
  if (tool.name === 'create_project') return activate(body as { project: { id: string } }, send)
  const { bounty } = body as { bounty?: { id: string; status: string } }
  if (tool.name !== 'get_bounty' || bounty?.status !== 'claimed') return body
  // The claim may have ended since.
  const { claim } = await send('bounties.getClaim', { id: bounty.id }).catch((): Json => ({}))
  return { bounty: { ...bounty, ...(claim !== undefined && { claim }) } }
}

/** Activates what was created by this call or an earlier one with its key. */
async function activate({ project: { id } }: { project: { id: string } }, send: Send): Promise<Json> {
  const activated = await send('projects.activate', { id }).catch((error) => {
    if (error instanceof Refused && error.failure.code === 'project_already_active') return undefined
    throw error
  })
  return activated ?? send('projects.get', { id })
}

interface Sent extends Caller {
  input: Json
  key: string | undefined
}

async function sendTo(
  app: FastifyInstance,
  operation: Operation,
  { input, key, request, signal }: Sent,
): Promise<Json> {
  const { method, path, pathParameters } = operation
  const url = path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(String(input[name])))
  const fields = Object.entries(input).filter(([name]) => !pathParameters.includes(name))
  const { authorization = '', traceparent } = request.headers
  const response = await app.inject({
    method,
    url,
    ...(method === 'GET'
      ? { query: Object.fromEntries(fields.map(([name, value]) => [name, String(value)])) }
      : fields.length > 0 && { payload: Object.fromEntries(fields) }),
    headers: {
      authorization,
      'x-request-id': request.id,
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(typeof traceparent === 'string' && { traceparent }),
    },
    remoteAddress: request.ip,
    signal,
  })
  const body: Json = response.json()
  if (response.statusCode < 400) return body
  const retryAfter = response.headers['retry-after']
  throw new Refused(
    (body as { error: Failure & Json }).error,
    retryAfter === undefined ? undefined : Number(retryAfter),
  )
}
