import type { Logger } from 'pino'
import { RepositoryError } from '../../repositories/error.ts'
import { createOutageReport } from '../outage-report.ts'
import { startRounds } from '../rounds.ts'
import type { Timing } from '../timing.ts'
import type { Worker } from '../transactions/worker.ts'
import { type ReadingOptions, readClaimed } from './engine.ts'
import { claimDue } from './store.ts'

/** How many pull requests one process reads at once. */
const atOnce = 5
/** Longest pause while the host answers nothing, in ms; it doubles from a second. */
const longestPauseMs = 300_000

/**
 * Starts the loop that reads pull requests which are due. Any number of processes may run it. While the code host answers
 * nothing, its pauses grow: who goes on asking is limited for longer.
 */
export function startPullRequests(
  options: ReadingOptions & { log: Logger; timing: Pick<Timing, 'pullRequestsMs'> },
): Worker {
  const { db, log, timing } = options
  const outage = createOutageReport(log, {
    failing: 'pull requests could not be read from the code host; trying again with growing pauses',
    working: 'pull requests are read again',
  })
  let failures = 0
  let restUntil = 0

  async function readDue(): Promise<number> {
    const claims = await claimDue(db, atOnce)
    const results = await Promise.allSettled(claims.map((claim) => readClaimed(options, claim, claim)))
    const failed = results.filter((result) => result.status === 'rejected')
    if (failed.length < claims.length) {
      failures = 0
      outage.worked()
    } else if (failed[0]) {
      restUntil = performance.now() + Math.min(1000 * 2 ** failures++, longestPauseMs)
      throw failed[0].reason
    }
    for (const { reason } of failed) if (!(reason instanceof RepositoryError)) throw reason
    return claims.length
  }

  return startRounds(async (isStopped) => {
    try {
      while (performance.now() >= restUntil && (await readDue()) === atOnce && !isStopped());
    } catch (error) {
      outage.failed(error)
    }
  }, timing.pullRequestsMs)
}
