import type { Logger } from 'pino'
import { createOutageReport } from './outage-report.ts'

/** Lets any number of requests wait for outcomes that some process stores, with one query per poll for all of them. */
export interface OutcomePoller<Outcome extends { state: string }> {
  /**
   * Resolves with the first outcome of `id` whose state is not `running`, or with the last one seen when `timeoutMs`
   * have passed or `signal` aborts.
   */
  wait(id: string, options: { timeoutMs: number; signal: AbortSignal }): Promise<Outcome | undefined>
  /** Polls now, because this process has stored an outcome. */
  poll(): void
}

interface WaitingRequest<Outcome> {
  id: string
  receive(outcome: Outcome | undefined): void
}

/** @param options.load reads the outcomes of `ids` that exist; it may also renew the leases of waiting requests */
export function createOutcomePoller<Outcome extends { state: string }>(options: {
  load: (ids: string[]) => Promise<Map<string, Outcome>>
  pollMs: number
  log: Logger
}): OutcomePoller<Outcome> {
  const waiting = new Set<WaitingRequest<Outcome>>()
  let timer: NodeJS.Timeout | undefined
  let isPolling = false
  let isPollWanted = false
  const outage = createOutageReport(options.log, {
    failing: 'could not read outcomes; polling again',
    working: 'outcomes are read again',
  })

  const rest = () => {
    clearTimeout(timer)
    timer = undefined
  }

  async function poll(): Promise<void> {
    rest()
    isPollWanted = isPolling
    if (isPolling || waiting.size === 0) return
    isPolling = true
    try {
      const requests = [...waiting]
      const found = await options.load([...new Set(requests.map(({ id }) => id))])
      for (const request of requests) request.receive(found.get(request.id))
      outage.worked()
    } catch (error) {
      outage.failed(error)
    } finally {
      isPolling = false
      // An outcome that was stored during a poll may have been too late for it.
      if (isPollWanted) void poll()
      else if (waiting.size > 0) timer = setTimeout(poll, options.pollMs)
    }
  }

  return {
    poll: () => void poll(),
    wait: (id, { timeoutMs, signal }) =>
      new Promise((resolve) => {
        let last: Outcome | undefined
        const end = () => {
          clearTimeout(deadline)
          signal.removeEventListener('abort', end)
          waiting.delete(request)
          if (waiting.size === 0) rest()
          resolve(last)
        }
        const request: WaitingRequest<Outcome> = {
          id,
          receive(outcome) {
            last = outcome ?? last
            if (outcome && outcome.state !== 'running') end()
          },
        }
        const deadline = setTimeout(end, timeoutMs)
        signal.addEventListener('abort', end)
        waiting.add(request)
        if (signal.aborted) end()
        else if (!isPolling) timer ??= setTimeout(poll, options.pollMs)
      }),
  }
}
