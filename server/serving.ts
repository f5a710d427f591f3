import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from './db/connect.ts'
import { inSeconds } from './db/transaction.ts'
import { createOutcomes } from './outcomes.ts'

/** How long a request whose process fell silent still counts as being served. */
const servingSeconds = 6
/** How often waiting requests renew it. */
const renewMs = 2000

/**
 * Of all requests for one piece of long work, one is served at a time; the others are told so. The work itself goes on
 * without any of them.
 */
export interface Serving<Outcome extends { state: string }> {
  /** Makes `waiter` the request that is served for `id`; false while another one is. */
  take(trx: Database, id: string, waiter: string): Promise<boolean>
  /** Waits for an outcome other than `running`, at most `timeoutMs` or until `signal` aborts; then lets others be served. */
  wait(
    id: string,
    options: { waiter: string; timeoutMs: number; signal: AbortSignal },
  ): Promise<Outcome | undefined>
  /** Something was settled in this process: look now. */
  ring(): void
}

/** @param work the table that has a row a piece of work, with its key column */
export function createServing<Outcome extends { state: string }>(options: {
  db: Database
  work: { table: 'payouts'; key: 'submission_id' } | { table: 'activations'; key: 'project_id' }
  load: (ids: string[]) => Promise<Map<string, Outcome>>
  pollMs: number
  log: Logger
}): Serving<Outcome> {
  const { db } = options
  const table = sql.table(options.work.table)
  const key = sql.ref(options.work.key)
  const waiters = new Set<string>()
  let renewed = 0

  async function renew(): Promise<void> {
    if (waiters.size === 0 || performance.now() - renewed < renewMs) return
    renewed = performance.now()
    await sql`update ${table} set served_until = ${inSeconds(servingSeconds)}
      where served_by = any(${[...waiters]})`.execute(db)
  }

  const outcomes = createOutcomes<Outcome>({
    ...options,
    load: async (ids) => {
      await renew()
      return options.load(ids)
    },
  })

  return {
    async take(trx, id, waiter) {
      const { rows } = await sql`update ${table}
        set served_by = ${waiter}, served_until = ${inSeconds(servingSeconds)}
        where ${key} = ${id} and (served_by = ${waiter} or served_until <= clock_timestamp())
        returning ${key}`.execute(trx)
      return rows.length === 1
    },
    async wait(id, { waiter, ...limits }) {
      waiters.add(waiter)
      try {
        return await outcomes.wait(id, limits)
      } finally {
        waiters.delete(waiter)
        await sql`update ${table} set served_by = null, served_until = '-infinity'
          where ${key} = ${id} and served_by = ${waiter}`.execute(db)
      }
    },
    ring: outcomes.ring,
  }
}
