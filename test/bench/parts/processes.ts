import type { Bench } from '../harness/bench.ts'
import { withServers } from '../harness/compare.ts'
import type { LoadSpec } from '../harness/load.ts'
import { cpuOfBackends, cpuOfBackendsSince, cpuSeconds } from '../harness/proc.ts'
import type { PartResult } from '../harness/results/report.ts'
import { median, percent, show } from '../harness/results/statistics.ts'
import type { RunningServer } from '../harness/server.ts'
import { bountyPaths } from './paths.ts'

const pathsEachRound = 60_000

/** One measurement of one or two processes. */
interface Run {
  rate: number
  /** Processor time a response, in µs. */
  nodeMicros: number
  postgresMicros: number
}

/**
 * One process and two on one database. Generator, Postgres and processes share the cores of the machine, so where there
 * are few of them the shares of processor time tell more than the rates.
 */
export async function processes(bench: Bench): Promise<PartResult> {
  const { url, sizes } = await bench.seeded(bench.options.bounties)
  const [ours] = bench.ours(url)
  if (!ours) throw new Error('no server')
  const free = { ...bench, placement: { ...bench.placement, server: bench.placement.everything } }
  const pair = [ours, { ...ours, label: `${ours.label}, second process` }]
  return withServers(free, pair, async (servers) => {
    const one: Run[] = []
    const two: Run[] = []
    await bench.postgres.unpinned(async () => {
      for (let round = 0; round < bench.options.rounds; round++) {
        const load = bountyPaths(sizes, pathsEachRound, round).map((path) => ({ path }))
        one.push(await run(bench, servers.slice(0, 1), load))
        two.push(await run(bench, servers, load))
        bench.log(
          `processes, round ${round + 1}: ${show(one[round]?.rate ?? 0)}/s, ${show(two[round]?.rate ?? 0)}/s`,
        )
      }
    })
    return report(one, two, bench)
  })
}

async function run(bench: Bench, servers: RunningServer[], requests: LoadSpec['requests']): Promise<Run> {
  const { seconds, warmupSeconds, connections } = bench.options
  const before = {
    node: servers.map(({ pid }) => cpuSeconds(pid)),
    postgres: cpuOfBackends(bench.postgres.pid),
  }
  const generators = [bench.generator, bench.secondGenerator]
  const results = await Promise.all(
    servers.map(({ url }, index) => {
      const load = {
        url,
        connections: connections / servers.length,
        seconds,
        warmupSeconds,
        expect: [200],
        requests,
      }
      return (generators[index] ?? bench.generator).run(load)
    }),
  )
  const rate = results.reduce((sum, result) => sum + result.rate, 0)
  const responses = rate * (seconds + warmupSeconds)
  const node = servers.reduce((sum, { pid }, index) => sum + cpuSeconds(pid) - (before.node[index] ?? 0), 0)
  return {
    rate,
    nodeMicros: (node / responses) * 1e6,
    postgresMicros: (cpuOfBackendsSince(bench.postgres.pid, before.postgres) / responses) * 1e6,
  }
}

function report(one: Run[], two: Run[], { placement }: Bench): PartResult {
  const row = (label: string, runs: Run[]) => {
    const of = (pick: (run: Run) => number) => median(runs.map(pick))
    const [node, postgres] = [of(({ nodeMicros }) => nodeMicros), of(({ postgresMicros }) => postgresMicros)]
    return [
      label,
      show(of(({ rate }) => rate)),
      show(node),
      show(postgres),
      percent(node / (node + postgres)),
      percent(postgres / (node + postgres)),
    ]
  }
  const factor = median(two.map(({ rate }, round) => rate / (one[round]?.rate ?? Number.NaN)))
  const node = median(two.map(({ nodeMicros }) => nodeMicros))
  const alone = median(one.map(({ nodeMicros }) => nodeMicros))
  return {
    tables: [
      {
        title: `Two processes on one database (${placement.description.split(':')[0]}, nothing pinned but the generators)`,
        columns: ['', 'responses/s', 'node µs', 'postgres µs', "Node's share", "Postgres' share"],
        rows: [row('one process', one), row('two processes', two)],
      },
      {
        title: 'What that means',
        columns: ['', ''],
        rows: [
          ['two processes to one, on these cores', `${show(factor)} ×`],
          ['processor time of Node a response, two processes to one', `${show(node / alone)} ×`],
          // The processes share nothing but the database.
          ['two to one where every process has a core of its own', `${show((2 * alone) / node)} ×`],
        ],
      },
    ],
    goals: [
      {
        what: 'two processes: × one, from processor time',
        wanted: '≥ 1.7 ×',
        measured: `${show((2 * alone) / node)} × (${show(factor)} × on these cores)`,
        met: (2 * alone) / node >= 1.7,
      },
    ],
    data: { one, two },
  }
}
