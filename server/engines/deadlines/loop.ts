import type { Logger } from 'pino'
import type { Database } from '../../db/client.ts'
import { createOutageReport } from '../outage-report.ts'
import { startRounds } from '../rounds.ts'
import type { Timing } from '../timing.ts'
import type { Worker } from '../transactions/worker.ts'
import { beat, openLapsed, recordOverdue } from './store.ts'

/** Most bounties or submissions that one statement changes, so that it is short. */
const batch = 100

/** What the loop needs. */
export interface DeadlinesOptions {
  db: Database
  timing: Pick<Timing, 'deadlinesMs'>
  log: Logger
}

/**
 * Starts the loops that beat the heart, open bounties whose claims have lapsed and record overdue reviews. They need no
 * chain, and any number of processes may run them. While nothing ends a round costs a probe of an index for each loop,
 * and one small write in five seconds.
 */
export function startDeadlines({ db, timing, log }: DeadlinesOptions): Worker {
  async function beatHeart(): Promise<void> {
    const outage = await beat(db)
    if (outage)
      log.warn(
        { seconds: Math.round(outage.seconds), nothingLapsesBefore: outage.nothingLapsesBefore },
        'no process has run for a while, or the database fell back; no deadline ends before the time is made up for',
      )
  }

  async function openBounties(): Promise<number> {
    const lapsed = await openLapsed(db, batch)
    for (const { bountyId, claimant } of lapsed)
      log.info({ entityId: bountyId, agentId: claimant }, 'a claim has lapsed; its bounty is open again')
    return lapsed.length
  }

  async function recordReviews(): Promise<number> {
    const overdue = await recordOverdue(db, batch)
    for (const entityId of overdue) log.info({ entityId }, 'the review of a submission is overdue')
    return overdue.length
  }

  const reported = (what: string, work: (isStopped: () => boolean) => Promise<void>) => {
    const outage = createOutageReport(log, {
      failing: `could not ${what}; trying again`,
      working: `can ${what} again`,
    })
    return (isStopped: () => boolean) => outage.of(work(isStopped))
  }

  // Side by side, so that the heart goes on beating while a search is slow or fails.
  const loops = [
    startRounds(reported('beat the heart of the deadlines', beatHeart), timing.deadlinesMs),
    startRounds(
      reported('look for lapsed claims', (isStopped) => whileFull(isStopped, openBounties)),
      timing.deadlinesMs,
    ),
    startRounds(
      reported('look for overdue reviews', (isStopped) => whileFull(isStopped, recordReviews)),
      timing.deadlinesMs,
    ),
  ]
  return {
    wake: () => undefined,
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

/** Repeats `work` until it returns that it did less than a batch. */
async function whileFull(isStopped: () => boolean, work: () => Promise<number>): Promise<void> {
  while ((await work()) === batch && !isStopped());
}
