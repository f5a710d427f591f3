import { LRUCache } from 'lru-cache'
import type { Snapshots, State } from '../db/snapshots.ts'
import type { TaggedAnswer } from './etag.ts'

/** Answers kept at most, and their bytes. */
const most = { entries: 20_000, bytes: 32 * 1024 * 1024 }
/** What an entry costs beside its text. */
const overhead = 1024

/** Answers that follow from the request's address and the database alone. */
export interface RememberedAnswers {
  /**
   * The answer to `url` as `read` would make it now: the remembered one where the database is in the very state it was
   * made from, else a new one. Whatever anybody committed before this call is in it. `read` is given the state the
   * database had after this call, where that is known.
   */
  answer(url: string, read: (state?: State) => Promise<TaggedAnswer>): Promise<TaggedAnswer>
}

/** An answer and a state of the database that is not later than the one it was read from. */
interface Entry<Value> {
  state: State
  value: Value
}

/**
 * Remembers answers in this process. A state is known before the data is read, and states never come back: equal states
 * before the reading and now mean that nothing was committed in between. Errors are not remembered.
 */
export function rememberAnswers(
  snapshots: Snapshots | undefined,
  { entries, bytes } = most,
): RememberedAnswers {
  if (!snapshots) return { answer: (_url, read) => read() }
  const kept = new LRUCache<string, Entry<TaggedAnswer>>({
    max: entries,
    maxSize: bytes,
    sizeCalculation: ({ value }, url) => overhead + 2 * (url.length + value.body.length),
  })
  const running = new Map<string, Entry<Promise<TaggedAnswer>>>()

  async function begin(
    url: string,
    state: State | undefined,
    read: () => Promise<TaggedAnswer>,
  ): Promise<TaggedAnswer> {
    if (state === undefined) return read()
    const entry = { state, value: read() }
    running.set(url, entry)
    try {
      const value = await entry.value
      kept.set(url, { state, value })
      return value
    } finally {
      if (running.get(url) === entry) running.delete(url)
    }
  }

  return {
    async answer(url, read) {
      // Who asks first need not wait for the state: the last one known is early enough.
      if (!kept.has(url) && !running.has(url) && snapshots.seen) return begin(url, snapshots.seen, read)
      const state = await snapshots.now()
      if (state === undefined) return read()
      const known = kept.get(url)
      if (known?.state === state) return known.value
      const shared = running.get(url)
      // What went wrong for another may have been the other's own.
      if (shared?.state === state) return shared.value.catch(() => read(state))
      return begin(url, state, () => read(state))
    },
  }
}
