import type { Bench, SeededDatabase } from '../harness/bench.ts'
import { compare, type Sample, withServers } from '../harness/compare.ts'
import type { LoadSpec } from '../harness/load.ts'
import { atLeast, type PartResult } from '../harness/results/report.ts'
import { median, percent, show } from '../harness/results/statistics.ts'
import type { RunningServer } from '../harness/server.ts'
import { bountyPaths } from './paths.ts'

const flooding = 8
const pathsEachRound = 60_000
const pathsWhenQuick = 2_000

/**
 * Reads alone, and reads while eight connections do nothing but register. The limits on registrations are off, so
 * every one of them is hashed. Nothing is pinned but the generators, since argon2 runs on threads of its own.
 */
export async function flood(bench: Bench, database: SeededDatabase, result: PartResult): Promise<void> {
  const [ours] = bench.ours(database.url)
  if (!ours) return
  const free = { ...bench, placement: { ...bench.placement, server: bench.placement.everything } }
  await withServers(free, [ours], async ([server]) => {
    if (!server) return
    const sides = [
      { ...server, name: 'alone', label: 'reads alone' },
      { ...server, name: 'flooded', label: 'reads beside registrations' },
    ]
    const registered: number[] = []
    let running: Promise<number> | undefined
    const comparisons = await compare(free, 'flood', sides, async (side, round) => {
      if (running) registered.push(await running)
      running = undefined
      const load = readsOf(bench, side, database, round)
      if (side.name === 'flooded') running = register(bench, server, load)
      return load
    })
    if (running) registered.push(await running)
    const rates = (name: string) =>
      comparisons.find((each) => each.name === name)?.samples.map(({ rate }: Sample) => rate) ?? []
    const alone = rates('alone')
    const kept = median(rates('flooded').map((rate, round) => rate / (alone[round] ?? Number.NaN)))
    result.tables.push({
      title: 'Writes: reads while registrations pour in (server on all cores)',
      columns: ['', 'reads/s', 'registrations/s', 'kept'],
      rows: [
        ['reads alone', show(median(alone)), '0', '100 %'],
        [
          'reads beside registrations',
          show(median(rates('flooded'))),
          show(median(registered)),
          percent(kept),
        ],
      ],
    })
    result.goals.push(atLeast('reads while registrations pour in: × without', 0.7, kept))
    result.data.flood = { comparisons, registered }
  })
}

function readsOf(
  { options }: Bench,
  { url }: RunningServer,
  { sizes }: SeededDatabase,
  round: number,
): LoadSpec {
  const { connections, seconds, warmupSeconds, quick } = options
  const count = quick ? pathsWhenQuick : pathsEachRound
  const requests = bountyPaths(sizes, count, round).map((path) => ({ path }))
  return { url, connections, seconds, warmupSeconds, expect: [200], requests }
}

/** Registers for as long as the reads last; resolves with registrations a second. */
async function register(bench: Bench, { url }: RunningServer, load: LoadSpec): Promise<number> {
  const { statuses, responses, rate } = await bench.secondGenerator.run({
    url,
    connections: flooding,
    seconds: (load.seconds ?? 0) + 0.5,
    warmupSeconds: (load.warmupSeconds ?? 0) / 2,
    expect: [201, 503],
    requests: Array.from({ length: flooding }, (_, index) => ({
      method: 'POST' as const,
      path: '/api/agents/register',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Flood ${index}` }),
    })),
  })
  return rate * ((statuses['201'] ?? 0) / responses)
}
