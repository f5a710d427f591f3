import { setTimeout as delay } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Bench } from '../harness/bench.ts'
import { show } from '../harness/results/statistics.ts'
import { createRandom } from '../seeding/random.ts'
import type { Market } from './market.ts'
import { type Amounts, amountNames, costOf, type Usage } from './meter.ts'
import type { RowSizes } from './row-sizes.ts'

/** What one step costs. */
export interface StepCost extends Amounts {
  /** How often it was measured. */
  count: number
  /** Median response time in ms when nothing else is done; 0 where nothing responds. */
  latencyMs: number
  /** Rows that it inserts, by table. */
  inserts: Record<string, number>
}

/** What the lane of an operator key costs besides its transactions. */
export interface LaneCosts {
  /** A second in which it has transactions whose blocks are not final. */
  watching: Amounts
  /** A second in which it has transactions without an outcome, beside {@link LaneCosts.watching}. */
  underWay: Amounts
  /** Asking for one block with its transactions, to see that it is still there. */
  check: Amounts
}

/** What the part `steps` leaves in its result file. */
export interface StepsData {
  steps: Record<string, StepCost>
  /** What a process uses in a second in which nothing is asked of it. */
  idle: Amounts
  lane: LaneCosts
  bytesPerRow: RowSizes
}

/** Measures one step after the other on one service. */
export interface Session {
  market: Market
  data: StepsData
  /** Runs `work`, which takes a step `count` times, and keeps what one cost beside the idle process. */
  batch(name: string, count: number, work: () => Promise<unknown>): Promise<Usage>
  /** Runs `work` for each item: most of them some at once, then the others alone, whose response times are kept. */
  step<Item>(name: string, items: Item[], work: (item: Item) => Promise<unknown>): Promise<Usage>
  /** Runs `work` for each item, each at a random moment of so many seconds, and keeps all response times. */
  stepAtRandom<Item>(
    name: string,
    items: Item[],
    work: (item: Item) => Promise<unknown>,
    seconds: number,
  ): Promise<Usage>
}

/** How many of a step are taken at once, and how many at most alone. */
const atOnce = 8
const mostAlone = 40

/** Nothing of everything. */
export const nothing = Object.fromEntries(amountNames.map((name) => [name, 0])) as unknown as Amounts

/** A lane that costs nothing. */
export const noLane: LaneCosts = { watching: nothing, underWay: nothing, check: nothing }

/** Opens a session on a running market. */
export function openSession(bench: Bench, market: Market): Session {
  const data: StepsData = { steps: {}, idle: nothing, lane: noLane, bytesPerRow: {} }
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
  /** Runs `take` with a function that takes a step and keeps its response time if `isKept`. */
  async function timed<Item>(
    name: string,
    items: Item[],
    work: (item: Item) => Promise<unknown>,
    take: (once: (item: Item, isKept: boolean) => Promise<void>) => Promise<unknown>,
  ): Promise<Usage> {
    const latencies: number[] = []
    const usage = await batch(name, items.length, () =>
      take(async (item, isKept) => {
        const started = performance.now()
        await work(item)
        if (isKept) latencies.push(performance.now() - started)
      }),
    )
    const { [name]: cost } = data.steps
    if (cost) cost.latencyMs = median(latencies)
    return usage
  }
  return {
    market,
    data,
    batch,
    step(name, items, work) {
      const alone = items.slice(-Math.min(mostAlone, Math.ceil(items.length / 4)))
      const together = items.slice(0, -alone.length)
      return timed(name, items, work, async (once) => {
        await pLimit(atOnce).map(together, (item) => once(item, false))
        for (const item of alone) await once(item, true)
      })
    },
    stepAtRandom(name, items, work, seconds) {
      const random = createRandom(47)
      return timed(name, items, work, (once) =>
        Promise.all(
          items.map(async (item) => {
            await delay(random.next() * seconds * 1000)
            await once(item, true)
          }),
        ),
      )
    },
  }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
