import type { Logger } from 'pino'
import type { Database } from '../../db/client.ts'
import { askForWork } from '../../loops/look.ts'
import { createOutageReport } from '../../loops/outage-report.ts'
import { startRounds, type Worker } from '../../loops/rounds.ts'
import type { Timing } from '../../loops/timing.ts'
import { beat, hasLapsed, hasOverdue, openLapsed, recordOverdue } from './store.ts'

/** Most bounties or submissions that one transaction changes, so that it is short. */
const batch = 100

/** What the loop needs. */
export interface DeadlinesOptions {
  db: Database
  timing: Pick<Timing, 'restMs' | 'deadlinesMs'>
  log: Logger
}

/**
 * Starts the loops that beat the heart, open bounties whose claims have lapsed and record overdue reviews. They need no
 * chain, and any number of processes may run them. While nothing ends they cost a probe of an index in each look, and one
 * small write in five seconds.
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

  function start(what: string, work: () => Promise<unknown>, has?: typeof hasLapsed): Worker {
    const outage = createOutageReport(log, {
      failing: `could not ${what}; trying again`,
      working: `can ${what} again`,
    })
    const isDue = has && askForWork(db, has, timing.restMs)
    return startRounds(async () => (await outage.of(work())) === batch, timing.deadlinesMs, isDue)
  }

  // Side by side, so that the heart goes on beating while a search is slow or fails.
  const loops = [
    start('beat the heart of the deadlines', beatHeart),
    start('look for lapsed claims', openBounties, hasLapsed),
    start('look for overdue reviews', recordReviews, hasOverdue),
  ]
  return {
    wake: () => undefined,
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
