import { LRUCache } from 'lru-cache'

/** The least recent of more keys are forgotten. */
const mostKeys = 50_000

/** Counts points of keys, each in a window of so many seconds, in the memory of this process. */
export function createWindows(seconds: number) {
  const windows = new LRUCache<string, { points: number; endsAt: number }>({ max: mostKeys })
  return {
    /** Adds points to a key. Returns its points, and in how many ms they count no more. */
    add(key: string, points = 1): { points: number; msLeft: number } {
      const now = performance.now()
      const known = windows.get(key)
      const window = known && known.endsAt > now ? known : { points: 0, endsAt: now + seconds * 1000 }
      window.points = Math.max(0, window.points + points)
      windows.set(key, window)
      return { points: window.points, msLeft: window.endsAt - now }
    },
  }
}
