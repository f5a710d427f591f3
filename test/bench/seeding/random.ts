/** Random numbers that are the same in every run. */
export interface Random {
  /** At least 0, below 1. */
  next(): number
  /** At least 0, below `limit`. */
  below(limit: number): number
  pick<Item>(items: readonly Item[]): Item
}

/** The generator mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { next, below, pick: (items) => items[below(items.length)] as (typeof items)[number] }
}

/** Ranks 0 to `size` - 1, the first the most frequent: rank r with a probability proportional to 1 / (r + 1) ^ exponent. */
export function zipf(size: number, exponent: number): (random: Random) => number {
  const cumulative = new Float64Array(size)
  let sum = 0
  for (let rank = 0; rank < size; rank++) {
    sum += 1 / (rank + 1) ** exponent
    cumulative[rank] = sum
  }
  return (random) => {
    const wanted = random.next() * sum
    let low = 0
    let high = size - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((cumulative[middle] as number) < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}
