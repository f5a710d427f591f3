import type { RawBuilder } from 'kysely'
import type { Caller } from './auth/api-keys.ts'
import type { Database } from './db/connect.ts'
import { againAfterConflict, inTransaction } from './db/transaction.ts'
import type { Parts } from './parts.ts'

/** A JSON value small enough to keep beside an idempotency key. */
export type Resume = Record<string, string>

/** The Idempotency-Key of the request being served, claimed for it. */
export interface IdempotentRequest {
  /** What an earlier run under the same key left by {@link IdempotentRequest.remember}, if it died before its answer was stored. */
  readonly resume: Resume | null
  /** Stores the answer in the transaction that makes it true: after a crash it is either both or neither. */
  complete(trx: Database, body: unknown): Promise<void>
  /** Stores, in the transaction that starts long work, how a repeated request finds it again. */
  remember(trx: Database, resume: Resume): Promise<void>
  /** Condition, for a statement that begins long work: no other run has taken the key over, and none does meanwhile. */
  readonly stillHeld: RawBuilder<boolean>
}

/** What every procedure gets. */
export interface Context {
  parts: Parts
  /** `req_…`, the same as in `X-Request-Id`. */
  requestId: string
  log: Parts['log']
  /** The caller, where the request carried a valid API key. */
  agent: Caller | null
  /** Aborted when the client has gone or the server drains. */
  signal: AbortSignal
  idempotent: IdempotentRequest | null
  /**
   * Runs `work` in one database transaction and stores its result as the request's idempotent answer in the same
   * transaction. The result must therefore be the whole response body.
   */
  transact<Output>(work: (trx: Database) => Promise<Output>): Promise<Output>
  /** The same for `work` of one statement: alone it is a transaction of its own, in one round trip to the database. */
  transactOne<Output>(work: (trx: Database) => Promise<Output>): Promise<Output>
}

/** Builds a context; the HTTP adapter and the tests are its only callers. */
export function createContext(request: Omit<Context, 'transact' | 'transactOne'>): Context {
  const { idempotent, parts } = request
  const transact: Context['transact'] = (work) =>
    inTransaction(parts.db, async (trx) => {
      const output = await work(trx)
      await idempotent?.complete(trx, output)
      return output
    })
  return {
    ...request,
    transact,
    transactOne: (work) => (idempotent ? transact(work) : againAfterConflict(() => work(parts.db))),
  }
}
