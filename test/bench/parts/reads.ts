import { isDeepStrictEqual } from 'node:util'
import { type Bench, rivalNames } from '../harness/bench.ts'
import { compare, summarize, withServers } from '../harness/compare.ts'
import { comparisonTable, type PartResult, standingOf } from '../harness/results/report.ts'
import type { RunningServer } from '../harness/server.ts'
import { bountyPaths, listPaths } from './paths.ts'

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
    const result: PartResult = { tables: [], findings: [], data: {} }
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
      result.findings.push(...standingOf(name, standing))
      result.data[name] = comparisons
    }
    return result
  })
}

/** Throws unless every server responds to every path with the same JSON as the first one. */
async function expectSameResponses(servers: RunningServer[], paths: string[]): Promise<void> {
  for (const path of paths) {
    const [expected, ...others] = await Promise.all(servers.map((server) => read(server, path)))
    for (const [index, response] of others.entries())
      if (!isDeepStrictEqual(response, expected))
        throw new Error(
          `${path}: ${servers[index + 1]?.label} responds ${JSON.stringify(response)},\n` +
            `${servers[0]?.label} ${JSON.stringify(expected)}`,
        )
  }
}

async function read({ url, label }: RunningServer, path: string): Promise<unknown> {
  const response = await fetch(url + path)
  if (response.status !== 200) throw new Error(`${label} responds to ${path} with ${response.status}`)
  return response.json()
}
