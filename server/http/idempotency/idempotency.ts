import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { ResponseRetention, Resume } from '../../context.ts'
import { digestOfKey } from '../../crypto/sealed-response.ts'
import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors.ts'
import type { Operation } from '../adapter/operations.ts'
import type { Answer } from '../adapter/response.ts'
import { runInOneTransaction } from './in-one-transaction.ts'
import { readKey, rebuild, replay } from './keyed-request.ts'
import { claimKey, findKey, forgetExpiredKey, purgeKeys, releaseKey, takeOverKey } from './queries.ts'
import { runUnderLease } from './under-lease.ts'
import { untilLeaseEnds } from './until-lease-ends.ts'

const purgedAtOnce = 1000

/** Serves each Idempotency-Key once. */
export interface Idempotency {
  /**
   * Runs `work`, or answers as the first request with the same key was answered, whatever `work` then did being undone.
   * Without a key `work` gets `null`.
   * @throws ServiceError `idempotency_key_invalid`, `idempotency_key_too_weak`, `idempotency_key_reused`,
   * `idempotency_in_progress`, and whatever `work` throws.
   */
  once(
    operation: Operation,
    request: FastifyRequest,
    work: (retention: ResponseRetention | null) => Promise<Answer>,
  ): Promise<Answer>
  /**
   * Whether the request's key has its answer stored, so that {@link Idempotency.once} can only repeat that answer or
   * refuse. False for a key that is none.
   */
  isAnswered(request: FastifyRequest): Promise<boolean>
  /** Forgets keys whose time is over. */
  purge(): Promise<void>
}

/** Idempotency on the table `idempotency_keys`. A run of longer work that falls silent loses its key after `leaseSeconds`. */
export function createIdempotency(db: Database, { leaseSeconds = 30 } = {}): Idempotency {
  const once: Idempotency['once'] = async (operation, request, work) => {
    const keyed = readKey(operation, request)
    if (!keyed) return work(null)
    const key = { ...keyed.name, owner: randomUUID() }
    const runHolding = (resume: Resume | null) =>
      runUnderLease(db, keyed, { key, leaseSeconds, resume }, work)
    // What fails to be told may have been committed all the same, and this run is over.
    const orRelease = async <Taken>(taking: Promise<Taken>): Promise<Taken> =>
      taking.catch(async (error) => {
        await untilLeaseEnds(() => releaseKey(db, key), { leaseSeconds, log: request.log })
        throw error
      })
    if (operation.meta.atomicIdempotency) {
      const answer = await runInOneTransaction(db, keyed, work)
      if (answer) return answer
    } else {
      const times = { leaseSeconds, retentionSeconds: keyed.retentionSeconds }
      if (await orRelease(claimKey(db, key, keyed.asked, times))) return runHolding(null)
    }
    const replayed = await replay(db, keyed)
    if (replayed) return operation.meta.rebuildsResponse ? rebuild(keyed, replayed, work) : replayed
    if (await forgetExpiredKey(db, keyed.name)) return once(operation, request, work)
    const taken = await orRelease(takeOverKey(db, key, leaseSeconds))
    if (!taken) throw new ServiceError('idempotency_in_progress')
    return runHolding(taken.resume as Resume | null)
  }
  return {
    once,
    async isAnswered({ agent, headers: { 'idempotency-key': secret } }) {
      if (!agent || typeof secret !== 'string') return false
      const known = await findKey(db, { scope: agent.id, keyDigest: digestOfKey(agent.id, secret) })
      return known?.response_status != null
    },
    async purge() {
      while ((await purgeKeys(db, purgedAtOnce)) === purgedAtOnce);
    },
  }
}
