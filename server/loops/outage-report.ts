import type { Logger } from 'pino'
import { nodeErrorText } from '../config/node-error-text.ts'
import { isDatabaseGone } from '../db/connection-errors.ts'

/** Reports whether a loop works. It logs the first failure, one a minute after it, and the first success. */
export interface OutageReport {
  worked(): void
  failed(error: unknown): void
  /** Reports how `work` ends. Resolves with undefined where it fails. */
  of<Result>(work: Promise<Result>): Promise<Result | undefined>
}

/** Between two lines about one outage, in ms. */
const pauseMs = 60_000
/** The same about two outages: what fails for some and works for others alternates. */
const pauseBetweenMs = 10_000

type Log = Pick<Logger, 'info' | 'warn'>

/** The outage of the database is that of the process: every loop meets it, and one line is enough. */
const ofDatabase = createReport({
  failing: 'the database cannot be reached; all work waits for it and goes on by itself',
  working: 'the database can be reached again',
})

/** Creates the report of a loop that works so far. */
export function createOutageReport(log: Log, words: Record<'failing' | 'working', string>): OutageReport {
  const own = createReport(words)
  let lacksDatabase = false
  function worked(): void {
    own.worked(log)
    if (lacksDatabase) ofDatabase.worked(log)
    lacksDatabase = false
  }
  function failed(error: unknown): undefined {
    lacksDatabase = isDatabaseGone(error)
    const report = lacksDatabase ? ofDatabase : own
    report.failed(log, error)
  }
  return {
    worked,
    failed,
    async of(work) {
      try {
        const result = await work
        worked()
        return result
      } catch (error) {
        return failed(error)
      }
    },
  }
}

function createReport({ failing, working }: Record<'failing' | 'working', string>) {
  let isLogged = false
  let loggedAt = Number.NEGATIVE_INFINITY
  return {
    worked(log: Log): void {
      if (isLogged) log.info(working)
      isLogged = false
    },
    failed(log: Log, error: unknown): void {
      if (performance.now() - loggedAt < (isLogged ? pauseMs : pauseBetweenMs)) return
      log.warn({ reason: nodeErrorText(error) }, failing)
      loggedAt = performance.now()
      isLogged = true
    },
  }
}
