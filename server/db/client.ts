import type { Socket } from 'node:net'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { within } from '../config/time-limit.ts'
import type { DB } from './generated/tables.ts'
import { preparedStatementPool } from './prepared-statement-pool.ts'

/** The database, or a transaction on it: the first parameter of every query function. */
export type Database = Kysely<DB>

const int8 = 20
const timestamptz = 1184
/** The server ends a statement after this long. */
const statementMs = 30_000
/** A connection without traffic for this much longer counts as broken, and its query fails. */
const graceMs = 5_000
/** A server has this long to accept a connection, and as long again to say whether it is the primary. */
const connectMs = 10_000

/** int8 columns hold whole tokens, nonces and counts, all below 2^53. A larger value must not be rounded silently. */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('int8 value does not fit a number')
  return value
}

const readTime = pg.types.getTypeParser(timestamptz)

/** pg reads a time in another form than ISO as null, which elsewhere means that something has not happened. */
function parseTime(text: string): unknown {
  const value: unknown = readTime(text)
  if (value === null) throw new RangeError('a time of the database is not in the form of ISO 8601')
  return value
}

const parsers: Record<number, (text: string) => unknown> = { [int8]: parseInt8, [timestamptz]: parseTime }

/**
 * What a role, a database or an address may set, and our statements rely on: the form of values, the meaning of literals, and that
 * what is committed is on disk. Each connection sets it itself.
 */
export const pinnedSettings = {
  DateStyle: 'ISO',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
} as const

const pinning = Object.entries(pinnedSettings)
  .map(([name, value]) => `set_config('${name}', '${value}', false)`)
  .join(', ')

/** Settings of connections. */
export interface ConnectionOptions {
  /** The server ends a statement after this long. */
  longestMs?: number | undefined
}

/** A pool does not listen to connections in use, and nobody to one that is being made: an error would end the process. */
export class Client extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    this.on('error', () => undefined)
  }
}

/** The socket of a connection. */
export function socketOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}

/** The server of an address is a standby. */
export class NotThePrimary extends Error {
  override readonly name = 'NotThePrimary'
}

/**
 * Prepares a new connection: sets {@link pinnedSettings}, and closes it if it leads to a standby. Behind a proxy, or a name that moves,
 * may be a server that was the primary a moment ago.
 * @throws NotThePrimary, and errors of the connection
 */
export async function prepareConnection(client: pg.ClientBase): Promise<void> {
  try {
    const asked = client.query<{ isStandby: boolean }>(
      `select pg_is_in_recovery() as "isStandby", ${pinning}, set_config('synchronous_commit',
        replace(current_setting('synchronous_commit'), 'off', 'on'), false)`,
    )
    const { rows } = await within(connectMs, asked, () => {
      throw new Error('timeout exceeded when trying to connect')
    })
    if (rows[0]?.isStandby !== false) throw new NotThePrimary('the server is a standby, not the primary')
  } catch (error) {
    socketOf(client).destroy()
    throw error
  }
}

/** The settings of a connection to `url`. */
export function connectionSettings(url: string, longestMs: number): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'bounty-marketplace',
    connectionTimeoutMillis: connectMs,
    idle_in_transaction_session_timeout: 30_000,
    statement_timeout: longestMs,
    // Detects connections that a firewall has dropped before a request waits on one.
    keepAlive: true,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format),
    },
  }
}

/** A pool of connections to `url`. The caller has to end it. */
export function createPool(
  url: string,
  options: ConnectionOptions & { size: number; name?: string },
): pg.Pool {
  const { longestMs = statementMs } = options
  const settings = connectionSettings(url, longestMs)
  const pool = new pg.Pool({
    ...settings,
    Client,
    max: options.size,
    // Longer than loops rest: they work at the same moments, and a new connection costs more than to keep one.
    idleTimeoutMillis: 30_000,
    application_name: options.name ?? settings.application_name,
    onConnect: prepareConnection,
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
