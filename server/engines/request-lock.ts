import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../db/client.ts'
import { leaseExpired } from '../db/lease.ts'
import { inSeconds } from '../db/transaction.ts'
import { createOutcomePoller } from './outcome-poller.ts'

/** How often within that time waiting requests renew their being served. */
const renewals = 3
/** States of work that is over until somebody asks for it again. */
const ended = new Set(['settled', 'done', 'failed'])

/**
 * Of all requests for one piece of long work, one is served at a time; the others are told so. The work itself goes on
 * without any of them.
 */
export interface RequestLock<Outcome extends { state: string }> {
  /** Makes `waiter` the request that is served for `id`; false while another one is. */
  take(trx: Database, id: string, waiter: string): Promise<boolean>
  /** Makes `waiter` the request that is served for `id`, which it has just begun. */
  seize(trx: Database, id: string, waiter: string): Promise<void>
  /** Lets others be served, if `waiter` was. */
  leave(id: string, waiter: string): Promise<void>
  /** Waits for an outcome other than `running`, at most `timeoutMs` or until `signal` aborts; then leaves. */
  wait(
    id: string,
    options: { waiter: string; timeoutMs: number; signal: AbortSignal },
  ): Promise<Outcome | undefined>
  /** Something was settled in this process: look now. */
  ring(): void
}

/**
 * @param options.work the table that has a row a piece of work, with its key column
 * @param options.requestLockSeconds how long a request whose process fell silent still counts as being served
 */
export function createRequestLock<Outcome extends { state: string }>(options: {
  db: Database
  work: { table: 'payouts'; key: 'submission_id' } | { table: 'activations'; key: 'project_id' }
  load: (ids: string[]) => Promise<Map<string, Outcome>>
  pollMs: number
  requestLockSeconds: number
  log: Logger
}): RequestLock<Outcome> {
  const { db, requestLockSeconds } = options
  const table = sql.table(options.work.table)
  const key = sql.ref(options.work.key)
  const until = inSeconds(requestLockSeconds)
  const waiters = new Set<string>()
  let renewed = 0

  async function renew(ids: string[]): Promise<void> {
    if (performance.now() - renewed < (requestLockSeconds * 1000) / renewals) return
    renewed = performance.now()
    await sql`update ${table} set served_until = ${until}
      where ${key} = any(${ids}) and served_by = any(${[...waiters]})`.execute(db)
  }

  async function leave(id: string, waiter: string): Promise<void> {
    await sql`update ${table} set served_by = null, served_until = '-infinity'
      where ${key} = ${id} and served_by = ${waiter}`.execute(db)
  }

  const outcomes = createOutcomePoller<Outcome>({
    ...options,
    load: async (ids) => {
      await renew(ids)
      return options.load(ids)
    },
  })

  return {
    async take(trx, id, waiter) {
      const { rows } = await sql`update ${table} set served_by = ${waiter}, served_until = ${until}
        where ${key} = ${id} and (served_by = ${waiter} or ${leaseExpired('served_until')})
        returning ${key}`.execute(trx)
      return rows.length === 1
    },
    async seize(trx, id, waiter) {
      await sql`update ${table} set served_by = ${waiter}, served_until = ${until}
        where ${key} = ${id}`.execute(trx)
    },
    leave,
    async wait(id, { waiter, ...limits }) {
      waiters.add(waiter)
      const outcome = await outcomes.wait(id, limits)
      waiters.delete(waiter)
      // Nobody joins what has ended; what begins anew seizes it. The answer must be told even if the database is gone.
      if (!outcome || !ended.has(outcome.state)) await leave(id, waiter).catch(() => undefined)
      return outcome
    },
    ring: outcomes.ring,
  }
}
