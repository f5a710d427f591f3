import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { readServers, type Target } from '../config/postgres-servers.ts'
import type { DB } from './generated/tables.ts'
import { preparedStatementPool } from './prepared-statement-pool.ts'
import { clientOf, socketOf } from './suitable-client.ts'

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

/** Settings of connections. */
export interface ConnectionOptions {
  /** The server ends a statement after this long. */
  longestMs?: number | undefined
  /** What the server has to be where the address does not say; default: the primary. */
  target?: Target | undefined
}

/** The class of the connections to the servers at `url`, and their settings; whether the address names several. */
export function connectionTo(
  url: string,
  { longestMs = statementMs, target = 'primary' }: ConnectionOptions = {},
) {
  const servers = readServers(url)
  const Client = clientOf({ ...servers, target: servers.target ?? target })
  const settings = { ...connectionSettings(longestMs), connectionString: servers.urls[0] }
  return { Client, settings, hasSeveral: servers.urls.length > 1 }
}

function connectionSettings(longestMs: number): pg.ClientConfig {
  return {
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

/** A pool of connections to `url`. The caller has to end it. */
export function createPool(
  url: string,
  options: ConnectionOptions & { size: number; name?: string },
): pg.Pool {
  const { longestMs = statementMs } = options
  const { Client, settings } = connectionTo(url, options)
  const pool = new pg.Pool({
    ...settings,
    Client,
    max: options.size,
    application_name: options.name ?? settings.application_name,
  })
  // An idle connection that breaks is replaced by the pool; without a listener the event would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    // pg has no timeout for a connection that stops responding: its query would never settle.
    const socket = socketOf(client)
    socket.setTimeout(longestMs + graceMs, () => socket.destroy())
  })
  return pool
}

/** The typed query builder on `pool`. */
export function createDatabase(pool: pg.Pool): Database {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool: preparedStatementPool(pool) }) })
}
