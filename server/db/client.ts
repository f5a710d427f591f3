import type { Socket } from 'node:net'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { DB } from './generated/tables.ts'
import { preparingPool } from './preparing-pool.ts'

/** The database, or a transaction on it: what every query function takes first. */
export type Database = Kysely<DB>

const int8 = 20
/** The server ends a statement after this long. */
const statementMs = 30_000
/** A connection on which nothing moves for this much longer is dead, whatever the network says: its query fails then. */
const graceMs = 5_000

/** int8 columns hold whole tokens, nonces and counts, all below 2^53; anything larger must not be rounded silently. */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('int8 value does not fit a number')
  return value
}

/** What every connection has in common; the server ends a statement after `longestMs`. */
export function connectionSettings(url: string, longestMs = statementMs): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'bounty-marketplace',
    connectionTimeoutMillis: 10_000,
    idle_in_transaction_session_timeout: 30_000,
    statement_timeout: longestMs,
    // What drops idle connections without a word is noticed before somebody waits for an answer.
    keepAlive: true,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8 && format !== 'binary' ? parseInt8 : pg.types.getTypeParser(oid, format),
    },
  }
}

/** A pool on `url`, where a statement takes `longestMs` at most. Ending it is the caller's. */
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
    // Nor does the pool listen to a connection that is in use: one that breaks there would end the process too.
    client.on('error', () => undefined)
    // pg has no timeout for a connection that falls silent; whoever awaits its query would wait for ever.
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
    stream.setTimeout(longestMs + graceMs, () => stream.destroy())
  })
  return pool
}

/** The typed query builder on `pool`. */
export function createDatabase(pool: pg.Pool): Database {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool: preparingPool(pool) }) })
}
