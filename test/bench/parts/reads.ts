import type { Bench } from '../harness/bench.ts'
import { compare, type Summary, summarize, withServers } from '../harness/compare.ts'
import { atLeast, atMost, comparisonTable, type Goal, type PartResult } from '../harness/results/report.ts'
import { bountyPaths, listPaths } from './paths.ts'
import { readServers } from './peers.ts'
import { expectSameResponses } from './same-responses.ts'

/** More different addresses than a round has responses, so that a cache does not help. */
const pathsEachRound = 60_000
const pathsWhenQuick = 2_000
const compared = 30

const scenarios: Scenario[] = [
  {
    name: 'a bounty with its submissions',
    pathsOf: bountyPaths,
    wanted: { fastify: 1.2, hono: 2, stock: 3 },
  },
  {
    name: 'a list of 20 bounties',
    pathsOf: listPaths,
    wanted: { fastify: 1.2, hono: 2, stock: 2, bare: 1.2 },
  },
]

/** Addresses to read, and the least ratio to each peer that is wanted, by its name. */
interface Scenario {
  name: string
  pathsOf: typeof bountyPaths
  wanted: Record<string, number>
}

/** Reads of rows that nobody has asked for lately. */
export async function reads(bench: Bench): Promise<PartResult> {
  const { url, sizes } = await bench.seeded(bench.options.bounties)
  const { seconds, warmupSeconds, connections, quick } = bench.options
  return withServers(bench, readServers(bench, url), async (servers) => {
    const result: PartResult = { tables: [], goals: [], data: {}, bars: [] }
    for (const { name, pathsOf, wanted } of scenarios) {
      await expectSameResponses(servers, pathsOf(sizes, compared, 999))
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
      result.goals.push(...goals(name, summaries, wanted))
      result.data[name] = comparisons
      result.bars?.push({
        title: name,
        bars: summaries.map(({ label, ratio }) => ({ label, value: ratio })),
      })
    }
    return result
  })
}

function goals(scenario: string, summaries: Summary[], wanted: Scenario['wanted']): Goal[] {
  const of = (name: string) => summaries.find((summary) => summary.name === name)
  const [ours, fastify] = [of('ours'), of('fastify')]
  if (!ours || !fastify) return []
  const ratios = Object.entries(wanted).flatMap(([name, least]) => {
    const peer = of(name)
    return peer ? [atLeast(`${scenario}: × ${peer.label}`, least, ours.ratio / peer.ratio)] : []
  })
  return [...ratios, atMost(`${scenario}: p99, no worse than Fastify's`, fastify.p99, ours.p99, 'ms')]
}
