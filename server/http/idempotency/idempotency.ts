import type { FastifyRequest } from 'fastify'
import { describeError } from '../../config/redact.ts'
import type { ResponseRetention, Resume } from '../../context.ts'
import type { Database } from '../../db/client.ts'
import { type ErrorCode, ServiceError } from '../../errors.ts'
import type { Operation } from '../adapter/operations.ts'
import { keyReplaced } from '../errors/refusals.ts'
import { toServiceError } from '../errors/service-error.ts'
import type { HttpResponse } from '../response.ts'
import { type KeyedRequest, readKey, responseOf, seal } from './keyed-request.ts'
import { findKey, type Kept, purgeKeys, storeKey } from './queries.ts'

const purgedAtOnce = 1000
/** Refusals of a request that would join the work of its key while another request waits for it. */
const joined: ReadonlySet<ErrorCode> = new Set(['approval_in_progress', 'activation_in_progress'])

/** What a request does, given how its response is stored. */
type Work = (retention: ResponseRetention) => Promise<HttpResponse>

/** Does the work of each Idempotency-Key once. */
export interface Idempotency {
  /**
   * Runs `work`, or returns the response of an earlier request with the same key. The key is stored in the transaction that
   * makes the work true, with the response or with what finds the work again; so a key that is stored has done its work, and
   * a refused request may run again under its key. Of two requests with a new key both may run: the transaction of the later
   * one is rolled back, and it gets the response of the first. Without a key `work` gets `null`.
   * @throws ServiceError `idempotency_key_invalid`, `idempotency_key_too_weak`, `idempotency_key_reused`,
   * `idempotency_in_progress`, and whatever `work` throws.
   */
  run(
    operation: Operation,
    request: FastifyRequest,
    work: (retention: ResponseRetention | null) => Promise<HttpResponse>,
  ): Promise<HttpResponse>
  /** Deletes expired keys. */
  purge(): Promise<void>
}

/** Idempotency on the table `idempotency_keys`. */
export function createIdempotency(db: Database): Idempotency {
  return {
    async run(operation, request, work) {
      const keyed = readKey(operation, request)
      return keyed ? runKeyed(db, keyed, work) : work(null)
    },
    async purge() {
      while ((await purgeKeys(db, purgedAtOnce)) === purgedAtOnce);
    },
  }
}

async function runKeyed(db: Database, keyed: KeyedRequest, work: Work): Promise<HttpResponse> {
  const known = await findKey(db, keyed.key)
  if (known && !known.request_digest.equals(keyed.key.requestDigest))
    throw new ServiceError('idempotency_key_reused')
  const stored = known && responseOf(keyed, known)
  if (stored) return stored
  // Its caller was let in only to get a stored response again, which has expired.
  if (keyed.request.agent?.key_ended) throw keyReplaced()
  const run = newRun(db, keyed, known?.resume ?? null)
  try {
    const response = await work(run.retention)
    await run.keep(response)
    return response
  } catch (thrown) {
    if (run.hasCollided()) return runKeyed(db, keyed, work)
    const error = toServiceError(thrown)
    if (known && joined.has(error.code)) throw new ServiceError('idempotency_in_progress')
    // The failure may only mean that another request, or the lost commit of this one, has done or begun the work.
    const since = await findKey(db, keyed.key).catch(() => undefined)
    if (!since || (!since.response_status && (known || run.hasKept()))) throw thrown
    if (error.status >= 500)
      keyed.request.log.warn(
        { error: describeError(thrown) },
        'request committed but failed before its response; the stored response is sent',
      )
    return runKeyed(db, keyed, work)
  }
}

/** One run of a request's work. @param resume what an earlier request has stored to find its work again */
function newRun(db: Database, keyed: KeyedRequest, resume: Resume | null) {
  const { key, operation, request } = keyed
  // A transaction that is rolled back and runs again stores the key again.
  let keptBy: Database | undefined
  let hasCollided = false
  let hasBegun = false
  async function keepIn(trx: Database, kept: Kept): Promise<void> {
    if (resume || keptBy === trx) return
    hasCollided = !(await storeKey(trx, key, kept))
    // Rolls the work back.
    if (hasCollided) throw new ServiceError('idempotency_in_progress')
    keptBy = trx
  }
  const retention: ResponseRetention = {
    store: (trx, result) => keepIn(trx, seal(keyed, operation.render(result))),
    idempotent: {
      keyDigest: key.keyDigest,
      resume,
      async storeResume(trx, work) {
        hasBegun = true
        await keepIn(trx, { resume: work })
      },
    },
  }
  return {
    retention,
    hasCollided: () => hasCollided,
    hasKept: () => keptBy !== undefined,
    /** Stores the response of work that has no transaction, when it is done. */
    async keep(response: HttpResponse): Promise<void> {
      if (resume && !hasBegun) Object.assign(response.headers, { 'idempotency-replayed': 'true' })
      if (resume || keptBy) return
      if (!operation.meta.repeatable) throw new Error(`${operation.id} responds without storing its key`)
      await storeKey(db, key, seal(keyed, response.body)).catch((error) =>
        request.log.warn(
          { error: describeError(error) },
          'idempotency key not stored; a repeated request does the work again',
        ),
      )
    },
  }
}
