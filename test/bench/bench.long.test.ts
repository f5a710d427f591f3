import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bench, openBench } from './harness/bench.ts'
import { readOptions } from './harness/options.ts'
import { model } from './model/model.ts'
import { type Measured, parts } from './parts/parts.ts'

const patienceMs = 300_000
let bench: Bench

/** The benchmark in small, with the service from source. How fast anything was is of no interest here. */
beforeAll(async () => {
  const quick = { ...readOptions(['all', '--quick']), source: true, seconds: 0.3, warmupSeconds: 0.1 }
  bench = await openBench({ ...quick, bounties: 1000, connections: 4 }, () => undefined)
}, patienceMs)
afterAll(() => bench?.close(), patienceMs)

test(
  'the service and its peers respond to reads with the same JSON',
  async () => {
    const { tables, findings } = await parts.reads(bench)
    expect(tables.map(({ rows }) => rows.length)).toEqual([3, 3])
    expect(findings.map(({ beside }) => beside)).toEqual([
      expect.stringMatching(/^Fastify, (pool|pipelined): /),
      expect.stringMatching(/^Fastify, (pool|pipelined): /),
    ])
  },
  patienceMs,
)

test(
  'polling beside writes gets no response older than the last commit',
  async () => {
    const { data } = await parts.polling({
      ...bench,
      options: { ...bench.options, only: ['ours', 'fastify'] },
    })
    for (const scenario of Object.values(data))
      expect(scenario).toMatchObject({ stale: { ours: 0, fastify: 0 } })
  },
  patienceMs,
)

test(
  'every payout of a run is on the chain',
  async () => {
    const { data } = await parts.payouts(bench)
    // How many statements each took says nothing here: what the process polls by itself weighs more than 20 payouts.
    expect(data.runs).toMatchObject([{ keys: 1, payouts: 20 }])
  },
  patienceMs,
)

test.each<[Measured, number]>([
  ['writes', 1],
  ['events', 2],
  ['webhooks', 1],
  ['growth', 3],
])(
  '%s says how far each of its %i goals is met',
  async (name, goals) => {
    const { findings } = await parts[name](bench)
    expect(findings.filter(({ met }) => met !== undefined)).toHaveLength(goals)
  },
  patienceMs,
)

test('the model names what is full first', () => {
  expect(model([]).findings.map(({ what }) => what)).toContain('what is full first, one unit of each')
})
