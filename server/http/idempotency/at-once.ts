import type { Database } from '../../db/connect.ts'
import type { KeptAnswer } from '../../db/kept-answer.ts'
import { ServiceError } from '../../errors.ts'
import type { Answer } from '../answer.ts'
import { toServiceError } from '../errors.ts'
import { type KeyedRequest, seal, sealFailure, type Work } from './keyed-request.ts'
import { findKey, insertAnsweredKey, type StoredAnswer } from './queries.ts'

/**
 * Runs work that is one short transaction and stores key and answer in that transaction. Before it there is nothing, so
 * a crash leaves nothing behind that the next try would have to wait for. Null where the key is used already, or another
 * request with it came first: then this one has changed nothing.
 */
export async function runAtOnce(db: Database, keyed: KeyedRequest, work: Work): Promise<Answer | null> {
  const { name, asked, operation } = keyed
  const rowOf = ({ status, sealedBody }: StoredAnswer): KeptAnswer => ({
    scope: name.scope,
    key_digest: name.keyDigest,
    operation: asked.operation,
    request_digest: asked.digest,
    response_status: status,
    response_body: sealedBody,
  })
  let isKept = false
  let isUsed = false
  const keep = (result: unknown) => {
    isKept = true
    return rowOf(seal(keyed, operation.status, operation.render(result)))
  }
  try {
    const answer = await work({
      keep,
      async complete(trx, result) {
        isUsed = !(await insertAnsweredKey(trx, keep(result)))
        // Rolls back.
        if (isUsed) throw new ServiceError('idempotency_in_progress')
      },
      idempotent: null,
    })
    // Work that had nothing to do.
    if (!isKept) isUsed = !(await insertAnsweredKey(db, rowOf(seal(keyed, answer.status, answer.body))))
    return isUsed ? null : answer
  } catch (thrown) {
    if (isUsed) return null
    const error = toServiceError(thrown)
    const failure = sealFailure(keyed, error)
    // A repeated request fails because the first one has succeeded, by its state or by the key that is there already; and
    // a commit whose answer was lost has happened all the same.
    const isFirst = failure
      ? await insertAnsweredKey(db, rowOf(failure))
      : !(await findKey(db, name).catch(() => undefined))
    if (!isFirst) return null
    throw error
  }
}
