import pLimit from 'p-limit'
import type { Bench } from '../harness/bench.ts'
import { show } from '../harness/results/statistics.ts'
import type { Market } from './market.ts'
import { type Amounts, amountNames, costOf, type Usage } from './meter.ts'
import type { RowSizes } from './row-sizes.ts'

/** What one step costs. */
export interface StepCost extends Amounts {
  /** How often it was measured. */
  count: number
  /** Median response time in ms; 0 where nothing responds. */
  latencyMs: number
  /** Rows that it inserts, by table. */
  inserts: Record<string, number>
}

/** What the part `steps` leaves in its result file. */
export interface StepsData {
  steps: Record<string, StepCost>
  /** What a process uses in a second in which nothing is asked of it. */
  idle: Amounts
  /** What it uses besides while a lane has transactions under way. */
  busyLane: Amounts
  bytesPerRow: RowSizes
}

/** Measures one step after the other on one service. */
export interface Session {
  market: Market
  data: StepsData
  /** Runs `work`, which takes a step `count` times, and keeps what one cost beside the idle process. */
  batch(name: string, count: number, work: () => Promise<unknown>): Promise<Usage>
  /** Runs `work` for each item, some at once. */
  step<Item>(
    name: string,
    items: Item[],
    work: (item: Item) => Promise<unknown>,
    atOnce?: number,
  ): Promise<Usage>
}

/** Nothing of everything. */
export const nothing = Object.fromEntries(amountNames.map((name) => [name, 0])) as unknown as Amounts

/** Opens a session on a running market. */
export function openSession(bench: Bench, market: Market): Session {
  const data: StepsData = { steps: {}, idle: nothing, busyLane: nothing, bytesPerRow: {} }
  async function batch(name: string, count: number, work: () => Promise<unknown>): Promise<Usage> {
    const before = await market.meter.rowsByTable()
    const usage = await market.meter.usage(work)
    const after = await market.meter.rowsByTable()
    const inserted = Object.entries(after)
      .map(([table, rows]) => [table, (rows - (before[table] ?? 0)) / count] as const)
      .filter(([, rows]) => rows > 0.005)
    const cost = costOf(usage, count, data.idle)
    data.steps[name] = { count, latencyMs: 0, inserts: Object.fromEntries(inserted), ...cost }
    bench.log(`${name}: ${show(cost.nodeMicros)} µs of Node, ${show(cost.postgresMicros)} µs of Postgres`)
    return usage
  }
  return {
    market,
    data,
    batch,
    async step(name, items, work, atOnce = 8) {
      const latencies: number[] = []
      const usage = await batch(name, items.length, () =>
        pLimit(atOnce).map(items, async (item) => {
          const started = performance.now()
          await work(item)
          latencies.push(performance.now() - started)
        }),
      )
      const { [name]: cost } = data.steps
      if (cost) cost.latencyMs = latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length / 2)] ?? 0
      return usage
    },
  }
}
