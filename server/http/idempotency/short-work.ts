import { describeError } from '../../config/redact.ts'
import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors.ts'
import { toServiceError } from '../errors/service-error.ts'
import type { HttpResponse } from '../response.ts'
import { type KeyedRequest, seal, type Work } from './keyed-request.ts'
import { findKey, insertCompletedKey } from './queries.ts'

/**
 * Runs work that is one short transaction and stores key and response in that transaction. Nothing is stored before, so
 * a crash leaves nothing that the next try would have to wait for. Returns null if the key already exists: either another
 * request stored it and nothing was changed here, or our own commit succeeded and its confirmation was lost.
 */
export async function runInOneTransaction(
  db: Database,
  keyed: KeyedRequest,
  work: Work,
): Promise<HttpResponse | null> {
  const { operation, request, name, fingerprint, retentionSeconds } = keyed
  let hasTransaction = false
  let keyExists = false
  try {
    const response = await work({
      async store(trx, result) {
        hasTransaction = true
        const sealed = seal(keyed, operation.meta.status, operation.render(result))
        const key = { ...name, ...fingerprint, ...sealed, retentionSeconds }
        keyExists = !(await insertCompletedKey(trx, key))
        // Rolls the work back.
        if (keyExists) throw new ServiceError('idempotency_in_progress')
      },
      idempotent: null,
    })
    if (!hasTransaction) throw new Error(`${operation.id} responds without ctx.transact`)
    return response
  } catch (thrown) {
    const error = toServiceError(thrown)
    if (keyExists) return null
    // This failure may only mean that the first request with the key, or our own lost commit, has succeeded.
    if (!(await findKey(db, keyed.name).catch(() => undefined))) throw error
    if (error.status >= 500)
      request.log.warn(
        { error: describeError(thrown) },
        'request committed but failed before its response; the stored response is sent',
      )
    return null
  }
}
