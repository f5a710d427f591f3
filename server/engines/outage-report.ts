import type { Logger } from 'pino'
import { nodeErrorText } from '../chain/rpc-errors.ts'

/** Reports whether a loop works. It logs the first failure, one a minute after it, and the first success. */
export interface OutageReport {
  worked(): void
  failed(error: unknown): void
  /** Reports how `work` ends. Resolves with undefined where it fails. */
  of<Result>(work: Promise<Result>): Promise<Result | undefined>
}

/** Between two lines about one outage, in ms. */
const pauseMs = 60_000

/** Creates the report of a loop that works so far. */
export function createOutageReport(
  log: Pick<Logger, 'info' | 'warn'>,
  { failing, working }: Record<'failing' | 'working', string>,
): OutageReport {
  let isOut = false
  let loggedAt = 0
  function worked(): void {
    if (isOut) log.info(working)
    isOut = false
  }
  function failed(error: unknown): undefined {
    if (!isOut || performance.now() - loggedAt >= pauseMs) {
      log.warn({ reason: nodeErrorText(error) }, failing)
      loggedAt = performance.now()
    }
    isOut = true
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
