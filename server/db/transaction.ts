import pg from 'pg'
import type { Database } from './client.ts'

const serializationFailure = '40001'
const deadlockDetected = '40P01'
const attempts = 5

/**
 * Runs `work` in one transaction. Postgres resolves a deadlock or a serialization conflict by rolling one side back. That
 * side runs again, so `work` must touch nothing except the transaction.
 */
export function inTransaction<Output>(
  db: Database,
  work: (trx: Database) => Promise<Output>,
): Promise<Output> {
  return againAfterConflict(() => db.transaction().execute(work))
}

/** Runs a statement that is a transaction of its own; repeats it after a deadlock or a serialization conflict. */
export async function againAfterConflict<Output>(statement: () => Promise<Output>): Promise<Output> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await statement()
    } catch (error) {
      const conflict =
        error instanceof pg.DatabaseError &&
        (error.code === serializationFailure || error.code === deadlockDetected)
      if (!conflict || attempt === attempts) throw error
    }
  }
}

/** The name of the constraint or unique index that `error` reports as violated; undefined for other errors. */
export function violatedConstraint(error: unknown): string | undefined {
  const integrityViolation = '23'
  return error instanceof pg.DatabaseError && error.code?.startsWith(integrityViolation)
    ? error.constraint
    : undefined
}
