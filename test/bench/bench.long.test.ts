import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bench, openBench } from './harness/bench.ts'
import { readOptions } from './harness/options.ts'
import { model } from './model/model.ts'
import { events } from './parts/events.ts'
import { growth } from './parts/growth/growth.ts'
import { payouts } from './parts/payouts.ts'
import { polling } from './parts/polling.ts'
import { reads } from './parts/reads.ts'
import { webhooks } from './parts/webhooks.ts'
import { writes } from './parts/writes.ts'

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
    const { tables, findings } = await reads(bench)
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
    const { data } = await polling({ ...bench, options: { ...bench.options, only: ['ours', 'fastify'] } })
    for (const scenario of Object.values(data))
      expect(scenario).toMatchObject({ stale: { ours: 0, fastify: 0 } })
  },
  patienceMs,
)

test(
  'claims, submissions and new bounties are measured beside the statements that they run',
  async () => {
    const { data, findings } = await writes(bench)
    expect(data.statements).toMatchObject({
      claim: expect.arrayContaining([expect.objectContaining({ text: expect.stringMatching(/bounties/) })]),
      submit: expect.arrayContaining([
        expect.objectContaining({ text: expect.stringMatching(/submissions/) }),
      ]),
    })
    expect(findings.map(({ what }) => what)).toContain('create')
  },
  patienceMs,
)

test(
  'every payout of a run is on the chain',
  async () => {
    const { data } = await payouts(bench)
    // How many statements each took says nothing here: what the process polls by itself weighs more than 20 payouts.
    expect(data.runs).toMatchObject([{ keys: 1, payouts: 20 }])
  },
  patienceMs,
)

test.each(Object.entries({ events, webhooks, growth }))(
  '%s says how far its goals are met',
  async (_name, part) => {
    const { findings } = await part(bench)
    expect(findings.length).toBeGreaterThan(0)
    for (const { met } of findings) expect(met).toBeTypeOf('boolean')
  },
  patienceMs,
)

test('the model names what is full first', () => {
  expect(model([]).findings.map(({ what }) => what)).toContain('what is full first, one unit of each')
})
