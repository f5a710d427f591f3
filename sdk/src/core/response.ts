import type { ErrorCode, FieldIssue } from '../generated/schema.ts'
import { type ApiError, apiError } from './errors.ts'
import type { Settings } from './options.ts'
import type { CallInput } from './request.ts'
import { parseRetryAfter } from './retry.ts'

/**
 * The body of a success.
 * @param body undefined if it is not JSON
 * @throws ApiError for any other response
 */
export function readBody(
  response: Response,
  body: unknown,
  { apiKey, expects }: Settings & Pick<CallInput, 'expects'>,
): object {
  // Gateways answer 200 with pages and values of their own.
  const isOurs = ([name, value]: [string, unknown]) =>
    expects ? name === expects : value instanceof Object || name.endsWith('_id')
  if (response.ok && body instanceof Object && !Array.isArray(body) && Object.entries(body).some(isOurs))
    return body
  const hint =
    response.status === 401 && apiKey === null ? ' Pass apiKey or set BOUNTY_MARKETPLACE_API_KEY.' : ''
  throw errorOf(response, body, hint)
}

/** A response as it was before its body was read. */
export function readable({ status, statusText, headers }: Response, text: string): Response {
  // Responses of some statuses must not have a body, not even an empty one.
  return new Response(text || null, { status, statusText, headers })
}

function errorOf(response: Response, body: unknown, hint: string): ApiError {
  const error = isErrorBody(body) ? body.error : undefined
  const { status, headers } = response
  // Browsers show a redirect as status 0, and not where it leads.
  const other =
    response.ok || status >= 400
      ? `The address responded with ${status}, not as a marketplace does`
      : `The address redirects to ${headers.get('location')?.split('?')[0]}: use that as baseUrl`
  return apiError({
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

function isErrorBody(body: unknown): body is ErrorBody {
  const error = (body as Partial<ErrorBody> | null | undefined)?.error
  return typeof error?.code === 'string' && typeof error.message === 'string'
}

/** Undefined if `text` is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
