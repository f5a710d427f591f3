import type { OperationMeta } from '../../server/trpc.ts'
import type { Document, DocumentedOperation, JsonObject, Parameter, Response, Schema } from '../types.ts'
import { mayRetryLater } from './errors.ts'

/** Adds the headers of every operation to its requests, responses and errors. */
export function describeHeaders(document: Document, operations: DocumentedOperation[]): void {
  document.components.headers = headers
  document.components.parameters = parameters
  for (const { method, meta, operation } of operations) {
    const conditional = method === 'get' && meta.access === 'public'
    operation.parameters = [...(operation.parameters ?? []), parameter('RequestId')]
    if (method !== 'get') operation.parameters.push(parameter(idempotencyKeyOf(meta)))
    if (conditional) {
      operation.parameters.push(parameter('IfNoneMatch'))
      operation.responses['304'] = { description: 'Unchanged since the `ETag` in `If-None-Match`.' }
    }
    for (const [status, response] of Object.entries(operation.responses)) {
      if (response.$ref) continue
      const names = ['X-Request-Id', 'Cache-Control', 'RateLimit', 'RateLimit-Policy']
      if (conditional && (status === '200' || status === '304')) names.push('ETag')
      if (method !== 'get') names.push('Idempotency-Replayed')
      addHeaders(response, names)
    }
  }
  const written = referencedBy(operations.filter(({ method }) => method !== 'get'))
  for (const [name, response] of Object.entries(document.components.responses ?? {})) {
    addHeaders(response, ['X-Request-Id', 'Cache-Control', 'RateLimit', 'RateLimit-Policy'])
    if (written.has(`#/components/responses/${name}`)) addHeaders(response, ['Idempotency-Replayed'])
  }
  const unauthorized = document.components.responses?.Unauthorized
  if (unauthorized) addHeaders(unauthorized, ['WWW-Authenticate'])
}

/** The Idempotency-Key protects the API key in a stored response, so nobody may guess it. */
function idempotencyKeyOf({ returnsSecret, requiresIdempotencyKey }: OperationMeta): string {
  if (requiresIdempotencyKey) return 'RequiredIdempotencyKey'
  return returnsSecret ? 'StrongIdempotencyKey' : 'IdempotencyKey'
}

/** The shared responses that any of `operations` refers to. */
function referencedBy(operations: DocumentedOperation[]): Set<string | undefined> {
  return new Set(
    operations.flatMap(({ operation }) => Object.values(operation.responses).map(({ $ref }) => $ref)),
  )
}

function addHeaders(response: Response, names: string[]): void {
  const all = mayRetryLater(response) ? [...names, 'Retry-After'] : names
  response.headers = {
    ...response.headers,
    ...Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
  }
}

function parameter(name: string): Parameter {
  return { $ref: `#/components/parameters/${name}` }
}

const visibleAscii = '^[\\x21-\\x7E]+$'

const headers: Record<string, JsonObject> = {
  'X-Request-Id': {
    description: 'Identifies this request in logs. The value the caller sent, if it was valid.',
    required: true,
    schema: { type: 'string' },
  },
  'Cache-Control': { description: 'Who may store the response.', required: true, schema: { type: 'string' } },
  ETag: {
    description: 'Strong validator of the body. Send it back as `If-None-Match`.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds to wait before trying again.',
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimit: {
    description: 'What is left of the limit that counted this request. Present if limits are on.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The limit that counted this request. Present if limits are on.',
    schema: { type: 'string' },
  },
  'Idempotency-Replayed': {
    description: '`true` if this is the stored response of an earlier request with the same Idempotency-Key.',
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
