/** The seed that every test run plays, after which the database falls back; `npm run test:faults` plays the rest. */
export const quickSeed = 32

/** Every seed of a range such as `1-1000`. */
export function seedsOf(range: string): number[] {
  const found = /^(\d+)-(\d+)$/.exec(range)
  if (!found) throw new Error('--seeds takes a range such as 1-1000')
  const [from, to] = [Number(found[1]), Number(found[2])]
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}
