import type { Caller } from './auth/api-keys.ts'
import type { Database } from './db/client.ts'
import { inTransaction } from './db/transaction.ts'
import type { Services } from './services.ts'

/** A JSON value small enough to store beside an Idempotency-Key. */
export type Resume = Record<string, string>

/** The Idempotency-Key of a request. */
export interface IdempotentRequest {
  /** SHA-256 of the caller and the key; see `digestOfKey`. */
  readonly keyDigest: Buffer
  /** What an earlier request with the same key stored by {@link storeResume}. */
  readonly resume: Resume | null
  /**
   * Stores how a repeated request finds work that goes on when the request is over, in the transaction that begins or joins
   * that work. A repeated request then runs again and responds with what is true by then; no response is stored.
   */
  storeResume(trx: Database, resume: Resume): Promise<void>
}

/** How the response to a request with an Idempotency-Key is stored. */
export interface ResponseRetention {
  idempotent: IdempotentRequest
  /** Stores the response in the transaction that makes it true: after a crash there is either both or neither. */
  store(trx: Database, body: unknown): Promise<void>
}

/** What every procedure gets. */
export interface Context {
  services: Services
  /** `req_…`, as in `X-Request-Id`. */
  requestId: string
  log: Services['log']
  /** The caller, if the request carried a valid API key. */
  agent: Caller | null
  /** The name under which a visitor of the board is counted, such as `visitor 203.0.113.7`; null for every request under /api. */
  visitor: string | null
  /** Aborted when the client disconnects or the server drains. */
  signal: AbortSignal
  /** Null for a request without an Idempotency-Key. */
  idempotent: IdempotentRequest | null
  /**
   * Runs `work` in one database transaction and stores its result as the idempotent response in the same transaction.
   * The result must therefore be the whole response body.
   */
  transact<Output>(work: (trx: Database) => Promise<Output>): Promise<Output>
}

/** Builds a context. Only the HTTP adapter, the board and the tests call it. */
export function createContext(
  request: Omit<Context, 'transact' | 'idempotent' | 'visitor'> & Partial<Pick<Context, 'visitor'>>,
  retention: ResponseRetention | null = null,
): Context {
  const { db } = request.services
  return {
    ...request,
    visitor: request.visitor ?? null,
    idempotent: retention?.idempotent ?? null,
    transact: (work) =>
      inTransaction(db, async (trx) => {
        const output = await work(trx)
        await retention?.store(trx, output)
        return output
      }),
  }
}
