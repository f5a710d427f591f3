import { sql } from 'kysely'

/** No lease of ours is longer, in seconds. */
const longestLease = 600

/**
 * Whether a lease that ends at `column` has run out, at least `secondsAgo`, by the database's clock. One that ends later than any lease can
 * was given before that clock was set back, and counts as run out too: nothing may wait an hour for a dead process.
 */
export function leaseExpired(column: string, secondsAgo = 0) {
  return sql<boolean>`${sql.ref(column)} not between clock_timestamp() - make_interval(secs => ${secondsAgo})
    and clock_timestamp() + make_interval(secs => ${sql.lit(longestLease + 60)})`
}

/** Seconds between now and the time in `column`, whichever is later, by the database's clock. */
export function secondsFrom(column: string) {
  return sql<number>`abs(extract(epoch from clock_timestamp() - ${sql.ref(column)}))`
}
