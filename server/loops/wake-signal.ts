/** Lets loops sleep until they are woken or their time is up. */
export interface WakeSignal {
  /** Wakes every loop. */
  wake(): void
  /**
   * A sleep for one loop: resolves after `ms`, or as soon as the loop is woken, at once where that happened since its
   * last sleep. Resolves with whether the loop was woken.
   */
  createSleep(): (ms: number) => Promise<boolean>
}

/** Creates a signal that nobody sleeps on yet. */
export function createWakeSignal(): WakeSignal {
  const sleepers = new Set<() => void>()
  let wakes = 0
  return {
    wake() {
      wakes++
      for (const end of sleepers) end()
    },
    createSleep() {
      let known = wakes
      return async (ms) => {
        if (wakes === known)
          await new Promise<void>((resolve) => {
            const end = () => {
              clearTimeout(timer)
              sleepers.delete(end)
              resolve()
            }
            const timer = setTimeout(end, ms)
            sleepers.add(end)
          })
        const isWoken = wakes !== known
        known = wakes
        return isWoken
      }
    },
  }
}
