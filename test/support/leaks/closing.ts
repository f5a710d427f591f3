// The runner has this module twice where a test file gets modules of its own.
const key = Symbol.for('closing')
const shared = globalThis as { [key]?: (() => unknown)[] }
shared[key] ??= []
const works = shared[key]

/**
 * Calls `work` after the file's last test, before what was registered earlier. An `afterAll` at the top of a module that
 * several files import belongs to the first of them alone.
 *
 * @returns does it early, and then not again
 */
export function afterFile(work: () => unknown): () => Promise<void> {
  works.push(work)
  return async () => {
    const at = works.indexOf(work)
    if (at >= 0) await works.splice(at, 1)[0]?.()
  }
}

/** Does what was to be done after the file. @throws what any of it has thrown */
export async function closeAll(): Promise<void> {
  const errors: unknown[] = []
  for (let work = works.pop(); work; work = works.pop())
    try {
      await work()
    } catch (error) {
      errors.push(error)
    }
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('\n'))
}
