import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes that are really in use, inside the heap and outside. */
export async function memory(): Promise<number> {
  collectGarbage()
  // Buffers are given back only after the collection that has found them.
  await setImmediate()
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
