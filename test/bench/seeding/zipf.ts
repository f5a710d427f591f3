import type { Random } from '../../support/random.ts'

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
