import { describeError } from '../../config/redact.ts'
import type { Resume } from '../../context.ts'
import type { Database } from '../../db/client.ts'
import { whileRenewing } from '../../db/lease.ts'
import { ServiceError } from '../../errors.ts'
import { toServiceError } from '../errors/service-error.ts'
import type { HttpResponse } from '../response.ts'
import { type KeyedRequest, seal, type Work } from './keyed-request.ts'
import { forgetResume, type HeldKey, releaseKey, renewKey, storeResponse, storeResume } from './queries.ts'
import { settleKey } from './settle-key.ts'

/** A key this run has acquired, and what an earlier run stored for it. */
export interface Hold {
  key: HeldKey
  leaseSeconds: number
  resume: Resume | null
}

/** Runs work whose key was acquired before, and renews the lease of the key meanwhile. */
export function runUnderLease(
  db: Database,
  keyed: KeyedRequest,
  hold: Hold,
  work: Work,
): Promise<HttpResponse> {
  const { key, leaseSeconds: seconds } = hold
  const renew = () => renewKey(db, key, seconds)
  const onFailure = (error: unknown) =>
    keyed.request.log.warn({ error: describeError(error) }, 'lease of an idempotency key not renewed')
  return whileRenewing({ seconds, renew, onFailure }, () => run(db, keyed, hold, work))
}

async function run(
  db: Database,
  keyed: KeyedRequest,
  { key, leaseSeconds, resume }: Hold,
  work: Work,
): Promise<HttpResponse> {
  const { operation, request } = keyed
  const settle = (update: () => Promise<unknown>) => settleKey(update, { leaseSeconds, log: request.log })
  let completed: string | undefined
  try {
    const response = await work({
      async store(trx, result) {
        completed = operation.render(result)
        const stored = await storeResponse(trx, key, seal(keyed, operation.meta.status, completed))
        if (!stored) throw new ServiceError('idempotency_in_progress')
      },
      idempotent: {
        keyDigest: key.keyDigest,
        resume,
        async storeResume(trx, state) {
          if (!(await storeResume(trx, key, state))) throw new ServiceError('idempotency_in_progress')
        },
      },
    })
    // Work that responds without `ctx.transact` is safe to repeat: it finds its effect again by `resume`.
    const { status, body } = response
    if (body !== completed) await settle(() => storeResponse(db, key, seal(keyed, status, body)))
    return response
  } catch (error) {
    const { status, retryable } = toServiceError(error)
    // A refused request may run again, and another one may use the key.
    await settle(async () => {
      if (status < 500 && !retryable) await forgetResume(db, key)
      return releaseKey(db, key)
    })
    throw error
  }
}
