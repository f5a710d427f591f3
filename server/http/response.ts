import type { FastifyReply } from 'fastify'
import type { ServiceError } from '../errors.ts'

/** A whole response: status, its own headers, and the JSON as it is sent. */
export interface HttpResponse {
  status: number
  headers: Record<string, string>
  body: string
}

/** Sends a response. */
export function sendResponse(reply: FastifyReply, { status, headers, body }: HttpResponse): FastifyReply {
  // For an empty string Fastify would send a Content-Length, which is not that of the response that 304 stands for.
  return reply
    .code(status)
    .headers(headers)
    .send(status === 304 ? undefined : body)
}

const defaultRetryAfter = 1
/** Leads to the page that says how to get a key. `error_uri` is a URI reference (RFC 6750, section 3). */
const challenge = 'Bearer realm="bounty-marketplace", error_uri="/skill.md"'

/** The response to an error, in the one shape of all errors. */
export function errorResponse(error: ServiceError, requestId: string): HttpResponse {
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
  if (error.code === 'unauthorized') return { 'www-authenticate': challenge }
  const seconds = error.retryAfter ?? (error.retryable ? defaultRetryAfter : undefined)
  const mayWait = error.status === 429 || error.status === 503
  return mayWait && seconds !== undefined ? { 'retry-after': String(Math.max(1, Math.ceil(seconds))) } : {}
}
