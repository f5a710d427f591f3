import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'

/** What remains of a core where the event loop is busy. */
const leastShare = 1 / 10
/** What the event loop does is as much again for the database and whoever else shares the cores. */
const coresAsBusy = 2

/** Runs work, one piece at a time, with pauses. */
type InIdleTime = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * Gives work in other threads no larger share of a core than the event loop seems to leave idle. A low priority alone is
 * not enough: beside a flood of it, reads kept three quarters of their rate.
 */
export function createIdleTime(): InIdleTime {
  let measured = performance.eventLoopUtilization()
  let notBefore = 0
  // The quickest so far is what one costs; what others take longer they wait for a core.
  let cost = Number.POSITIVE_INFINITY
  return async (work) => {
    const rest = notBefore - performance.now()
    if (rest > 0) await delay(rest)
    const started = performance.now()
    const result = await work()
    const ended = performance.now()
    cost = Math.min(cost, ended - started)
    const current = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(current, measured)
    measured = current
    notBefore = ended + pauseAfter(cost, utilization)
    return result
  }
}

/**
 * @param cost of the work before, in ms
 * @param utilization of the event loop, 0 to 1
 * @returns the pause after it, in ms
 */
export function pauseAfter(cost: number, utilization: number): number {
  const share = Math.max(leastShare, 1 - coresAsBusy * utilization)
  return cost / share - cost
}
