import { setTimeout as delay } from 'node:timers/promises'
import type { Node } from './node.ts'

/** Makes blocks, as a chain does. */
export interface Miner {
  /** No block for a while. */
  stall(ms: number): void
  /** From now on a block this often, and automatically for each transaction where that is how the chain began. */
  speed(blockMs: number): void
  stop(): Promise<void>
}

export async function createMiner(
  node: Node,
  { automine, blockMs: initialMs }: { automine: boolean; blockMs: number },
): Promise<Miner> {
  let stalledUntil = 0
  let blockMs = initialMs
  let isStopped = false
  await node.setAutomine(automine)
  const worker = run()

  async function run(): Promise<void> {
    let mined = performance.now()
    while (!isStopped) {
      await delay(Math.min(blockMs, 25))
      const isTime = performance.now() - mined >= blockMs
      if (!isTime || performance.now() < stalledUntil) continue
      mined = performance.now()
      await node.mine({ blocks: 1 }).catch(() => undefined)
    }
  }

  return {
    stall(ms) {
      stalledUntil = performance.now() + ms
      if (!automine) return
      void node.setAutomine(false).catch(() => undefined)
      void delay(ms).then(() => node.setAutomine(true).catch(() => undefined))
    },
    speed(ms) {
      blockMs = ms
    },
    async stop() {
      isStopped = true
      await worker
    },
  }
}
