import { type RawBuilder, sql } from 'kysely'
import type { Logger } from 'pino'
import { within } from '../config/time-limit.ts'
import type { Database } from '../db/client.ts'
import { acquireLease, heldBy, inSeconds, leases, leaseTo, releaseLease } from '../db/lease.ts'
import type { ErrorCode } from '../errors.ts'
import { createOutageReport } from './outage-report.ts'
import { createWakeSignal, type WakeSignal } from './wake-signal.ts'

const works = {
  payouts: { table: leases.payoutRequests, key: 'submission_id', hash: sql`tx_hash` },
  activations: { table: leases.activationRequests, key: 'project_id', hash: sql`null` },
} as const

/** States of work that is over until somebody asks for it again. */
const ended = new Set(['settled', 'done', 'failed'])

/** The state of long work. `running` is not a failure: it goes on whether or not a request waits for it. */
export type Outcome<Success> =
  | Success
  | { state: 'failed'; code: ErrorCode; message: string }
  | { state: 'running' }
  /** Waits for an operator; it is not known to have failed either. */
  | { state: 'stuck' }

/**
 * Lets requests wait for long work. At most one at a time is attached to a piece of it; others that ask for it meanwhile are
 * refused. The work itself goes on without any of them.
 */
export interface AttachedRequests<Success> {
  /** Attaches a request to the work `id`, which it has just begun, in place of any other request. */
  attach(trx: Database, id: string, attachedRequest: string): Promise<void>
  /** Attaches a request to the work `id`, which is running; false while another request is attached. */
  join(trx: Database, id: string, attachedRequest: string): Promise<boolean>
  /** Detaches a request, if it was attached. */
  leave(id: string, attachedRequest: string): Promise<void>
  /** Waits for an outcome other than `running`, at most `timeoutMs` or until `signal` aborts; then detaches the request. */
  wait(
    id: string,
    options: { attachedRequest: string; timeoutMs: number; signal: AbortSignal },
  ): Promise<Outcome<Success>>
  /** The current state of the work `id`; undefined before it was first asked for. */
  outcome(trx: Database, id: string): Promise<Outcome<Success> | undefined>
  /** Reads the outcome of the work `id` now, because this process has stored one; without `id` those of all work. */
  poll(id?: string): void
}

/** What the requests of a process wait with. */
export interface WaitingOptions {
  db: Database
  /** Between two reads of an outcome, in ms. */
  pollMs: number
  /** How long a request stays attached after its process fell silent. */
  requestLockSeconds: number
  /** Called when a request starts to wait, so that its stored work is taken up at once. */
  onWait(): void
  log: Logger
}

/** A row of work as far as waiting requests read it. The database makes sure that a failure has a code. */
interface WorkRow {
  status: 'running' | 'failed' | 'settled' | 'done' | 'needs_operator'
  error_code: ErrorCode
  error: string
  tx_hash: string
}

/**
 * @param kind the table that has a row for each piece of work
 * @param succeeded the outcome of work that is done
 */
export function createAttachedRequests<Success extends { state: 'settled' | 'done' }>(
  kind: keyof typeof works,
  succeeded: (row: WorkRow) => Success,
  { db, pollMs, requestLockSeconds: seconds, onWait, log }: WaitingOptions,
): AttachedRequests<Success> {
  const { table, ...work } = works[kind]
  const waiting = new Set<WakeSignal & { id: string }>()
  const outage = createOutageReport(log, {
    failing: 'could not read outcomes; polling again',
    working: 'outcomes are read again',
  })
  const rowOf = (id: string) => sql`${sql.ref(work.key)} = ${id}`
  const held = (id: string, attachedRequest: string) =>
    sql`${rowOf(id)} and ${heldBy(table, attachedRequest)}`

  /** Reads an outcome; `first` is done in the same statement. */
  async function read(trx: Database, id: string, first = sql``): Promise<Outcome<Success> | undefined> {
    const { rows } = await sql<WorkRow>`${first} select status, error_code, error, ${work.hash} as tx_hash
      from ${sql.table(table.name)} where ${rowOf(id)}`.execute(trx)
    return rows[0] && toOutcome(rows[0], succeeded)
  }

  const leave = (id: string, attachedRequest: string) => releaseLease(db, table, held(id, attachedRequest))

  return {
    async attach(trx, id, attachedRequest) {
      await sql`update ${sql.table(table.name)} set ${leaseTo(table, attachedRequest, seconds)}
        where ${rowOf(id)}`.execute(trx)
    },
    async join(trx, id, attachedRequest) {
      const lease = { rows: rowOf(id), holder: attachedRequest, seconds, returning: sql.ref(work.key) }
      const { rows } = await acquireLease(table, lease).execute(trx)
      return rows.length === 1
    },
    leave,
    async wait(id, { attachedRequest, timeoutMs, signal }) {
      onWait()
      const own = { ...createWakeSignal(), id }
      const sleep = own.createSleep()
      const deadline = performance.now() + timeoutMs
      const left = () => (signal.aborted ? 0 : deadline - performance.now())
      let outcome: Outcome<Success> = { state: 'running' }
      waiting.add(own)
      signal.addEventListener('abort', own.wake)
      while (outcome.state === 'running' && left() > 0) {
        const renewal = renewedIn(table, held(id, attachedRequest), seconds)
        const polled = outage.of(read(db, id, renewal))
        // A statement that hangs does not keep the request.
        outcome = (await within(left(), polled, () => undefined)) ?? outcome
        if (outcome.state === 'running') await sleep(Math.min(pollMs, left()))
      }
      signal.removeEventListener('abort', own.wake)
      waiting.delete(own)
      // Nobody joins work that has ended, and a request that begins it anew replaces this one. The caller needs its
      // outcome even when the database is gone.
      if (!ended.has(outcome.state))
        await within(1000, leave(id, attachedRequest), () => undefined).catch(() => undefined)
      return outcome
    },
    outcome: read,
    poll(id) {
      for (const one of waiting) if (id === undefined || one.id === id) one.wake()
    },
  }
}

function toOutcome<Success>(row: WorkRow, succeeded: (row: WorkRow) => Success): Outcome<Success> {
  if (row.status === 'running') return { state: 'running' }
  if (row.status === 'needs_operator') return { state: 'stuck' }
  if (row.status === 'failed') return { state: 'failed', code: row.error_code, message: row.error }
  return succeeded(row)
}

/**
 * Renews an attachment that has used up a third of its length; every write makes processes read again what they have cached.
 * One that ends too far ahead was stored before the database's clock was set back.
 */
function renewedIn(
  { name, until }: (typeof works)[keyof typeof works]['table'],
  held: RawBuilder<unknown>,
  seconds: number,
): RawBuilder<unknown> {
  const isFresh = sql`${sql.ref(until)} between ${inSeconds((seconds * 2) / 3)} and ${inSeconds(seconds)}`
  return sql`with renewed as (update ${sql.table(name)} set ${sql.ref(until)} = ${inSeconds(seconds)}
    where ${held} and not ${isFresh})`
}
