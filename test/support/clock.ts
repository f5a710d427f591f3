import { afterFile } from './leaks/closing.ts'

/** Lets the time pass that memories go by, until the end of the test file: others run in the same process. */
export function ageClock() {
  const original = performance.now
  const clock = original.bind(performance)
  let ahead = 0
  performance.now = () => clock() + ahead
  afterFile(() => {
    performance.now = original
  })
  return {
    /** Goes ahead by this many milliseconds. */
    async advance(ms: number): Promise<void> {
      ahead += ms
      // A memory takes the time that it has read for a millisecond. Its timer was set earlier, so it fires before this one.
      await new Promise((resolve) => setTimeout(resolve, 1))
    },
  }
}
