import { errorCatalog } from '../../server/errors.ts'
import type { OperationMeta } from '../../server/trpc.ts'
import { codesOf } from '../references.ts'
import type { Document, DocumentedOperation, JsonObject, Parameter, Response, Schema } from '../types.ts'

/**
 * Adds the headers of every operation to its requests and responses. {@link always} are listed where readers look for them: with
 * the successes, those of rate limits with the error, and that of caches where a response may be kept.
 */
export function describeHeaders(document: Document, operations: DocumentedOperation[]): void {
  const notModified: Response = { description: 'Unchanged since the `ETag` in `If-None-Match`.' }
  addHeaders(notModified, ['ETag'])
  const shared: Record<string, Response> = { ...document.components.responses, NotModified: notModified }
  Object.assign(document.components, { headers, parameters, responses: shared })
  for (const { method, meta, operation } of operations) {
    const conditional = method === 'get' && meta.access === 'public'
    operation.parameters = [...(operation.parameters ?? []), parameter('RequestId')]
    if (method !== 'get') operation.parameters.push(parameter(idempotencyKeyOf(meta)))
    if (conditional) {
      operation.parameters.push(parameter('IfNoneMatch'))
      operation.responses['304'] = { $ref: '#/components/responses/NotModified' }
    }
    const names = ['X-Request-Id']
    if (conditional) names.push('Cache-Control', 'ETag')
    if (method !== 'get') names.push('Idempotency-Replayed')
    const success = operation.responses[meta.status]
    if (success) addHeaders(success, names)
    addHeadersOfErrors(document, operation.responses)
  }
  addHeadersOfErrors(document, shared)
  if (shared.Unauthorized) addHeaders(shared.Unauthorized, ['WWW-Authenticate'])
}

/** The headers that errors may have as well, although only other responses list them. */
export const always = [
  'X-Request-Id',
  'Cache-Control',
  'RateLimit',
  'RateLimit-Policy',
  'Idempotency-Replayed',
]

/** The Idempotency-Key protects the API key in a stored response, so nobody may guess it. */
function idempotencyKeyOf({ returnsSecret, requiresIdempotencyKey }: OperationMeta): string {
  if (requiresIdempotencyKey) return 'RequiredIdempotencyKey'
  return returnsSecret ? 'StrongIdempotencyKey' : 'IdempotencyKey'
}

/** Shared responses have the headers themselves. */
function addHeadersOfErrors(document: Document, responses: Record<string, Response>): void {
  for (const response of Object.values(responses)) {
    if (response.$ref) continue
    const codes = codesOf(document, response)
    if (codes.some((code) => errorCatalog[code].retryable)) addHeaders(response, ['Retry-After'])
    if (codes.includes('rate_limited')) addHeaders(response, ['RateLimit', 'RateLimit-Policy'])
  }
}

function addHeaders(response: Response, names: string[]): void {
  const added = names.map((name) => [name, { $ref: `#/components/headers/${name}` }])
  response.headers = { ...response.headers, ...Object.fromEntries(added) }
}

function parameter(name: string): Parameter {
  return { $ref: `#/components/parameters/${name}` }
}

const visibleAscii = '^[\\x21-\\x7E]+$'

const headers: Record<string, JsonObject> = {
  'X-Request-Id': {
    description:
      'Identifies this request in logs. The value the caller sent, if it was valid. Every response has it.',
    required: true,
    schema: { type: 'string' },
  },
  'Cache-Control': {
    description: 'Who may store the response. Every response has it.',
    required: true,
    schema: { type: 'string' },
  },
  ETag: {
    description: 'Strong validator of the body. Send it back as `If-None-Match`.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds to wait before trying again.',
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimit: {
    description:
      'What is left of the limit that counted this request. Every response has it if limits are on.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The limit that counted this request. Every response has it if limits are on.',
    schema: { type: 'string' },
  },
  'Idempotency-Replayed': {
    description:
      '`true` if this is the response of an earlier request with the same Idempotency-Key: nothing was done again.',
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': {
    description: 'The `Bearer` scheme. `error_uri` leads to the page that says how to get a key.',
    required: true,
    schema: { type: 'string' },
  },
}

/* No example: pages made from the document would send it, and all their readers would share one response. */
const idempotencyKey = {
  in: 'header' as const,
  name: 'Idempotency-Key',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: visibleAscii } satisfies Schema,
}
const freshKey = 'Use a new random key, such as a UUID, for each new request.'

const parameters: Record<string, Parameter> = {
  IdempotencyKey: {
    ...idempotencyKey,
    description: `Makes the request safe to repeat: for 24 hours the same key with the same body returns the first response again. ${freshKey}`,
  },
  StrongIdempotencyKey: {
    ...idempotencyKey,
    description: `Makes the request safe to repeat: for one hour (because the response holds a secret) the same key with the same body returns the first response again. ${freshKey}`,
    schema: { ...idempotencyKey.schema, minLength: 32 },
  },
  RequiredIdempotencyKey: {
    ...idempotencyKey,
    required: true,
    description: `Makes sure that the request is done only once, permanently: the same key with the same body returns what became of the first request. ${freshKey}`,
  },
  IfNoneMatch: {
    in: 'header',
    name: 'If-None-Match',
    description: 'The `ETag` of an earlier response. The response is 304 if nothing has changed.',
    schema: { type: 'string' },
  },
  RequestId: {
    in: 'header',
    name: 'X-Request-Id',
    description: 'Your own id for this request, repeated in the response.',
    schema: { type: 'string', minLength: 1, maxLength: 128, pattern: visibleAscii },
  },
}
