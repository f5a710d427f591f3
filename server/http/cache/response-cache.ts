import { LRUCache } from 'lru-cache'
import type { Snapshots, State } from '../../db/reads/snapshots.ts'
import type { TaggedResponse } from './etag.ts'

/** Most responses in the cache, and their bytes. */
const capacity = { entries: 20_000, bytes: 32 * 1024 * 1024 }
/** What a response says of the time, such as whether a lock ends soon, is no older than this. */
const longestMs = 60_000
/** Estimated bytes of an entry without its text. */
const overhead = 1024

/** How a response is made. */
export interface ResponseSource {
  read(): Promise<TaggedResponse>
  /** The version of all rows it follows from, read after this call; undefined if it cannot be read. */
  version?(): Promise<string | undefined>
}

/** Responses that follow from the request's address and the database, and from the clock by the minute at most. */
export interface ResponseCache {
  /**
   * The response to `url` as its source would make it now. That is the cached one if the database is still in the state it was
   * made from, or if its rows still have their versions; else a new one. It includes everything that was committed before this call.
   */
  get(url: string, source: ResponseSource): Promise<TaggedResponse>
}

/** A response, with a state of the database and a version of its rows that are no later than those it was read from. */
interface Entry {
  state: State
  version?: string | undefined
  value: TaggedResponse
}

/** An entry that is being made. */
interface PendingEntry {
  state: State
  entry: Promise<Entry>
}

/**
 * Caches responses in this process. A state is read before the data, and no state comes
 * back. So if the state is the same now as before the data was read, nothing was committed in between. Equal versions mean the same
 * for the rows of one response, while other rows are written. Errors are not cached.
 */
export function createResponseCache(
  snapshots: Snapshots | undefined,
  { entries, bytes } = capacity,
): ResponseCache {
  if (!snapshots) return { get: (_url, { read }) => read() }
  const cached = new LRUCache<string, Entry>({
    max: entries,
    ttl: longestMs,
    maxSize: bytes,
    sizeCalculation: ({ value }, url) => overhead + 2 * (url.length + value.body.length),
  })
  const running = new Map<string, PendingEntry>()

  async function begin(url: string, pending: PendingEntry): Promise<TaggedResponse> {
    running.set(url, pending)
    try {
      const entry = await pending.entry
      // What is still right is no newer: its minute goes on.
      cached.set(url, entry, { noUpdateTTL: cached.peek(url)?.value === entry.value })
      return entry.value
    } finally {
      if (running.get(url) === pending) running.delete(url)
    }
  }

  return {
    async get(url, source) {
      const { seen } = snapshots
      // The first request of an address need not read the state: the last known one is early enough.
      if (!cached.has(url) && !running.has(url) && seen)
        return begin(url, { state: seen, entry: firstEntry(source, seen) })
      const state = await snapshots.now()
      if (state === undefined) return source.read()
      const known = cached.get(url)
      if (known?.state === state) return known.value
      const shared = running.get(url)
      // Another request's failure may have concerned that request only.
      if (shared?.state === state) return shared.entry.then(({ value }) => value, source.read)
      return begin(url, {
        state,
        entry: known ? renewedEntry(source, state, known) : firstEntry(source, state),
      })
    },
  }
}

async function firstEntry({ read }: ResponseSource, state: State): Promise<Entry> {
  return { state, value: await read() }
}

/** The entry of a cached response in a later state: the cached response if its rows still have their version. */
async function renewedEntry({ read, version }: ResponseSource, state: State, known: Entry): Promise<Entry> {
  const found = await version?.()
  if (found !== undefined && found === known.version) return { ...known, state }
  return { state, version: found, value: await read() }
}
