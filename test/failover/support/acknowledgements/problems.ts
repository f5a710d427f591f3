/** What a client has seen that must not be, and what the fall-back of a database excuses. */
export interface Problems {
  /** Problems that nothing excuses. */
  lines: string[]
  /** Problems that came from acknowledged writes which the database has lost. */
  losses: string[]
  /** The number of times that the database may have fallen back so far. */
  epoch(): number
  /**
   * Adds a problem of a request that began in `epoch`. It counts as a loss if the database may have fallen back at that time
   * or since.
   */
  add(line: string, epoch: number): void
  /** From now on the database may fall back. */
  mayLose(): void
  /** From now on the database has fallen back; what is acknowledged is kept again. */
  hasLost(): void
}

/** A problem repeats with each read: more lines would show nothing new. */
const mostLines = 30

export function createProblems(): Problems {
  const lines: string[] = []
  const losses: string[] = []
  let epoch = 0
  let isLosing = false
  return {
    lines,
    losses,
    epoch: () => epoch,
    add(line, began) {
      const list = isLosing || began < epoch ? losses : lines
      if (list.length < mostLines && !list.includes(line)) list.push(line)
    },
    mayLose() {
      epoch++
      isLosing = true
    },
    hasLost() {
      epoch++
      isLosing = false
    },
  }
}
