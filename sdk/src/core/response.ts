import type { ErrorCode, FieldIssue } from '../generated/schema.ts'
import { apiError } from './errors.ts'
import type { Settings } from './options.ts'
import type { CallInput } from './request.ts'
import { parseRetryAfter } from './retry.ts'

/** Whether a member is a resource, a list of them, or the id of a bounty. Gateways have errors and ids of requests. */
const isOurs = ([name, value]: [string, unknown]) =>
  name === 'bounty_id' || (value instanceof Object && !/^(error|data)/.test(name))

/**
 * The body of a success.
 * @param body undefined if it is not JSON
 * @throws ApiError for any other response
 */
export function readBody(
  { ok, status, headers }: Response,
  body: unknown,
  { apiKey, expects }: Settings & Pick<CallInput, 'expects'>,
): object {
  const object = body as object | null | undefined
  // Gateways respond with 200 and JSON of their own, lists and plain values among it.
  if (ok && object?.constructor === Object)
    if (expects === '*' ? Object.entries(object).some(isOurs) : !expects || expects in object) return object
  const error = errorIn(body)
  // Browsers show a redirect as status 0, and not where it leads.
  const other =
    ok || status >= 400
      ? `The address responded with ${status}, not as a marketplace does`
      : `The address redirects to ${headers.get('location')?.split('?')[0]}: use that as baseUrl`
  const hint = status === 401 && apiKey === null ? ' Pass apiKey or set BOUNTY_MARKETPLACE_API_KEY.' : ''
  throw apiError({
    status,
    code: error?.code ?? 'unexpected_response',
    message: (error?.message ?? other) + hint,
    // What is not the service's says nothing about the request.
    retryable: error?.retryable ?? true,
    requestId: error?.request_id ?? headers.get('x-request-id') ?? undefined,
    issues: error?.issues ?? [],
    retryAfterMs: parseRetryAfter(headers.get('retry-after')),
  })
}

interface ErrorBody {
  error: {
    code: ErrorCode
    message: string
    retryable: boolean
    request_id?: string
    issues?: FieldIssue[]
  }
}

function errorIn(body: unknown): ErrorBody['error'] | undefined {
  const error = (body as Partial<ErrorBody> | null | undefined)?.error
  // Gateways write errors with a code and a message, too.
  return error?.code && typeof error.retryable === 'boolean' ? error : undefined
}

/** Undefined if `text` is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
