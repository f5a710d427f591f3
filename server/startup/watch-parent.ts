const lookEveryMs = 200

/**
 * Calls `onOrphaned` when the process that started this one has ended, which some systems tell nobody. Where
 * `/bin/sh` does not give its place to the program of an npm script, a signal for npm ends that shell alone.
 */
export function watchParent(onOrphaned: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onOrphaned()
  }, lookEveryMs).unref()
}
