import { LRUCache } from 'lru-cache'
import type { Snapshots, State } from '../../db/reads/snapshots.ts'
import type { TaggedResponse } from './etag.ts'

/** Most responses in the cache, and their bytes. */
const capacity = { entries: 20_000, bytes: 32 * 1024 * 1024 }
/** What a response says of the time, such as whether a lock ends soon, is no older than this. */
const longestMs = 60_000
/** Estimated bytes of an entry without its text. */
const overhead = 1024

/** Responses that follow from the request's address and the database, and from the clock by the minute at most. */
export interface ResponseCache {
  /**
   * The response to `url` as `read` would make it now. That is the cached one if the database is still in the state it was
   * made from; else a new one. It includes everything that was committed before this call.
   */
  get(url: string, read: () => Promise<TaggedResponse>): Promise<TaggedResponse>
}

/** A response, with a state of the database that is no later than the one it was read from. */
interface Entry {
  state: State
  value: TaggedResponse
}

/** An entry that is being made. */
interface PendingEntry {
  state: State
  value: Promise<TaggedResponse>
}

/**
 * Caches responses in this process. A state is read before the data, and no state comes
 * back. So if the state is the same now as before the data was read, nothing was committed in between. Errors are not cached.
 */
export function createResponseCache(
  snapshots: Snapshots | undefined,
  { entries, bytes } = capacity,
): ResponseCache {
  if (!snapshots) return { get: (_url, read) => read() }
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
      const value = await pending.value
      cached.set(url, { state: pending.state, value })
      return value
    } finally {
      if (running.get(url) === pending) running.delete(url)
    }
  }

  return {
    async get(url, read) {
      const { seen } = snapshots
      // The first request of an address need not read the state: the last known one is early enough.
      if (!cached.has(url) && !running.has(url) && seen) return begin(url, { state: seen, value: read() })
      const state = await snapshots.now()
      if (state === undefined) return read()
      const known = cached.get(url)
      if (known?.state === state) return known.value
      const shared = running.get(url)
      // Another request's failure may have concerned that request only.
      if (shared?.state === state) return shared.value.catch(() => read())
      return begin(url, { state, value: read() })
    },
  }
}
