import { setTimeout as delay } from 'node:timers/promises'
import type { Hex } from 'viem'
import type { Database } from '../../../../server/db/client.ts'

/** Checks that the service stores signed bytes before it sends them: a crash in between would forget them. */
export interface StoredFirst {
  /** Call it when bytes with this hash arrive on their way to a node. Resolves when they may go on. */
  arrive(hash: Hex): Promise<void>
  /** Remembers what is stored now. Call it before the database loses some of it. */
  remember(): Promise<void>
  /** Waits until everything that has arrived is checked. One line for each hash that was sent before it was stored. */
  problems(): Promise<string[]>
}

/**
 * Bytes were stored first if their row was visible when it was asked for, and was inserted before they arrived. The second
 * condition decides where the database is away and the question is answered later. Clocks of this process and of the
 * database must be the same machine's.
 * @param longestHoldMs bytes whose check takes longer go on before its result, in ms; absent: all wait for it
 */
export function createStoredFirst(db: Database, longestHoldMs?: number): StoredFirst {
  const stored = new Map<string, Date>()
  const problems = new Set<string>()
  const checks = new Set<Promise<void>>()

  async function read(hash?: Hex): Promise<void> {
    const all = db.selectFrom('transaction_attempts').select(['hash', 'created_at'])
    const rows = await (hash === undefined ? all : all.where('hash', '=', hash)).execute()
    // A row that was lost may have been stored again.
    for (const row of rows) if (!stored.has(row.hash)) stored.set(row.hash, row.created_at)
  }

  async function check(hash: Hex): Promise<void> {
    const arrived = new Date()
    const wasStored = () => (stored.get(hash) ?? never) <= arrived
    if (wasStored()) return
    const error = await read(hash).catch(String)
    if (wasStored()) return
    problems.add(
      error === undefined
        ? `${hash} was sent before it was stored`
        : `whether ${hash} was sent before it was stored could not be read: ${error}`,
    )
  }

  return {
    async arrive(hash) {
      const checked = check(hash)
      checks.add(checked)
      void checked.finally(() => checks.delete(checked))
      await (longestHoldMs === undefined ? checked : Promise.race([checked, delay(longestHoldMs)]))
    },
    remember: () => read(),
    async problems() {
      await Promise.all(checks)
      return [...problems]
    },
  }
}

const never = new Date(8.64e15)
