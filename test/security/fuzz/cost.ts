import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { FuzzAnswer } from './world.ts'

/** What answers and memory have cost so far. */
export interface Cost {
  note(operationId: string, answer: FuzzAnswer): void
  /** Bytes by which memory has grown since the last call of `settle`. */
  grown(): Promise<number>
  /** Says that caches and compiled code are as large as they usually are. */
  settle(): Promise<void>
  /** How often each status was answered, the slowest answer of each operation, and memory, in lines. */
  report(): Promise<string[]>
}

/** Times are reported and never asserted: they say more about the machine than about the service. */
export function createCost(): Cost {
  const statuses = new Map<number, number>()
  const slowest = new Map<string, number>()
  let settled = Number.NaN
  return {
    note(operationId, { status, ms }) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      slowest.set(operationId, Math.max(slowest.get(operationId) ?? 0, ms))
    },
    grown: async () => (await memory()) - settled,
    async settle() {
      settled = await memory()
    },
    async report() {
      const inMs = [...slowest].sort(([, a], [, b]) => b - a).map(([id, ms]) => `${id} ${Math.round(ms)}`)
      return [
        `answers by status: ${[...statuses]
          .sort()
          .map((pair) => pair.join(' × '))
          .join(', ')}`,
        `slowest answers, ms: ${inMs.join(', ')}`,
        `memory: ${megabytes(await memory())} MB now, ${megabytes(settled)} MB when settled`,
      ]
    },
  }
}

const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1)

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes that are really in use, inside the heap and outside. */
async function memory(): Promise<number> {
  collectGarbage()
  // Buffers are given back only after the collection that has found them.
  await setImmediate()
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
