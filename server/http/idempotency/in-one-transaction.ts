import type { Database } from '../../db/client.ts'
import { type IdempotentResponse, keyUsed } from '../../db/idempotent-response.ts'
import { violatedConstraint } from '../../db/transaction.ts'
import { ServiceError } from '../../errors.ts'
import { describeError } from '../access-log.ts'
import type { Answer } from '../adapter/response.ts'
import { toServiceError } from '../errors/service-error.ts'
import { type KeyedRequest, seal, sealFailure, type Work } from './keyed-request.ts'
import { findKey, insertCompletedKey, type StoredResponse } from './queries.ts'

/**
 * Runs work that is one short transaction and stores key and answer in that transaction. Before it there is nothing, so
 * a crash leaves nothing behind that the next try would have to wait for. Null where the key is there already: of another
 * request, and then this one has changed nothing, or of this one, where its commit was not confirmed.
 */
export async function runInOneTransaction(
  db: Database,
  keyed: KeyedRequest,
  work: Work,
): Promise<Answer | null> {
  const { operation, request } = keyed
  let isHandedOver = false
  let isUsed = false
  const rowOfSuccess = (result: unknown) => {
    isHandedOver = true
    return rowOf(keyed, seal(keyed, operation.meta.status, operation.render(result)))
  }
  try {
    const answer = await work({
      rowOf: rowOfSuccess,
      async store(trx, result) {
        isUsed = !(await insertCompletedKey(trx, rowOfSuccess(result)))
        // Rolls back.
        if (isUsed) throw new ServiceError('idempotency_in_progress')
      },
      idempotent: null,
    })
    if (!isHandedOver) throw new Error(`${operation.id} answers without a transaction`)
    return answer
  } catch (thrown) {
    const error = toServiceError(thrown)
    if (isUsed || violatedConstraint(error.cause) === keyUsed) return null
    const failure = sealFailure(keyed, error)
    // A repeated request fails because the first one has succeeded; a commit whose answer was lost has happened.
    const isFirst = failure
      ? await insertCompletedKey(db, rowOf(keyed, failure))
      : !(await findKey(db, keyed.name).catch(() => undefined))
    if (isFirst) throw error
    if (!failure) request.log.warn({ error: describeError(thrown) }, 'done, and broken off before the answer')
    return null
  }
}

function rowOf(
  { name, asked, retentionSeconds }: KeyedRequest,
  { status, sealedBody }: StoredResponse,
): IdempotentResponse {
  return {
    scope: name.scope,
    key_digest: name.keyDigest,
    operation: asked.operation,
    request_digest: asked.digest,
    response_status: status,
    response_body: sealedBody,
    kept_seconds: retentionSeconds,
  }
}
