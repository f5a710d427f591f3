import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { hasStaleStatements, isDirectConnection } from './direct-connection.ts'
import { nameOf } from './prepared.ts'

const readOnlyTransaction = '25006'

/**
 * A pool for Kysely whose connections parse and plan each statement of `prepared` once: planning a claim takes Postgres
 * longer than running it. Connections through a proxy prepare nothing.
 */
export function preparedStatementPool(pool: pg.Pool): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    async connect() {
      const client = await pool.connect()
      try {
        const known = clients.get(client) ?? (await preparingClient(client))
        clients.set(client, known)
        return known
      } catch (error) {
        client.release(true)
        throw error
      }
    },
    end: () => pool.end(),
  }
}

async function preparingClient(client: pg.PoolClient): Promise<PostgresPoolClient> {
  let isReadOnly = false
  let prepares = await isDirectConnection(client, async (text) => (await client.query(text)).rows)
  async function query(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const values = parameters as unknown[]
    const name = prepares ? nameOf(text) : undefined
    try {
      return await (name === undefined ? client.query(text, values) : client.query({ name, text, values }))
    } catch (error) {
      if (hasStaleStatements(error)) prepares = false
      if (error instanceof pg.DatabaseError && error.code === readOnlyTransaction) isReadOnly = true
      throw error
    }
  }
  return {
    // Kysely also passes cursors to `query`, but this service uses none.
    query: query as unknown as PostgresPoolClient['query'],
    // The next connection may lead to a server that takes writes.
    release: () => client.release(isReadOnly),
  }
}
