import { type RawBuilder, sql } from 'kysely'
import type { Database } from './client.ts'

/*
 * A lease lets one process, or one request, work on a row until a time by the database's clock; the clock of its own
 * machine never matters. Lanes, activations and followers also have a fence: a number in the row that rises when the row changes
 * hands. Every write compares it, so a process that slept through its lease can write nothing more.
 *
 * A fence is a time, and no count: a database that fell back would count again, and two processes would have the same number.
 */

/** A table whose rows can be leased, and its columns for the holder and the end of the lease. */
interface LeaseTable {
  name: 'lanes' | 'activations' | 'followers' | 'payouts' | 'webhooks'
  holder: 'lease_owner' | 'served_by'
  until: 'lease_until' | 'served_until'
}

const byProcess = { holder: 'lease_owner', until: 'lease_until' } as const
const byRequest = { holder: 'served_by', until: 'served_until' } as const

/** Everything that is leased: to a process, and, for attached requests, to the request. */
export const leases = {
  lanes: { name: 'lanes', ...byProcess },
  activations: { name: 'activations', ...byProcess },
  followers: { name: 'followers', ...byProcess },
  webhooks: { name: 'webhooks', ...byProcess },
  payoutRequests: { name: 'payouts', ...byRequest },
  activationRequests: { name: 'activations', ...byRequest },
} as const satisfies Record<string, LeaseTable>

/** Thrown when another process has taken over what a lease covers; its former holder must stop at once. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}

/** The end of a lease that nobody holds. */
export const noLease = sql<Date>`'-infinity'`

/** The next fence of a row, by the database's clock. */
export const nextFence = sql`greatest(fence + 1, (extract(epoch from clock_timestamp()) * 1e6)::bigint)`

/** No lease is longer, in seconds. */
const longestLease = 600

/** The database's clock plus `seconds`. */
export function inSeconds(seconds: number) {
  return sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`
}

/** Seconds between now and the time in `column`, past or future, by the database's clock. */
export function secondsFrom(column: string) {
  return sql<number>`abs(extract(epoch from clock_timestamp() - ${sql.ref(column)}))`
}

/**
 * Condition: the lease that ends at `column` expired at least `secondsAgo`. An end that lies further ahead than any lease
 * reaches was stored before the database's clock was set back. It counts as expired, or the row would wait an hour for a
 * process that is gone.
 */
export function leaseExpired(column: string, secondsAgo = 0) {
  return sql<boolean>`${sql.ref(column)} not between clock_timestamp() - make_interval(secs => ${secondsAgo})
    and clock_timestamp() + make_interval(secs => ${sql.lit(longestLease + 60)})`
}

/**
 * A statement that leases the rows of `table` that meet `rows` to `holder`, except those that somebody else holds. It may
 * set more columns in the same step, and returns a row for each that was leased.
 */
export function acquireLease<Row>(
  table: LeaseTable,
  lease: {
    rows: RawBuilder<unknown>
    holder: string
    seconds: number
    set?: RawBuilder<unknown>
    returning: RawBuilder<unknown>
  },
): RawBuilder<Row> {
  const { rows, holder, seconds, set, returning } = lease
  return sql<Row>`update ${sql.table(table.name)} set ${set ? sql`${set},` : sql``} ${leaseTo(table, holder, seconds)}
    where ${rows} and (${heldBy(table, holder)} or ${leaseExpired(table.until)})
    returning ${returning}`
}

/** What an update sets to lease a row to `holder` without regard to an earlier holder. */
export function leaseTo({ holder: column, until }: LeaseTable, holder: string, seconds: number) {
  return sql`${sql.ref(column)} = ${holder}, ${sql.ref(until)} = ${inSeconds(seconds)}`
}

/** Condition: the row was last leased to `holder`. */
export function heldBy(table: LeaseTable, holder: string) {
  return sql<boolean>`${sql.ref(table.holder)} = ${holder}`
}

/** Prolongs the leases of the rows that meet `held`; false where there was none. */
export async function renewLease(
  db: Database,
  table: LeaseTable,
  held: RawBuilder<unknown>,
  seconds: number,
): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update ${sql.table(table.name)} set ${sql.ref(table.until)} = ${inSeconds(seconds)}
    where ${held} and ${sql.ref(table.holder)} is not null`.execute(db)
  return numAffectedRows !== undefined && numAffectedRows > 0n
}

/**
 * Ends the leases of the rows that meet `held`, so that others need not wait for them to expire. With `until` nobody gets
 * the row before that time.
 */
export async function releaseLease(
  db: Database,
  table: LeaseTable,
  held: RawBuilder<unknown>,
  until: RawBuilder<Date> = noLease,
): Promise<void> {
  await sql`update ${sql.table(table.name)} set ${sql.ref(table.holder)} = null, ${sql.ref(table.until)} = ${until}
    where ${held}`.execute(db)
}

/**
 * Runs `work` and renews its lease three times within its length. A renewal that fails ends nothing: the next one may
 * succeed, and a lease that was lost meanwhile is noticed by the next write.
 * @param onFailure called with what a renewal threw
 */
export async function whileRenewing<Output>(
  lease: { seconds: number; renew: () => Promise<unknown>; onFailure?: (error: unknown) => void },
  work: () => Promise<Output>,
): Promise<Output> {
  const renew = () => void lease.renew().catch((error) => lease.onFailure?.(error))
  const timer = setInterval(renew, (lease.seconds * 1000) / 3)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
