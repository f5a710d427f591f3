import { type Bench, rivalNames } from '../harness/bench.ts'
import { type Comparison, compare, summarize, withServers } from '../harness/compare.ts'
import type { LoadRequest } from '../harness/load.ts'
import { comparisonTable, goal, type PartResult, standingOf } from '../harness/results/report.ts'
import type { RunningServer } from '../harness/server.ts'
import { hotLists } from './paths.ts'
import { createHotBounties, type HotBounties, startWriter } from './writer.ts'

const writeRates = [0, 10, 100]

/**
 * Agents that ask again and again with If-None-Match, while others write. The writes go straight to the database, as
 * those of another process do; after some of them the response is checked to be new.
 */
export async function polling(bench: Bench): Promise<PartResult> {
  const { url, sizes } = await bench.seeded(bench.options.bounties)
  const hot = await createHotBounties(url, sizes)
  const scenarios = [
    { name: 'lists', paths: hotLists(sizes) },
    { name: 'single bounties', paths: hot.paths },
  ]
  const result: PartResult = { tables: [], findings: [], data: {} }
  let late = 0
  try {
    await withServers(bench, bench.rivals(url), async (running) => {
      for (const { name, paths } of scenarios)
        for (const writes of writeRates) {
          const title = `${name}, ${writes} writes a second`
          const { comparisons, stale } = await poll(bench, { title, running, paths, writes, hot })
          const standing = summarize(comparisons, rivalNames)
          result.tables.push(comparisonTable(`Polling: ${title}`, standing))
          result.findings.push(...standingOf(title, standing))
          late += stale.ours ?? 0
          result.data[title] = { comparisons, stale }
        }
    })
  } finally {
    await hot.close()
  }
  result.findings.push(goal('responses older than the last commit', late, '≤', 0))
  return result
}

/** One comparison, with as many writes a second going on. */
async function poll(
  bench: Bench,
  scenario: { title: string; running: RunningServer[]; paths: string[]; writes: number; hot: HotBounties },
): Promise<{ comparisons: Comparison[]; stale: Record<string, number> }> {
  const { seconds, warmupSeconds, connections, rounds } = bench.options
  const stale: Record<string, number> = {}
  let stop = async () => 0
  let measured: RunningServer | undefined
  const finish = async () => {
    const found = await stop()
    if (measured) stale[measured.name] = (stale[measured.name] ?? 0) + found
  }
  const comparisons = await compare(
    bench,
    `polling ${scenario.title}`,
    scenario.running,
    async (server) => {
      await finish()
      measured = server
      stop = startWriter(scenario.hot, server.url, scenario.writes)
      const { url } = server
      const requests = forEachConnection(await withTags(url, scenario.paths), connections)
      return { url, connections, seconds, warmupSeconds, expect: [200, 304], revalidate: true, requests }
    },
    Math.max(1, rounds - 1),
  )
  await finish()
  return { comparisons, stale }
}

/** Requests for the paths by somebody who knows the present responses. */
async function withTags(baseUrl: string, paths: string[]): Promise<LoadRequest[]> {
  return Promise.all(
    paths.map(async (path) => {
      const response = await fetch(baseUrl + path)
      await response.arrayBuffer()
      return { path, headers: { 'if-none-match': response.headers.get('etag') ?? '' } }
    }),
  )
}

/** Deals requests out so that each connection sends all of them, each beginning with another one. */
function forEachConnection(requests: LoadRequest[], connections: number): LoadRequest[] {
  return Array.from({ length: requests.length * connections }, (_, position) => {
    const connection = position % connections
    const step = Math.floor(position / connections)
    return { ...(requests[(step + connection * 7) % requests.length] as LoadRequest) }
  })
}
