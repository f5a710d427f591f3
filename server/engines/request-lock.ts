import { type RawBuilder, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../db/client.ts'
import { acquireLease, heldBy, leases, leaseTo, releaseLease, renewLease } from '../db/lease.ts'
import { createOutcomePoller } from './outcome-poller.ts'

/** How often attached requests renew their leases within the length of one. */
const renewals = 3
/** States of work that is over until somebody asks for it again. */
const ended = new Set(['settled', 'done', 'failed'])

const locks = {
  payouts: { table: leases.payoutRequests, key: 'submission_id' },
  activations: { table: leases.activationRequests, key: 'project_id' },
} as const

/**
 * Attaches at most one request at a time to a piece of long work; others that ask for it meanwhile are refused. The work
 * itself goes on without any of them.
 */
export interface RequestLock<Outcome extends { state: string }> {
  /** Attaches `attachedRequest` to the work `id`; false while another request is attached. */
  acquire(trx: Database, id: string, attachedRequest: string): Promise<boolean>
  /** Attaches `attachedRequest` to the work `id`, which it has just begun, in place of any other request. */
  replace(trx: Database, id: string, attachedRequest: string): Promise<void>
  /** Detaches `attachedRequest`, if it was attached. */
  release(id: string, attachedRequest: string): Promise<void>
  /** Waits for an outcome other than `running`, at most `timeoutMs` or until `signal` aborts; then releases. */
  wait(
    id: string,
    options: { attachedRequest: string; timeoutMs: number; signal: AbortSignal },
  ): Promise<Outcome | undefined>
  /** Polls now, because this process has stored an outcome. */
  poll(): void
}

/**
 * @param options.work the table that has a row for each piece of work
 * @param options.requestLockSeconds how long a request stays attached after its process fell silent
 */
export function createRequestLock<Outcome extends { state: string }>(options: {
  db: Database
  work: keyof typeof locks
  load: (ids: string[]) => Promise<Map<string, Outcome>>
  pollMs: number
  requestLockSeconds: number
  log: Logger
}): RequestLock<Outcome> {
  const { db, requestLockSeconds: seconds } = options
  const { table, key } = locks[options.work]
  const rowOf = (id: string): RawBuilder<unknown> => sql`${sql.ref(key)} = ${id}`
  const attached = new Set<string>()
  let renewed = 0

  async function renew(ids: string[]): Promise<void> {
    if (performance.now() - renewed < (seconds * 1000) / renewals) return
    renewed = performance.now()
    const held = sql`${sql.ref(key)} = any(${ids}) and ${sql.ref(table.holder)} = any(${[...attached]})`
    await renewLease(db, table, held, seconds)
  }

  function release(id: string, attachedRequest: string): Promise<void> {
    return releaseLease(db, table, sql`${rowOf(id)} and ${heldBy(table, attachedRequest)}`)
  }

  const outcomes = createOutcomePoller<Outcome>({
    ...options,
    load: async (ids) => {
      await renew(ids)
      return options.load(ids)
    },
  })

  return {
    async acquire(trx, id, attachedRequest) {
      const lease = { rows: rowOf(id), holder: attachedRequest, seconds, returning: sql.ref(key) }
      const { rows } = await acquireLease(table, lease).execute(trx)
      return rows.length === 1
    },
    async replace(trx, id, attachedRequest) {
      await sql`update ${sql.table(table.name)} set ${leaseTo(table, attachedRequest, seconds)}
        where ${rowOf(id)}`.execute(trx)
    },
    release,
    async wait(id, { attachedRequest, ...limits }) {
      attached.add(attachedRequest)
      const outcome = await outcomes.wait(id, limits)
      attached.delete(attachedRequest)
      // Nobody joins work that has ended, and a request that begins it anew replaces this one. The caller needs its
      // outcome even when the database is gone.
      if (!outcome || !ended.has(outcome.state)) await release(id, attachedRequest).catch(() => undefined)
      return outcome
    },
    poll: outcomes.poll,
  }
}
