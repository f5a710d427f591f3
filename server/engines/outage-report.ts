import type { Logger } from 'pino'
import { nodeErrorText } from '../chain/rpc-errors.ts'

/** Reports whether a loop works. It logs the first failure and the first success after it, and nothing between. */
export interface OutageReport {
  worked(): void
  failed(error: unknown): void
}

/** Creates the report of a loop that works so far. */
export function createOutageReport(
  log: Pick<Logger, 'info' | 'warn'>,
  { failing, working }: Record<'failing' | 'working', string>,
): OutageReport {
  let isOut = false
  return {
    worked() {
      if (isOut) log.info(working)
      isOut = false
    },
    failed(error) {
      if (!isOut) log.warn({ reason: nodeErrorText(error) }, failing)
      isOut = true
    },
  }
}
