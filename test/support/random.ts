/** Numbers that follow from a seed alone, so that whatever was drawn can be drawn again. */
export interface Random {
  /** From 0 up to 1. */
  next(): number
  /** A whole number, both ends included. */
  int(min: number, max: number): number
  /** A whole number, at least 0 and below `limit`. */
  below(limit: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** Some of them, each at most once, in their order. */
  some<Item>(items: readonly Item[], count: number): Item[]
}

/** mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const int = (min: number, max: number) => min + below(max - min + 1)
  return {
    next,
    int,
    below,
    chance: (probability) => next() < probability,
    pick: (items) => items[below(items.length)]!,
    some(items, count) {
      const rest = [...items]
      const taken = new Set<unknown>()
      while (taken.size < count && rest.length > 0) taken.add(rest.splice(int(0, rest.length - 1), 1)[0])
      return items.filter((item) => taken.has(item))
    },
  }
}
