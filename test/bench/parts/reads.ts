import { type Bench, rivalNames } from '../harness/bench.ts'
import { compare, summarize, withServers } from '../harness/compare.ts'
import { barsOf, comparisonTable, type PartResult, race } from '../harness/results/report.ts'
import { bountyPaths, listPaths } from './paths.ts'
import { expectSameResponses } from './same-responses.ts'

/** More different addresses than a round has responses, so that a cache does not help. */
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
  return withServers(bench, bench.rivals(url), async (servers) => {
    const result: PartResult = { tables: [], findings: [], data: {}, bars: [] }
    for (const { name, pathsOf } of scenarios) {
      await expectSameResponses(servers, pathsOf(sizes, compared, 999))
      const comparisons = await compare(bench, name, servers, ({ url }, round) => ({
        url,
        connections,
        seconds,
        warmupSeconds,
        expect: [200],
        requests: pathsOf(sizes, quick ? pathsWhenQuick : pathsEachRound, round).map((path) => ({ path })),
      }))
      const standing = summarize(comparisons, rivalNames)
      result.tables.push(comparisonTable(`Reads: ${name}`, standing))
      result.findings.push(...race(name, standing, { least: 1, inP99: true }))
      result.bars?.push(barsOf(name, standing))
      result.data[name] = comparisons
    }
    return result
  })
}
