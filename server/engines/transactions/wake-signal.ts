/** Lets loops sleep until it rings or their time is up. */
export interface WakeSignal {
  ring(): void
  /** A sleeper that does not miss a ring which comes while it is awake; it tells whether it was woken by one. */
  listen(): (ms: number) => Promise<boolean>
}

export function createWakeSignal(): WakeSignal {
  const asleep = new Set<() => void>()
  let rings = 0
  return {
    ring() {
      rings++
      for (const wake of asleep) wake()
    },
    listen() {
      let heard = rings
      return async (ms) => {
        if (rings === heard)
          await new Promise<void>((resolve) => {
            const wake = () => {
              clearTimeout(timer)
              asleep.delete(wake)
              resolve()
            }
            const timer = setTimeout(wake, ms)
            asleep.add(wake)
          })
        const woken = rings !== heard
        heard = rings
        return woken
      }
    },
  }
}
