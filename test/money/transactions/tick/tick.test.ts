import { expect, test } from 'vitest'
import { defaultTiming } from '../../../../server/loops/timing.ts'
import type { LaneContext, LaneState } from '../../../../server/money/transactions/lane/context.ts'
import { runTick } from '../../../../server/money/transactions/tick/tick.ts'

/* How often a lane without transactions under way asks its node. */
const settled = { blockNumber: 1, blockHash: `0x${'1'.repeat(64)}` }

/** A tick of a lane that has read the chain `seconds` ago. */
async function tickAfter(seconds: number, settledBlocks: object[]): Promise<string> {
  const ask = async () => {
    throw new Error('asks its node')
  }
  const client = { getChainId: ask, getBlock: ask, getTransactionCount: ask }
  const memory = { viewReadAt: performance.now() - seconds * 1000 }
  const { idleCheckMs, settledCheckMs } = defaultTiming
  const context = {
    memory,
    idleCheckMs,
    settledCheckMs,
    chain: { client },
    limits: { finality: 'confirmations' },
  }
  const state = { watched: [], queued: [], settled: settledBlocks }
  return runTick(context as unknown as LaneContext, state as unknown as LaneState).catch(
    ({ message }: Error) => message,
  )
}

test.each([
  ['while payouts have only to become final', 4, 'idle', [settled]],
  ['while payouts have only to become final', 6, 'asks its node', [settled]],
  ['while nothing is under way', 6, 'idle', []],
  ['while nothing is under way', 29, 'idle', []],
  ['while nothing is under way', 31, 'asks its node', []],
])('%s, %i seconds after its last reading: %s', async (_, seconds, outcome, blocks) => {
  expect(await tickAfter(seconds, blocks)).toBe(outcome)
})
