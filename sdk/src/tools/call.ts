import type { Marketplace } from '../client.ts'
import { MarketplaceError } from '../core/errors.ts'
import type { CallOptions } from '../core/options.ts'
import { newIdempotencyKey } from '../core/request.ts'
import type { ErrorCode, FieldIssue } from '../generated/schema.ts'
import { definitions } from '../generated/tools.ts'

/** What a tool returned. */
export interface ToolResult {
  /** For the model: at most 8 kB. What others wrote stands between marks in it. */
  text: string
  /** For programs: the result as an object. */
  data: Record<string, unknown>
  /** `X-Request-Id` of the response. Quote it when you ask for help. */
  requestId: string | undefined
}

/** A tool returned an error. `result.text` tells a model what to do next. */
export class ToolError extends MarketplaceError {
  override name = 'ToolError'
  /** The error code; `unexpected_response` if there is none. */
  readonly code: ErrorCode | 'unexpected_response'
  /** Whether the same call, unchanged, may succeed later. */
  readonly retryable: boolean
  /** Each argument that failed validation; empty unless `code` is `validation_failed`. */
  readonly issues: readonly FieldIssue[]
  /** What to do now, in terms of tools. */
  readonly nextStep: string | undefined
  /** What the tool returned. */
  readonly result: ToolResult

  constructor(tool: string, result: ToolResult) {
    const { text, data, requestId } = result
    const { error = {}, next_step } = data as ErrorData
    const code = error.code ?? 'unexpected_response'
    super(`${tool}: ${error.message ?? text} (${[code, requestId].filter(Boolean).join(', ')})`)
    this.code = code
    this.retryable = error.retryable ?? false
    this.issues = error.issues ?? []
    this.nextStep = next_step
    this.result = result
  }
}

interface ErrorData {
  error?: { code?: ErrorCode; message?: string; retryable?: boolean; issues?: FieldIssue[] }
  next_step?: string
}

/** A response of JSON-RPC. */
interface Envelope {
  result?: {
    content?: { type: string; text?: string }[]
    isError?: boolean
  }
  error?: { message: string }
}

const protocolVersion = '2026-07-28'
/** A tool responds within 55 seconds. */
const timeoutMs = 60_000

/**
 * Calls a tool at the MCP server of the marketplace.
 * @throws ToolError if the tool returned an error; ApiError or ConnectionError as every call
 */
export async function callTool(
  market: Pick<Marketplace, 'request'>,
  name: string,
  args: Record<string, unknown>,
  options: CallOptions = {},
): Promise<ToolResult> {
  const takesKey = definitions.some(
    (tool) => tool.name === name && 'idempotency_key' in tool.inputSchema.properties,
  )
  // A key that a model wrote may be anything, so it goes into no header.
  const key = takesKey && {
    idempotency_key: args.idempotency_key ?? options.idempotencyKey ?? newIdempotencyKey(),
  }
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name,
      arguments: { ...args, ...key },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': protocolVersion,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  }
  const headers = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': protocolVersion,
    'mcp-method': 'tools/call',
    'mcp-name': name,
    ...options.headers,
  }
  const call = { ...options, headers, ...(takesKey && { idempotencyKey: undefined }) }
  const { data, requestId } = await market
    .request<Envelope>('POST /mcp', { body, timeoutMs }, call)
    .withResponse()
  const { result, error } = data
  const texts = result?.content?.map(({ text }) => text ?? '') ?? [error?.message ?? 'there is no result']
  const text = texts.join('\n')
  const found = { text, data: result ? JSON.parse(text) : {}, requestId }
  if (!result || result.isError) throw new ToolError(name, found)
  return found
}
