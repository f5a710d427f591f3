import type { Worker } from './transactions/worker.ts'
import { createWakeSignal } from './wake-signal.ts'

/**
 * Starts a loop that nothing wakes: it repeats `round`, with a pause after each, until it is stopped. A round reports its
 * own errors.
 * @param round gets whether the loop is to end, for rounds of many steps
 * @param pauseMs between two rounds, in ms
 */
export function startRounds(round: (isStopped: () => boolean) => Promise<unknown>, pauseMs: number): Worker {
  const wakeSignal = createWakeSignal()
  let stopped = false

  async function run(): Promise<void> {
    const sleep = wakeSignal.createSleep()
    while (!stopped) {
      await round(() => stopped)
      if (!stopped) await sleep(pauseMs)
    }
  }

  const loop = run()
  return {
    wake: () => undefined,
    async stop() {
      stopped = true
      wakeSignal.wake()
      await loop
    },
  }
}
