import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { ResponseRetention, Resume } from '../../context.ts'
import { digestOfKey } from '../../crypto/sealed-response.ts'
import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors.ts'
import type { Operation } from '../adapter/operations.ts'
import type { HttpResponse } from '../response.ts'
import { readKey, rebuild, replay } from './keyed-request.ts'
import { runUnderLease } from './long-work.ts'
import { acquireKey, deleteExpiredKey, findKey, purgeKeys, releaseKey, takeOverKey } from './queries.ts'
import { settleKey } from './settle-key.ts'
import { runInOneTransaction } from './short-work.ts'

const purgedAtOnce = 1000

/** Does the work of each Idempotency-Key once. */
export interface Idempotency {
  /**
   * Runs `work` and stores its response, or returns the stored response of an earlier request with the same key. Nothing
   * that `work` did is left in the second case. Without a key `work` gets `null`. An error is never stored: a refused
   * request may run again under its key.
   * @throws ServiceError `idempotency_key_invalid`, `idempotency_key_too_weak`, `idempotency_key_reused`,
   * `idempotency_in_progress`, and whatever `work` throws.
   */
  run(
    operation: Operation,
    request: FastifyRequest,
    work: (retention: ResponseRetention | null) => Promise<HttpResponse>,
  ): Promise<HttpResponse>
  /**
   * Whether a response is stored under the request's key, so that {@link Idempotency.run} can only repeat it or refuse.
   * False for a request without a valid key.
   */
  hasResponse(request: FastifyRequest): Promise<boolean>
  /** Deletes expired keys. */
  purge(): Promise<void>
}

/** Idempotency on the table `idempotency_keys`. A run of longer work that dies loses its key after `leaseSeconds`. */
export function createIdempotency(db: Database, { leaseSeconds = 30 } = {}): Idempotency {
  const run: Idempotency['run'] = async (operation, request, work) => {
    const keyed = readKey(operation, request)
    if (!keyed) return work(null)
    const key = { ...keyed.name, owner: randomUUID() }
    const times = { leaseSeconds, retentionSeconds: keyed.retentionSeconds }
    const runLeased = (resume: Resume | null) => runUnderLease(db, keyed, { key, leaseSeconds, resume }, work)
    // A failed statement may have been committed all the same, and this run is over.
    const orRelease = async <Result>(acquiring: Promise<Result>): Promise<Result> =>
      acquiring.catch(async (error) => {
        await settleKey(() => releaseKey(db, key), { leaseSeconds, log: request.log })
        throw error
      })
    if (operation.meta.atomicIdempotency) {
      const response = await runInOneTransaction(db, keyed, work)
      if (response) return response
    } else {
      if (await orRelease(acquireKey(db, key, keyed.fingerprint, times))) return runLeased(null)
    }
    const answer = (stored: HttpResponse) =>
      operation.meta.rebuildsResponse ? rebuild(keyed, stored, work) : stored
    const replayed = await replay(db, keyed)
    if (replayed) return answer(replayed)
    if (await deleteExpiredKey(db, keyed.name)) return run(operation, request, work)
    const acquired = await orRelease(takeOverKey(db, key, keyed.fingerprint, times))
    if (acquired) return runLeased(acquired.resume)
    // Another request has it since, perhaps a different one, or has its response already.
    const late = await replay(db, keyed)
    if (late) return answer(late)
    throw new ServiceError('idempotency_in_progress')
  }
  return {
    run,
    async hasResponse({ agent, headers: { 'idempotency-key': secret } }) {
      if (!agent || typeof secret !== 'string') return false
      const known = await findKey(db, { scope: agent.id, keyDigest: digestOfKey(agent.id, secret) })
      return known?.response_status != null
    },
    async purge() {
      while ((await purgeKeys(db, purgedAtOnce)) === purgedAtOnce);
    },
  }
}
