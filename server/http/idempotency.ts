import { hash, randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { IdempotentRequest, Resume } from '../context.ts'
import type { Database } from '../db/connect.ts'
import { type ErrorCode, ServiceError } from '../errors.ts'
import { type Answer, errorAnswer } from './answer.ts'
import { toServiceError } from './errors.ts'
import {
  claimKey,
  findKey,
  type HeldKey,
  purgeKeys,
  releaseKey,
  renewKey,
  stillHeld,
  storeAnswer,
  storeResume,
  takeOverKey,
} from './idempotency-queries.ts'
import { describeError } from './log.ts'
import type { Operation } from './operations.ts'
import { digestOfKey, openBody, sealBody } from './sealed-answer.ts'

/** How long an answer can be had again. */
export const keptHours = 24
const purgedAtOnce = 1000
const registrationScope = 'register'
const strongKeyLength = 32

/** Serves each Idempotency-Key once. */
export interface Idempotency {
  /**
   * Runs `work`, or answers as the first request with the same key was answered. Without a key `work` gets `null`.
   * @throws ServiceError `idempotency_key_invalid`, `idempotency_key_too_weak`, `idempotency_key_reused`,
   * `idempotency_in_progress`, and whatever `work` throws.
   */
  once(
    operation: Operation,
    request: FastifyRequest,
    work: (idempotent: IdempotentRequest | null) => Promise<Answer>,
  ): Promise<Answer>
  /**
   * Whether the request's key has its answer stored, so that {@link Idempotency.once} can only repeat that answer or
   * refuse. False for a key that is none.
   */
  isAnswered(request: FastifyRequest): Promise<boolean>
  /** Forgets keys whose time is over. */
  purge(): Promise<void>
}

/** A key sent with a request, as far as it may be kept. */
interface Claim {
  operation: Operation
  request: FastifyRequest
  /** The key itself: it seals and opens the stored answer and is stored nowhere. */
  secret: string
  held: HeldKey
  requestDigest: Buffer
}

/** Idempotency on the table `idempotency_keys`. A run that falls silent loses its key after `leaseSeconds`. */
export function createIdempotency(db: Database, { leaseSeconds = 30 } = {}): Idempotency {
  return {
    async once(operation, request, work) {
      const claim = claimOf(operation, request)
      if (!claim) return work(null)
      const asked = { operation: operation.id, digest: claim.requestDigest }
      if (await claimKey(db, claim.held, asked, leaseSeconds)) return run(db, claim, null, leaseSeconds, work)
      const replayed = await replay(db, claim)
      if (replayed) return replayed
      const taken = await takeOverKey(db, claim.held, leaseSeconds)
      if (!taken) throw new ServiceError('idempotency_in_progress')
      return run(db, claim, taken.resume as Resume | null, leaseSeconds, work)
    },
    async isAnswered({ agent, headers: { 'idempotency-key': secret } }) {
      if (!agent || typeof secret !== 'string') return false
      const known = await findKey(db, { scope: agent.id, keyDigest: digestOfKey(agent.id, secret) })
      return known?.response_status != null
    },
    async purge() {
      while ((await purgeKeys(db, keptHours, purgedAtOnce)) === purgedAtOnce);
    },
  }
}

function claimOf(operation: Operation, request: FastifyRequest): Claim | null {
  const secret = request.headers['idempotency-key']
  if (secret === undefined) return null
  if (typeof secret !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(secret))
    throw new ServiceError('idempotency_key_invalid')
  const scope = request.agent?.id ?? registrationScope
  // Where the answer holds an API key, this key is all that protects it.
  if (operation.issuesKey && secret.length < strongKeyLength)
    throw new ServiceError('idempotency_key_too_weak')
  const asked = stable([operation.id, request.params, request.body ?? {}])
  return {
    operation,
    request,
    secret,
    held: { scope, keyDigest: digestOfKey(scope, secret), owner: randomUUID() },
    requestDigest: hash('sha256', asked, 'buffer'),
  }
}

/** JSON with sorted keys: the order and spacing a client happens to use make no other request. */
function stable(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
}

async function replay(db: Database, { held, secret, requestDigest }: Claim): Promise<Answer | null> {
  const known = await findKey(db, held)
  if (!known) return null
  if (!known.request_digest.equals(requestDigest)) throw new ServiceError('idempotency_key_reused')
  if (known.response_status === null || known.response_body === null) return null
  return {
    status: known.response_status,
    headers: { 'idempotency-replayed': 'true' },
    body: openBody(secret, held.scope, known.response_body),
  }
}

async function run(
  db: Database,
  claim: Claim,
  resume: Resume | null,
  leaseSeconds: number,
  work: (idempotent: IdempotentRequest) => Promise<Answer>,
): Promise<Answer> {
  const { held, request } = claim
  const forget = (error: unknown) =>
    request.log.warn({ error: describeError(error) }, 'idempotency key not updated')
  const renewal = setInterval(() => renewKey(db, held, leaseSeconds).catch(forget), (leaseSeconds * 1000) / 3)
  let completed: string | undefined
  try {
    const answer = await work({
      resume,
      stillHeld: stillHeld(held),
      async complete(trx, result) {
        completed = claim.operation.render(result)
        const stored = await storeAnswer(trx, held, seal(claim, claim.operation.status, completed))
        if (!stored) throw new ServiceError('idempotency_in_progress')
      },
      async remember(trx, state) {
        if (!(await storeResume(trx, held, state))) throw new ServiceError('idempotency_in_progress')
      },
    })
    // Work that ended outside a transaction of its own is safe to repeat: it found its effect again by `resume`.
    if (answer.body !== completed)
      await storeAnswer(db, held, seal(claim, answer.status, answer.body)).catch(forget)
    return answer
  } catch (thrown) {
    const error = toServiceError(thrown)
    await keepFailure(db, claim, error).catch(forget)
    throw error
  } finally {
    clearInterval(renewal)
  }
}

/** A verdict on the request is kept like a success; what the service could not do leaves the key to the next try. */
async function keepFailure(db: Database, claim: Claim, error: ServiceError): Promise<void> {
  if (error.retryable || error.status >= 500 || neverKept.has(error.code)) {
    await releaseKey(db, claim.held)
    return
  }
  const { status, body } = errorAnswer(error, claim.request.id)
  await storeAnswer(db, claim.held, seal(claim, status, body))
}

const neverKept = new Set<ErrorCode>(['unauthorized', 'idempotency_key_reused'])

function seal({ secret, held }: Claim, status: number, body: string) {
  return { status, sealedBody: sealBody(secret, held.scope, body) }
}
