import type { ErrorCode, FieldIssue } from '../generated/models.ts'
import { type ApiError, apiError } from './errors.ts'
import { parseRetryAfter } from './retry.ts'

/** The parsed body of a success. @throws ApiError for any other response */
export function readBody(response: Response, text: string): unknown {
  const body = parseJson(text)
  if (response.ok && body !== undefined) return body
  throw errorOf(response, body)
}

function errorOf(response: Response, body: unknown): ApiError {
  const error = isErrorBody(body) ? body.error : undefined
  const { status, headers } = response
  return apiError({
    status,
    code: error?.code ?? 'unexpected_response',
    message: error?.message ?? `The address responded with ${status}, but not as a marketplace does`,
    // A gateway that fails says nothing about the request.
    retryable: error?.retryable ?? status >= 500,
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
