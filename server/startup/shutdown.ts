/** A second signal within this time is the same Ctrl-C, from the terminal and from the parent; a later one ends the process at once. */
const repeatedMs = 1000
/** Longest time a shutdown takes. */
const longestMs = 30_000
/** How often a process checks that its parent is alive. */
const checkEveryMs = 200

/** Closes what the process has started, newest first: once, after a signal or when the start fails. */
export interface Shutdown {
  /** Adds something to close. */
  add(close: () => Promise<unknown>): void
  /** Sends the line about the signal elsewhere. */
  reportTo(report: (line: string) => void): void
  /** The start is over: from now on a signal closes everything, also one that came before. */
  startIsOver(): void
  /** Closes everything. */
  run(): Promise<void>
}

/**
 * Listens for SIGINT and SIGTERM and, when npm started the process, for the end of its parent.
 * @param report gets the line about the signal
 */
export function createShutdown(report: (line: string) => void): Shutdown {
  const closers: (() => Promise<unknown>)[] = []
  let signalled: { signal: NodeJS.Signals; at: number } | undefined
  let isStarting = true

  async function run(): Promise<void> {
    for (const close of closers.splice(0).reverse()) await close()
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    report(`${signal}: finishing what was accepted`)
    setTimeout(() => process.exit(1), longestMs).unref()
    await run()
    process.exit(0)
  }

  function onSignal(signal: NodeJS.Signals): void {
    if (signalled) {
      if (performance.now() - signalled.at > repeatedMs) process.exit(1)
      return
    }
    signalled = { signal, at: performance.now() }
    // A process that is still starting has nothing whole to close; it ends as soon as the start is over.
    if (!isStarting) void end(signal)
  }

  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  if (process.env.npm_lifecycle_event !== undefined)
    watchParent(() => {
      if (!signalled) onSignal('SIGTERM')
    })
  return {
    add: (close) => void closers.push(close),
    reportTo(to) {
      report = to
    },
    startIsOver() {
      isStarting = false
      if (signalled) void end(signalled.signal)
    },
    run,
  }
}

/**
 * Calls `onOrphaned` when the parent process has ended, which some systems do not report. Where `/bin/sh` stays between
 * npm and the program of a script, a signal for npm ends that shell alone.
 */
export function watchParent(onOrphaned: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onOrphaned()
  }, checkEveryMs).unref()
}
