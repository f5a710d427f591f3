import type { ServiceError } from '../../errors.ts'

/** A whole answer: status, headers of its own, and the JSON sent, byte for byte. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

const defaultRetryAfter = 1

/** What callers see of an error, in the one shape that every error of the service has. */
export function errorResponse(error: ServiceError, requestId: string): Answer {
  const { code, message, retryable, issues, status } = error
  return {
    status,
    headers: errorHeaders(error),
    body: JSON.stringify({
      error: { code, message, retryable, request_id: requestId, ...(issues && { issues }) },
    }),
  }
}

function errorHeaders(error: ServiceError): Record<string, string> {
  if (error.code === 'unauthorized') return { 'www-authenticate': 'Bearer' }
  const waits = error.retryable && (error.status === 429 || error.status === 503)
  return waits ? { 'retry-after': String(Math.max(1, Math.ceil(error.retryAfter ?? defaultRetryAfter))) } : {}
}
