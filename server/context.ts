import type { RawBuilder } from 'kysely'
import type { Caller } from './auth/api-keys.ts'
import type { Database } from './db/client.ts'
import type { IdempotentResponse } from './db/idempotent-response.ts'
import { type PreparedStatement, runOn } from './db/prepared.ts'
import { againAfterConflict, inTransaction } from './db/transaction.ts'
import type { Services } from './startup/services.ts'

/** A JSON value small enough to keep beside an idempotency key. */
export type Resume = Record<string, string>

/** The Idempotency-Key of the request being served, held for it. */
export interface IdempotentRequest {
  /** What an earlier run under the same key left by {@link IdempotentRequest.remember}, if it died before its answer was stored. */
  readonly resume: Resume | null
  /** Stores, in the transaction that starts long work, how a repeated request finds it again. */
  remember(trx: Database, resume: Resume): Promise<void>
  /** Condition, for a statement that begins long work: no other run has taken the key over, and none does meanwhile. */
  readonly stillHeld: RawBuilder<boolean>
}

/** How the answer of a request with an Idempotency-Key is stored. */
export interface ResponseRetention {
  /** Stores it in the transaction that makes it true: after a crash it is either both or neither. */
  complete(trx: Database, body: unknown): Promise<void>
  /** The answer, for a statement that stores it itself; absent where the key was taken before the work. */
  keep?(body: unknown): IdempotentResponse
}

/** What every procedure gets. */
export interface Context {
  services: Services
  /** `req_…`, the same as in `X-Request-Id`. */
  requestId: string
  log: Services['log']
  /** The caller, where the request carried a valid API key. */
  agent: Caller | null
  /** Aborted when the client has gone or the server drains. */
  signal: AbortSignal
  /** For work that goes on when the request is over, where the request has an Idempotency-Key. */
  idempotent: IdempotentRequest | null
  /**
   * Runs `work` in one database transaction and stores its result as the request's idempotent answer in the same
   * transaction. The result must therefore be the whole response body.
   */
  transact<Output>(work: (trx: Database) => Promise<Output>): Promise<Output>
  /** The same for `work` of one statement: alone it is a transaction of its own, in one round trip to the database. */
  transactOne<Output>(work: (trx: Database) => Promise<Output>): Promise<Output>
  /**
   * The same for one statement whose answer is known before it is run: one round trip with an Idempotency-Key, too, unless
   * that was taken before the work.
   */
  transactKnown<Row, Output>(known: CachedResponse<Row, Output>): Promise<Output>
}

/** A statement and the answer to it. */
export interface CachedResponse<Row, Output> {
  /** The whole response body, where the statement does what was asked. */
  answer: Output
  /** Stores the answer it is given, if any. */
  statement(kept: IdempotentResponse | undefined): PreparedStatement<Row>
  /** Throws where the rows say that nothing was done. */
  check(rows: Row[]): void
}

/** Builds a context; the HTTP adapter and the tests are its only callers. */
export function createContext(
  request: Omit<Context, 'transact' | 'transactOne' | 'transactKnown'>,
  keeping: ResponseRetention | null = null,
): Context {
  const { services } = request
  const transact: Context['transact'] = (work) =>
    inTransaction(services.db, async (trx) => {
      const output = await work(trx)
      await keeping?.complete(trx, output)
      return output
    })
  return {
    ...request,
    transact,
    transactOne: (work) => (keeping ? transact(work) : againAfterConflict(() => work(services.db))),
    async transactKnown({ answer, statement, check }) {
      const run = async (db: Database, kept?: IdempotentResponse) => {
        check(await runOn(db, statement(kept)))
        return answer
      }
      if (keeping && !keeping.keep) return transact(run)
      return againAfterConflict(() => run(services.db, keeping?.keep?.(answer)))
    },
  }
}
