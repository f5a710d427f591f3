import type { Logger } from 'pino'
import { nodeErrorText } from '../chain/rpc-errors.ts'

/** Lets any number of requests wait for outcomes that some process stores, with one query a tick for all of them. */
export interface OutcomePoller<Outcome extends { state: string }> {
  /**
   * Resolves with the first outcome of `id` whose state is not `running`, or with the last one seen when `timeoutMs`
   * have passed or `signal` aborts.
   */
  wait(id: string, options: { timeoutMs: number; signal: AbortSignal }): Promise<Outcome | undefined>
  /** Something was settled in this process: look now. */
  ring(): void
}

interface Waiter<Outcome> {
  id: string
  seen(outcome: Outcome | undefined): void
}

/** @param load the outcomes of `ids` that exist; it may also renew what belongs to waiting */
export function createOutcomePoller<Outcome extends { state: string }>(options: {
  load: (ids: string[]) => Promise<Map<string, Outcome>>
  pollMs: number
  log: Logger
}): OutcomePoller<Outcome> {
  const waiters = new Set<Waiter<Outcome>>()
  let timer: NodeJS.Timeout | undefined
  let looking = false
  let rung = false

  async function look(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    rung = looking
    if (looking || waiters.size === 0) return
    looking = true
    try {
      const asked = [...waiters]
      const found = await options.load([...new Set(asked.map((waiter) => waiter.id))])
      for (const waiter of asked) waiter.seen(found.get(waiter.id))
    } catch (error) {
      options.log.warn({ reason: nodeErrorText(error) }, 'could not look for outcomes; trying again')
    } finally {
      looking = false
      // What was settled while we were looking may have been too late for that look.
      if (rung) void look()
      else if (waiters.size > 0) timer = setTimeout(look, options.pollMs)
    }
  }

  return {
    ring: () => void look(),
    wait: (id, { timeoutMs, signal }) =>
      new Promise((resolve) => {
        let last: Outcome | undefined
        const end = () => {
          clearTimeout(deadline)
          signal.removeEventListener('abort', end)
          waiters.delete(waiter)
          resolve(last)
        }
        const waiter: Waiter<Outcome> = {
          id,
          seen(outcome) {
            last = outcome ?? last
            if (outcome && outcome.state !== 'running') end()
          },
        }
        const deadline = setTimeout(end, timeoutMs)
        signal.addEventListener('abort', end)
        waiters.add(waiter)
        if (signal.aborted) end()
        else if (!looking) timer ??= setTimeout(look, options.pollMs)
      }),
  }
}
