import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bench, openBench } from './harness/bench.ts'
import { readOptions } from './harness/options.ts'
import { polling } from './parts/polling.ts'
import { reads } from './parts/reads.ts'
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
  'the service and its peers response reads with the same JSON',
  async () => {
    const { tables } = await reads(bench)
    expect(tables.map(({ rows }) => rows.length)).toEqual([6, 6])
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
  'claims and submissions are measured beside the statements that they run',
  async () => {
    const { data } = await writes(bench)
    expect(data.statements).toMatchObject({
      claim: expect.arrayContaining([expect.objectContaining({ text: expect.stringMatching(/bounties/) })]),
      submit: expect.arrayContaining([
        expect.objectContaining({ text: expect.stringMatching(/submissions/) }),
      ]),
    })
  },
  patienceMs,
)
