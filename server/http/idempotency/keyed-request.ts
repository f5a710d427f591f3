import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { digestOfKey, openBody, sealBody } from '../../crypto/sealed-response.ts'
import { ServiceError } from '../../errors.ts'
import type { Operation } from '../adapter/operations.ts'
import type { HttpResponse } from '../response.ts'
import type { Kept, NewKey } from './queries.ts'

const registrationScope = 'register'
const strongKeyLength = 32
/** Earlier documents printed this key as an example, and pages made from them sent it for every reader. */
const printedKey = '5d1c9a52-8d0b-4f0e-9a54-3f6b2c7d1e90'

const hour = 3600
/** How long a response is stored, in seconds. It is shorter if only the key protects a secret in the response. */
const retentionSeconds = { usually: 24 * hour, withSecret: hour } as const

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  operation: Operation
  request: FastifyRequest
  /** The key itself. It seals and opens the stored response and is stored nowhere. */
  secret: string
  /** What a repeated request must match, and how long its response is stored. */
  key: NewKey
}

/**
 * Reads the Idempotency-Key of a request; null where it has none.
 * @throws ServiceError `idempotency_key_invalid`, `idempotency_key_too_weak`
 */
export function readKey(operation: Operation, request: FastifyRequest): KeyedRequest | null {
  const secret = request.headers['idempotency-key']
  if (secret === undefined) return null
  if (typeof secret !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(secret))
    throw new ServiceError('idempotency_key_invalid')
  if (secret.toLowerCase() === printedKey)
    throw new ServiceError(
      'idempotency_key_invalid',
      'This Idempotency-Key was printed in documentation, so others send it too. Use a random one, such as a UUID.',
    )
  const scope = request.agent?.id ?? registrationScope
  // Only this key protects an API key in the stored response.
  if (operation.meta.returnsSecret && isGuessable(secret)) throw new ServiceError('idempotency_key_too_weak')
  const canonical = stableJson([operation.id, request.params, request.body ?? {}])
  return {
    operation,
    request,
    secret,
    key: {
      scope,
      keyDigest: digestOfKey(scope, secret),
      operation: operation.id,
      requestDigest: hash('sha256', canonical, 'buffer'),
      retentionSeconds: operation.meta.returnsSecret ? retentionSeconds.withSecret : retentionSeconds.usually,
    },
  }
}

/** UUIDs from standards and common examples, and the hex digits in order; without hyphens. */
const wellKnownKeys = new Set([
  '550e8400e29b41d4a716446655440000',
  '123e4567e89b12d3a456426614174000',
  'f81d4fae7dec11d0a76500a0c91e6bf6',
  '0123456789abcdef0123456789abcdef',
])
/** About one random UUID in ten million has fewer different characters. */
const fewestCharacters = 8

/** Whether somebody else may send the same key. */
function isGuessable(secret: string): boolean {
  const plain = secret.toLowerCase().replaceAll('-', '')
  return secret.length < strongKeyLength || new Set(plain).size < fewestCharacters || wellKnownKeys.has(plain)
}

/** JSON with sorted keys, so that order and spacing make no difference. */
function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
}

/** The response that is stored under a key; undefined where there is none. */
export function responseOf(
  { key, secret }: KeyedRequest,
  stored: { response_status: number | null; response_body: Buffer | null },
): HttpResponse | undefined {
  if (stored.response_status === null || stored.response_body === null) return undefined
  return {
    status: stored.response_status,
    headers: { 'idempotency-replayed': 'true' },
    body: openBody(secret, key.scope, stored.response_body),
  }
}

/** The JSON of a response as it is stored. */
export function seal({ key, operation, secret }: KeyedRequest, body: string): Kept {
  return { status: operation.meta.status, sealedBody: sealBody(secret, key.scope, body) }
}
