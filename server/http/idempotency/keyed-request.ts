import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { ResponseRetention, Resume } from '../../context.ts'
import { digestOfKey, openBody, sealBody } from '../../crypto/sealed-response.ts'
import type { Database } from '../../db/client.ts'
import { type ErrorCode, ServiceError } from '../../errors.ts'
import type { Operation } from '../adapter/operations.ts'
import { type Answer, errorResponse } from '../adapter/response.ts'
import { toServiceError } from '../errors/service-error.ts'
import { findKey, type KeyName, type StoredResponse } from './queries.ts'

const registrationScope = 'register'
const strongKeyLength = 32
/** The documents printed this key as an example, and pages made from them sent it for everybody who read them. */
const printedKey = '5d1c9a52-8d0b-4f0e-9a54-3f6b2c7d1e90'

const hour = 3600
/** How long a response can be had again, in seconds; shorter where it holds a secret that its key alone protects. */
export const retentionSeconds = { usually: 24 * hour, withSecret: hour } as const

/** What a request does, given how its response is stored. */
export type Work = (retention: ResponseRetention) => Promise<Answer>

/** A request with an Idempotency-Key, as far as that may be kept. */
export interface KeyedRequest {
  operation: Operation
  request: FastifyRequest
  /** The key itself: it seals and opens the stored answer and is stored nowhere. */
  secret: string
  name: KeyName
  /** What a repeated request has to agree with. */
  asked: { operation: string; digest: Buffer }
  /** How long its response is kept. */
  retentionSeconds: number
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
  // Where the answer holds an API key, this key is all that protects it.
  if (operation.meta.returnsSecret && isGuessable(secret)) throw new ServiceError('idempotency_key_too_weak')
  const what = stable([operation.id, request.params, request.body ?? {}])
  return {
    operation,
    request,
    secret,
    name: { scope, keyDigest: digestOfKey(scope, secret) },
    asked: { operation: operation.id, digest: hash('sha256', what, 'buffer') },
    retentionSeconds: operation.meta.returnsSecret ? retentionSeconds.withSecret : retentionSeconds.usually,
  }
}

/** UUIDs that stand in the standards and in everybody's examples, and hex digits in their order; without hyphens. */
const wellKnownKeys = new Set([
  '550e8400e29b41d4a716446655440000',
  '123e4567e89b12d3a456426614174000',
  'f81d4fae7dec11d0a76500a0c91e6bf6',
  '0123456789abcdef0123456789abcdef',
])
/** A random UUID has fewer different characters about once in ten million. */
const fewestCharacters = 8

/** Whether somebody else may come to send the same key. */
function isGuessable(secret: string): boolean {
  const plain = secret.toLowerCase().replaceAll('-', '')
  return secret.length < strongKeyLength || new Set(plain).size < fewestCharacters || wellKnownKeys.has(plain)
}

/** JSON with sorted keys: the order and spacing a client happens to use make no other request. */
function stable(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
}

/** The stored answer again; null where there is none. @throws ServiceError `idempotency_key_reused` */
export async function replay(db: Database, { name, secret, asked }: KeyedRequest): Promise<Answer | null> {
  const known = await findKey(db, name)
  if (!known) return null
  if (!known.request_digest.equals(asked.digest)) throw new ServiceError('idempotency_key_reused')
  if (known.response_status === null || known.response_body === null) return null
  return {
    status: known.response_status,
    headers: { 'idempotency-replayed': 'true' },
    body: openBody(secret, name.scope, known.response_body),
  }
}

/**
 * The response of an operation whose facts may have changed since: the procedure finds its work again by what is stored,
 * and says what holds now. Failures stay as they are, but for those that the operation names.
 */
export async function rebuild(
  { operation, request }: KeyedRequest,
  stored: Answer,
  work: Work,
): Promise<Answer> {
  const { error, ...response } = JSON.parse(stored.body)
  if (error && !operation.meta.rebuildsResponse?.includes(error.code)) return stored
  const resume: Resume = error ? { refused: error.code } : response
  const idempotent = { resume, stillHeld: sql<boolean>`false`, storeResume: refuseToBegin }
  const answer = await work({ store: refuseToBegin, idempotent }).catch((thrown) =>
    errorResponse(toServiceError(thrown), request.id),
  )
  return { ...answer, headers: { ...answer.headers, ...stored.headers } }
}

async function refuseToBegin(): Promise<never> {
  throw new ServiceError(
    'idempotency_key_reused',
    'What this Idempotency-Key was answered with does not hold any more. Send the request with another key.',
  )
}

/** An answer in the form in which it is stored. */
export function seal({ secret, name }: KeyedRequest, status: number, body: string): StoredResponse {
  return { status, sealedBody: sealBody(secret, name.scope, body) }
}

/** What is stored of a failure; null where the same request is to be tried again. */
export function sealFailure(keyed: KeyedRequest, error: ServiceError): StoredResponse | null {
  // A verdict on the request is kept like a success; what the service could not do is left to the next try.
  if (error.retryable || error.status >= 500 || neverStored.has(error.code)) return null
  const { status, body } = errorResponse(error, keyed.request.id)
  return seal(keyed, status, body)
}

const neverStored = new Set<ErrorCode>(['unauthorized', 'idempotency_key_reused'])
