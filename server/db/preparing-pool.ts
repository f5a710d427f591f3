import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { isConfused, isDirect } from './direct.ts'
import { nameOf } from './prepared.ts'

/**
 * A pool for Kysely whose connections keep the statements that `prepared` made parsed and planned: planning a claim takes
 * Postgres longer than carrying it out. Through a proxy nothing is kept.
 */
export function preparingPool(pool: pg.Pool): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    async connect() {
      const client = await pool.connect()
      try {
        const known = clients.get(client) ?? (await preparing(client))
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

async function preparing(client: pg.PoolClient): Promise<PostgresPoolClient> {
  let prepares = await isDirect(client, async (text) => (await client.query(text)).rows)
  async function query(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const values = parameters as unknown[]
    const name = prepares ? nameOf(text) : undefined
    if (name === undefined) return client.query(text, values)
    try {
      return await client.query({ name, text, values })
    } catch (error) {
      if (isConfused(error)) prepares = false
      throw error
    }
  }
  // Kysely also knows cursors, which nobody here uses.
  return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release() }
}
