import { LRUCache } from 'lru-cache'
import type { Snapshots, State } from '../../db/reads/snapshots.ts'
import type { TaggedResponse } from './etag.ts'

/** Answers kept at most, and their bytes. */
const most = { entries: 20_000, bytes: 32 * 1024 * 1024 }
/** What an entry costs beside its text. */
const overhead = 1024

/** How an answer is made. */
export interface AnswerSource {
  /** Makes it. It is given the state the database had after the request came, where that is known. */
  read(state?: State): Promise<TaggedResponse>
  /** The version of all rows it follows from, asked for after this call; undefined when that cannot be told. */
  version?(): Promise<string | undefined>
}

/** Answers that follow from the request's address and the database alone. */
export interface ResponseCache {
  /**
   * The answer to `url` as its source would make it now: the remembered one where the database is in the very state it
   * was made from or its rows have the very versions, else a new one. Whatever anybody committed before this call is in
   * it.
   */
  answer(url: string, source: AnswerSource): Promise<TaggedResponse>
}

/** An answer, and a state of the database and a version of its rows that are not later than those it was read from. */
interface Entry {
  state: State
  version?: string | undefined
  value: TaggedResponse
}

/** An entry in the making. */
interface Making {
  state: State
  value: Promise<TaggedResponse>
}

/**
 * Remembers in this process answers that were asked for twice. A state is known before the data is read, and states
 * never come back: equal states before the reading and now mean that nothing was committed in between; and so do equal
 * versions, for rows that somebody asks for again while others are written. Errors are not remembered.
 */
export function cacheResponses(snapshots: Snapshots | undefined, { entries, bytes } = most): ResponseCache {
  if (!snapshots) return { answer: (_url, { read }) => read() }
  const kept = new LRUCache<string, Entry>({
    max: entries,
    maxSize: bytes,
    sizeCalculation: ({ value }, url) => overhead + 2 * (url.length + value.body.length),
  })
  /** What was asked for once. Most of it never is again, and would only pass through the memory. */
  const once = new LRUCache<string, true>({
    max: entries,
    maxSize: bytes,
    sizeCalculation: (_, url) => overhead + 2 * url.length,
  })
  const running = new Map<string, Making>()

  async function begin(url: string, state: State, entry: Promise<Entry>): Promise<TaggedResponse> {
    const making = { state, value: entry.then(({ value }) => value) }
    running.set(url, making)
    try {
      const value = await making.value
      if (kept.has(url) || once.has(url)) kept.set(url, await entry)
      else once.set(url, true)
      return value
    } finally {
      if (running.get(url) === making) running.delete(url)
    }
  }

  return {
    async answer(url, source) {
      const { seen } = snapshots
      // Who asks first need not wait for the state: the last one known is early enough.
      if (!kept.has(url) && !running.has(url) && seen) return begin(url, seen, first(source, seen))
      const state = await snapshots.now()
      if (state === undefined) return source.read()
      const known = kept.get(url)
      if (known?.state === state) return known.value
      const shared = running.get(url)
      // What went wrong for another may have been the other's own.
      if (shared?.state === state) return shared.value.catch(() => source.read(state))
      return begin(url, state, known ? again(source, state, known, snapshots) : first(source, state))
    },
  }
}

async function first({ read }: AnswerSource, state: State): Promise<Entry> {
  return { state, value: await read(state) }
}

/** The entry of an answer that somebody has asked for before, looked at again in a later state. */
async function again(
  { read, version }: AnswerSource,
  state: State,
  known: Entry,
  snapshots: Snapshots,
): Promise<Entry> {
  const found = await version?.()
  if (found === undefined) return { state, value: await read(state) }
  if (found === known.version) return { ...known, state }
  // A replica that has reached the state from before might not have what has this version.
  const later = await snapshots.now()
  return { state: later ?? state, version: later && found, value: await read(later ?? state) }
}
