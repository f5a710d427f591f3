import { sql } from 'kysely'
import type { Database } from '../../server/db/client.ts'
import { until } from './until.ts'

/**
 * Orders two steps on the same rows: runs `first` in a transaction, starts `second`, and commits the transaction once the
 * second one waits for its locks. Resolves with the result of the second one.
 */
export async function whileUncommitted<Result>(
  db: Database,
  first: (trx: Database) => Promise<unknown>,
  second: () => Promise<Result>,
): Promise<Result> {
  let result: Promise<Result> | undefined
  await db.transaction().execute(async (trx) => {
    await first(trx)
    result = second()
    await until(() => isWaited(trx))
  })
  return result as Promise<Result>
}

/**
 * Whether another connection waits for a lock of this one. `pg_stat_activity` would not do: in a transaction it stays as
 * it was first read, so a connection that was opened since is never seen.
 */
async function isWaited(trx: Database): Promise<boolean> {
  const { rows } = await sql`select from pg_locks
    where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(trx)
  return rows.length > 0
}
