/**
 * Seeds that every test run plays; `npm run test:faults` plays the rest. The README says which switched-off protections
 * random seeds notice. After the last one the database falls back.
 */
export const quickSeeds = [1, 32]

/** Every seed of a range such as `1-1000`. */
export function seedsOf(range: string): number[] {
  const found = /^(\d+)-(\d+)$/.exec(range)
  if (!found) throw new Error('--seeds takes a range such as 1-1000')
  const [from, to] = [Number(found[1]), Number(found[2])]
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}
