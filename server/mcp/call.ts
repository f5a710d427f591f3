import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type ErrorCode, type FieldIssue, ServiceError } from '../errors.ts'
import type { Operation } from '../http/adapter/operations.ts'
import { toServiceError } from '../http/errors/service-error.ts'
import { readArguments, toArguments } from './arguments.ts'
import { diffRoute } from './diff.ts'
import { failureResult, isPaidAlready, paidAlready, unfinishedResult } from './errors.ts'
import type { Json } from './json.ts'
import { present, readerOf, replayed, type ToolResult, toResult } from './results.ts'
import type { Send } from './send.ts'
import { toToolCalls, withTools } from './steps.ts'
import type { BoundTool } from './tools/definitions.ts'
import type { Role } from './tools/tool.ts'

/** The route of an operation refuses longer ones before it counts the request. */
const longestUrl = 4096

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a message to `/mcp` was passed on to an operation, which counts and measures it. */
    reachedOperation: boolean
    /** Whether a tool sent it, inside this process. */
    isFromTool: boolean
  }
}

/** When the call ends in which an operation gets a request. */
const endOfCall = new AsyncLocalStorage<AbortSignal>()

/** Who calls a tool. */
export interface Caller {
  /** The request that brought the call. */
  request: FastifyRequest
  /** Aborted when the client is gone or the time of the call is over. */
  signal: AbortSignal
  /** Whose tools are listed; all can be called. */
  role?: Role | undefined
}

/** Calls a tool. It never throws: failures are results, too. */
export type CallTool = (tool: BoundTool, args: Json, caller: Caller) => Promise<ToolResult>

/** Makes the function that calls tools through the routes of `app`, so that everything around an operation applies. */
export function createToolCaller(
  app: FastifyInstance,
  operations: readonly Operation[],
  tools: readonly BoundTool[],
): CallTool {
  app.decorateRequest('reachedOperation', false)
  app.decorateRequest('isFromTool', false)
  app.addHook('onRequest', async (request, reply) => {
    const signal = endOfCall.getStore()
    if (!signal) return
    request.isFromTool = true
    // The option `signal` of `inject` does nothing once the body has been read.
    signal.addEventListener('abort', () => reply.raw.destroy())
  })
  return callTool

  async function callTool(tool: BoundTool, args: Json, caller: Caller): Promise<ToolResult> {
    const { request, signal } = caller
    let isReplayed = false
    const send: Send = async (id, input, apiKey) => {
      const operation = [...operations, diffRoute].find((candidate) => candidate.id === id)
      if (!operation) throw new Error(`no operation ${id}`)
      const given = args.idempotency_key ?? request.headers['idempotency-key']
      const isOwn = [tool.operation, ...Object.values(tool.actions ?? {})].includes(id)
      const key = isOwn && given !== undefined ? String(given) : undefined
      const response = await sendTo(app, operation, { ...caller, input, key, apiKey }).catch((error) => {
        throw error instanceof ServiceError ? toArguments(tool, error) : error
      })
      // A composition goes on from there and returns the present state.
      isReplayed = response.isReplayed && !tool.run
      return response.body
    }
    try {
      const { action, ...input } = readArguments(tool, args)
      const operation = tool.actions?.[String(action)] ?? tool.operation
      const body = await (tool.run ? tool.run(send, input, request.agent?.id) : send(operation, input))
      const result = present(tool, tool.hasSteps ? toToolCalls(body, tools) : body, args, request.agent?.id)
      if (!isReplayed) return toResult(result)
      const reader = readerOf(tool, body, args)
      const readTool = tools.find(({ name }) => name === reader.name) as BoundTool
      const { content } = await callTool(readTool, reader.args, caller)
      return toResult(replayed(result, JSON.parse(content[0].text)))
    } catch (error) {
      if (signal.aborted) return unfinishedResult(tool)
      if (!(error instanceof ServiceError))
        request.log.error({ err: error, tool: tool.name }, 'a tool call failed')
      const failure = toServiceError(error)
      const step = (await isPaidAlready(tool, args, failure, send)) ? paidAlready : undefined
      const message = withTools(failure.message, tools, operations)
      return failureResult(tool, failure, { message, step, args })
    }
  }
}

interface Sent extends Caller {
  input: Json
  key: string | undefined
  /** In place of the caller's own. */
  apiKey: string | undefined
}

async function sendTo(
  app: FastifyInstance,
  operation: Pick<Operation, 'method' | 'path' | 'pathParameters'>,
  sent: Sent,
): Promise<{ body: Json; isReplayed: boolean }> {
  const { input, key, apiKey, request, signal } = sent
  signal.throwIfAborted()
  const { method, path, pathParameters } = operation
  const fields = Object.entries(input).filter(([name]) => !pathParameters.includes(name))
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(String(input[name])))
  const query = () => new URLSearchParams(Object.fromEntries(fields) as Record<string, string>)
  const url = method === 'GET' && fields.length > 0 ? `${filled}?${query()}` : filled
  if (url.length > longestUrl) throw new ServiceError('uri_too_long')
  const authorization = apiKey === undefined ? request.headers.authorization : `Bearer ${apiKey}`
  request.reachedOperation = true
  const injected = {
    method,
    url,
    ...(method !== 'GET' && fields.length > 0 && { payload: Object.fromEntries(fields) }),
    headers: {
      'x-request-id': request.id,
      ...(authorization !== undefined && { authorization }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    remoteAddress: request.ip,
  }
  const response = await endOfCall.run(signal, async () => app.inject(injected))
  const body: Json = response.json()
  if (response.statusCode < 400)
    return { body, isReplayed: response.headers['idempotency-replayed'] === 'true' }
  const { code, message, issues } = body.error as { code: ErrorCode; message: string; issues?: FieldIssue[] }
  const retryAfter = response.headers['retry-after']
  throw new ServiceError(code, message, {
    ...(issues && { issues }),
    ...(retryAfter !== undefined && { retryAfter: Number(retryAfter) }),
  })
}
