import type { Bench } from '../harness/bench.ts'
import { compare, type Summary, summarize, withServers } from '../harness/compare.ts'
import { atLeast, atMost, comparisonTable, type Goal, type PartResult } from '../harness/report.ts'
import { bountyPaths, listPaths } from './paths.ts'
import { readServers } from './peers.ts'
import { expectSameAnswers } from './same-answers.ts'

/** More different addresses than a round has answers, so that remembered answers are of no use. */
const pathsEachRound = 60_000
const pathsWhenQuick = 2_000
const compared = 30

const scenarios = [
  { name: 'a bounty with its submissions', pathsOf: bountyPaths },
  { name: 'a list of 20 bounties', pathsOf: listPaths },
]

/** Reads of rows that nobody has asked for lately. */
export async function reads(bench: Bench): Promise<PartResult> {
  const { url, sizes } = await bench.seeded(bench.options.bounties)
  const { seconds, warmupSeconds, connections, quick } = bench.options
  return withServers(bench, readServers(bench, url), async (servers) => {
    const result: PartResult = { tables: [], goals: [], data: {}, bars: [] }
    for (const { name, pathsOf } of scenarios) {
      await expectSameAnswers(servers, pathsOf(sizes, compared, 999))
      const comparisons = await compare(bench, name, servers, ({ url }, round) => ({
        url,
        connections,
        seconds,
        warmupSeconds,
        expect: [200],
        requests: pathsOf(sizes, quick ? pathsWhenQuick : pathsEachRound, round).map((path) => ({ path })),
      }))
      const summaries = summarize(comparisons, 'fastify')
      result.tables.push(comparisonTable(`Reads: ${name}`, summaries, 'Fastify'))
      result.goals.push(...goals(name, summaries))
      result.data[name] = comparisons
      result.bars?.push({
        title: name,
        bars: summaries.map(({ label, ratio }) => ({ label, value: ratio })),
      })
    }
    return result
  })
}

function goals(scenario: string, summaries: Summary[]): Goal[] {
  const of = (name: string) => summaries.find((summary) => summary.name === name)
  const [ours, fastify] = [of('ours'), of('fastify')]
  if (!ours || !fastify) return []
  const over = (name: string, wanted: number) => {
    const peer = of(name)
    return peer ? [atLeast(`${scenario}: × ${peer.label}`, wanted, ours.ratio / peer.ratio)] : []
  }
  return [
    ...over('fastify', 1.2),
    ...over('hono', 2),
    ...over('stock', 3),
    atMost(`${scenario}: p99, no worse than Fastify's`, fastify.p99, ours.p99, 'ms'),
  ]
}
