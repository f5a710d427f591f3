import type { Logger } from 'pino'
import { askForWork } from '../../loops/look.ts'
import { createOutageReport } from '../../loops/outage-report.ts'
import { startRounds, type Worker } from '../../loops/rounds.ts'
import type { Timing } from '../../loops/timing.ts'
import { RepositoryError } from '../host/error.ts'
import { type ReadingOptions, readLeased } from './engine.ts'
import { hasDue, leaseDue } from './store.ts'

/** How many pull requests one process reads at once. */
const atOnce = 5

/**
 * Starts the loop that reads pull requests which are due. Any number of processes may run it. The next reading of one that
 * failed is put off. While the quota is low, only what was reported as merged is read: its payment is an approval.
 */
export function startPullRequests(
  options: ReadingOptions & { log: Logger; timing: Pick<Timing, 'restMs' | 'pullRequestsMs'> },
): Worker {
  const { db, log, repositories, timing } = options
  const outage = createOutageReport(log, {
    failing: 'pull requests could not be read from the code host; trying again every minute',
    working: 'pull requests are read again',
  })

  /** Reads what is due. Only a host that does not respond at all is an outage: one pull request alone may fail forever. */
  async function readDue(): Promise<number> {
    const leases = await leaseDue(db, atOnce, repositories.quota.pause() > 0)
    const results = await Promise.allSettled(leases.map((lease) => readLeased(options, lease, lease)))
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    const isOut = failures.every(({ kind }) => kind === 'unavailable') && failures.length === leases.length
    for (const failure of failures) if (isOut || !(failure instanceof RepositoryError)) throw failure
    if (failures.length < leases.length) outage.worked()
    return leases.length
  }

  async function read() {
    try {
      return repositories.quota.pause(true) === 0 && (await readDue()) === atOnce
    } catch (error) {
      return outage.failed(error)
    }
  }

  return startRounds(read, timing.pullRequestsMs, askForWork(db, hasDue, timing.restMs))
}
