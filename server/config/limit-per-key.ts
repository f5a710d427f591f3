import pLimit, { type LimitFunction } from 'p-limit'

/** Does work for holders: at most `atOnce` pieces at once for each, its further ones in the order in which they came. */
export function limitPerKey<Key>(atOnce: number) {
  const limits = new Map<Key, LimitFunction>()
  const waiting = (key: Key) => limits.get(key)?.pendingCount ?? 0
  /** How many pieces of a holder run or wait. */
  const taken = (key: Key) => (limits.get(key)?.activeCount ?? 0) + waiting(key)
  async function run<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const limit = limits.get(key) ?? pLimit(atOnce)
    limits.set(key, limit)
    try {
      return await limit(work)
    } finally {
      if (taken(key) === 0) limits.delete(key)
    }
  }
  return { run, taken, waiting }
}
