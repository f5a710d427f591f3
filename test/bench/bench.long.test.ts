import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bench, openBench } from './harness/bench.ts'
import { readOptions } from './harness/options.ts'
import type { PartResult } from './harness/results/report.ts'
import { type Measured, parts } from './parts/parts.ts'

const patienceMs = 300_000
let bench: Bench

/** The benchmark in small, with the service from source. How fast anything was is of no interest here. */
beforeAll(async () => {
  const quick = { ...readOptions(['all', '--quick']), source: true, seconds: 0.3, warmupSeconds: 0.1 }
  bench = await openBench({ ...quick, bounties: 1000, connections: 4 }, () => undefined)
}, patienceMs)
afterAll(() => bench?.close(), patienceMs)

const goals =
  (count: number) =>
  ({ findings }: PartResult) =>
    expect(findings.filter(({ met }) => met !== undefined)).toHaveLength(count)
const beside = expect.objectContaining({ beside: expect.stringMatching(/^Fastify, (pool|pipelined): /) })

test.each<[what: string, name: Measured, check: (result: PartResult) => void]>([
  [
    'the service and its peers respond to reads with the same JSON',
    'reads',
    ({ findings }) => expect(findings).toEqual([beside, beside]),
  ],
  [
    'polling beside writes gets no response older than the last commit',
    'polling',
    ({ data }) => {
      for (const scenario of Object.values(data))
        expect(scenario).toMatchObject({ stale: { ours: 0, fastify: 0 } })
    },
  ],
  [
    'every payout of a run is on the chain',
    'payouts',
    // How many statements each took says nothing here: what the process polls by itself weighs more than 20 payouts.
    ({ data }) => expect(data.runs).toMatchObject([{ keys: 1, payouts: 20 }]),
  ],
  ['writes have a floor', 'writes', goals(1)],
  ['events have two goals', 'events', goals(2)],
  ['webhooks have a goal', 'webhooks', goals(1)],
  ['growth has three goals', 'growth', goals(3)],
])('%s', async (_what, name, check) => check(await parts[name](bench)), patienceMs)
