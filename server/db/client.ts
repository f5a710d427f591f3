import type { Socket } from 'node:net'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { DB } from './generated/tables.ts'
import { preparedStatementPool } from './prepared-statement-pool.ts'

/** The database, or a transaction on it: the first parameter of every query function. */
export type Database = Kysely<DB>

const int8 = 20
/** The server ends a statement after this long. */
const statementMs = 30_000
/** A connection without traffic for this much longer counts as broken, and its query fails. */
const graceMs = 5_000

/** int8 columns hold whole tokens, nonces and counts, all below 2^53. A larger value must not be rounded silently. */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('int8 value does not fit a number')
  return value
}

/** Settings of every connection; the server ends a statement after `longestMs`. */
export function connectionSettings(url: string, longestMs = statementMs): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'bounty-marketplace',
    connectionTimeoutMillis: 10_000,
    idle_in_transaction_session_timeout: 30_000,
    statement_timeout: longestMs,
    // Detects connections that a firewall has dropped before a request waits on one.
    keepAlive: true,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8 && format !== 'binary' ? parseInt8 : pg.types.getTypeParser(oid, format),
    },
  }
}

/** A pool on `url`, where a statement takes `longestMs` at most. The caller has to end it. */
export function createPool(
  url: string,
  options: { size: number; name?: string; longestMs?: number },
): pg.Pool {
  const { longestMs = statementMs } = options
  const settings = connectionSettings(url, longestMs)
  const pool = new pg.Pool({
    ...settings,
    max: options.size,
    application_name: options.name ?? settings.application_name,
  })
  // An idle connection that breaks is replaced by the pool; without a listener the event would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    // The pool does not listen to connections in use: an error of one would end the process too.
    client.on('error', () => undefined)
    // pg has no timeout for a connection that stops responding: its query would never settle.
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
    stream.setTimeout(longestMs + graceMs, () => stream.destroy())
  })
  return pool
}

/** The typed query builder on `pool`. */
export function createDatabase(pool: pg.Pool): Database {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool: preparedStatementPool(pool) }) })
}
