import { type RawBuilder, sql } from 'kysely'

/** How often the engines work, if there is work then, and how long they wait. Operators set the rest; tests shorten these. */
export interface Timing {
  /** Pause between ticks while transactions are under way, in ms. */
  busyMs: number
  /** Pause between ticks while none is, in ms. */
  idleMs: number
  /** How long a loop rests at most while the look finds no work for it, in ms; default 15,000. */
  restMs?: number
  /** Silence after which the bytes of an unmined transaction are sent again. */
  resendAfterSeconds: number
  /** Pause between two searches for our receipt at a used nonce; after eight the operator is alarmed. */
  receiptCheckSeconds: number
  /** How long a request stays attached after its process fell silent. */
  requestLockSeconds: number
  /** How long a process that fell silent keeps an activation. */
  activationLeaseSeconds: number
  /** Pause before an activation that was interrupted is taken up again. */
  pauseSeconds: number
  /** Silence after which a lane counts as orphaned; at least six leases. */
  orphanedSeconds: number
  /** Pause between two reads of the chain for a signer without transactions under way, in ms. */
  idleCheckMs: number
  /** The same for a signer whose transactions only have to become final. */
  settledCheckMs: number
  /** Pause between two checks for orphaned lanes, in ms. */
  orphanCheckMs: number
  /** Pause between two reads of the chain's logs, in ms. */
  followMs: number
  /** Age of a block by the chain's own time until which its logs are read again and again. */
  logsSettleSeconds: number
  /** How long a process that fell silent keeps reading the chain's logs; longer than the pause between two reads. */
  followLeaseSeconds: number
  /** Pause between two searches for relays to settle, in ms. */
  sweepMs: number
  /** Pause between two searches for lapsed claims, each after a beat of the heart, in ms; well below `outageSeconds`. */
  deadlinesMs: number
  /** Pause between two polls of the event log, in ms. A poll is one statement. */
  eventsMs: number
  /** Pause between two searches for webhooks that have something due, in ms. */
  webhooksMs: number
  /** How long a process that fell silent keeps a webhook; longer than a round, which takes up to 20 seconds. */
  webhookLeaseSeconds: number
  /** Pause between two searches for pull requests to be read again, for work of claims, and for merges to be paid, in ms. */
  pullRequestsMs: number
}

/** The pace of a running service. */
export const defaultTiming: Timing = {
  busyMs: 200,
  idleMs: 500,
  resendAfterSeconds: 5,
  receiptCheckSeconds: 2,
  requestLockSeconds: 6,
  activationLeaseSeconds: 6,
  pauseSeconds: 2,
  orphanedSeconds: 30,
  idleCheckMs: 30_000,
  settledCheckMs: 5_000,
  orphanCheckMs: 10_000,
  followMs: 10_000,
  logsSettleSeconds: 1200,
  followLeaseSeconds: 30,
  sweepMs: 2_000,
  deadlinesMs: 5_000,
  eventsMs: 500,
  webhooksMs: 500,
  webhookLeaseSeconds: 60,
  pullRequestsMs: 1_000,
}

/** How long a growing pause is. */
interface Bounds {
  /** Shortest and longest pause, in seconds. */
  least: number
  most: number
  /** By how much the time is divided; default 1. */
  divisor?: number
}

const seconds = (count: number) => sql`make_interval(secs => ${sql.lit(count)})`

/** The time since a moment as a pause in SQL: what is tried again and again is tried less often, the longer it lasts. */
export const growingPause = (since: RawBuilder<unknown>, { least, most, divisor = 1 }: Bounds) =>
  sql`least(greatest((now() - ${since}) / ${sql.lit(divisor)}, ${seconds(least)}), ${seconds(most)})`
