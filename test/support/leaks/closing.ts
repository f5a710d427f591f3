const closers = new Map<() => Promise<void>, string>()

/**
 * Registers a part that a test has made of several others and has to close. What is left open at the end of its file is
 * reported, and closed for the sake of the files after it.
 *
 * @returns closes the part
 */
export function toBeClosed(what: string, close: () => Promise<void>): () => Promise<void> {
  closers.set(close, what)
  return () => {
    closers.delete(close)
    return close()
  }
}

/** Closes all that is open. Returns what that was. */
export async function closeAll(): Promise<string[]> {
  const left = [...closers]
  closers.clear()
  await Promise.allSettled(left.map(([close]) => close()))
  return left.map(([, what]) => `${what} is open`)
}
