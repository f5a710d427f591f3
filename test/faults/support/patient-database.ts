import { setTimeout as delay } from 'node:timers/promises'
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import { createPool, type Database } from '../../../server/db/client.ts'
import type { DB } from '../../../server/db/generated/tables.ts'

/** Longest time without a writable database, in ms. */
const patienceMs = 120_000
const pauseMs = 50

/** Read-only transaction, too many connections; the server shuts down, has crashed, cannot connect now, the database is gone. */
const unavailable = ['25006', '53300', '57P01', '57P02', '57P03', '08006', '08P01']

/** Whether an error says nothing about the statement: there was no connection, it broke, or the server takes no writes. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return !(error instanceof RangeError)
  return unavailable.includes(error.code ?? '')
}

/** Runs `work` until the database is there for it; `work` must be safe to repeat. */
export async function untilAvailable<Output>(work: () => Promise<Output>): Promise<Output> {
  for (const began = performance.now(); ; await delay(pauseMs))
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error) || performance.now() - began > patienceMs) throw error
    }
}

/**
 * A database for reading whose server may be replaced: a statement that meets no server, or loses its connection, runs again
 * on a new one. Statements within a transaction are not repeated.
 */
export function createPatientDatabase(url: string, size: number): Database {
  const pool = createPool(url, { size, name: 'faults' })
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool: patientPool(pool) }) })
}

function patientPool(pool: pg.Pool): PostgresPool {
  return { connect: async () => patientClient(pool), end: () => pool.end() }
}

function patientClient(pool: pg.Pool): Awaited<ReturnType<PostgresPool['connect']>> {
  let client: pg.PoolClient | undefined
  let isInTransaction = false

  async function run(text: string, values: unknown[]): Promise<pg.QueryResult> {
    client ??= await pool.connect()
    try {
      return await client.query(text, values)
    } catch (error) {
      if (isUnavailable(error)) {
        client.release(true)
        client = undefined
      }
      throw error
    }
  }

  async function query(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const values = parameters as unknown[]
    if (/^(commit|rollback)/i.test(text)) isInTransaction = false
    else if (isInTransaction) return run(text, values)
    else if (/^(begin|start transaction)/i.test(text)) {
      const result = await untilAvailable(() => run(text, values))
      isInTransaction = true
      return result
    } else return untilAvailable(() => run(text, values))
    // Its connection is gone, and with it the transaction.
    if (!client) throw new Error('the connection of the transaction was lost')
    return run(text, values)
  }

  return {
    query: query as unknown as pg.PoolClient['query'],
    release() {
      client?.release()
      client = undefined
    },
  } as unknown as Awaited<ReturnType<PostgresPool['connect']>>
}
