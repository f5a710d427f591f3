interface Closing {
  /** What is open, by what closes it. */
  open: Map<() => Promise<void>, string>
  afterFile: (() => unknown)[]
}

// The runner has this module twice where a test file gets modules of its own.
const key = Symbol.for('closing')
const shared = globalThis as { [key]?: Closing }
shared[key] ??= { open: new Map(), afterFile: [] }
const closing = shared[key]

/**
 * Registers a part that a test has made of several others and has to close. What is left open at the end of its file is
 * reported, and closed for the sake of the files after it.
 *
 * @returns closes the part
 */
export function toBeClosed(what: string, close: () => Promise<void>): () => Promise<void> {
  closing.open.set(close, what)
  return () => {
    closing.open.delete(close)
    return close()
  }
}

/**
 * Calls `work` after the file's last test. An `afterAll` at the top of a module that several files import belongs to the
 * first of them alone.
 */
export function afterFile(work: () => unknown): void {
  closing.afterFile.push(work)
}

/** Closes all that is open, and does what was to be done after the file. Returns what was open. */
export async function closeAll(): Promise<string[]> {
  const open = [...closing.open]
  closing.open.clear()
  const works = [...open.map(([close]) => close), ...closing.afterFile.splice(0)]
  await Promise.allSettled(works.map((work) => work()))
  return open.map(([, what]) => `${what} is open`)
}
