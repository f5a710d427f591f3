import { setTimeout as delay } from 'node:timers/promises'
import type { Bench } from '../harness/bench.ts'
import { residentMiB } from '../harness/proc.ts'
import { atMost, type PartResult } from '../harness/results/report.ts'
import { median, show } from '../harness/results/statistics.ts'
import { type RunningServer, type ServerUnderTest, startServer } from '../harness/server.ts'
import { bountyPaths, hotLists, listPaths } from './paths.ts'

const starts = 5
const idleSeconds = 10
/** Heap of the server whose memory is watched: what it remembers on purpose takes half of it. */
const heapMiB = 128
/** The first tenth of the requests is what it takes to get warm. */
const portions = 10
const tolerated = 1.1

/** How fast the configured server is ready, what it takes while idle, and whether requests leave something behind. */
export async function start(bench: Bench): Promise<PartResult> {
  const { url, sizes } = await bench.seeded(bench.options.bounties)
  const { quick, leakRequests } = bench.options
  const [ours] = bench.ours(url)
  if (!ours) throw new Error('no server')
  const ready: number[] = []
  for (let turn = 0; turn < (quick ? 1 : starts); turn++) {
    const server = await startServer(ours, bench.placement.everything)
    ready.push(server.readyMs)
    bench.log(`start: ready after ${show(server.readyMs)} ms`)
    await server.stop()
  }
  const idle = await residentIdle(bench, ours)
  // With more room Node keeps what nobody needs for as long as it likes, which hides a leak and looks like one.
  const NODE_OPTIONS = `--max-old-space-size=${heapMiB}`
  const server = await startServer(
    { ...ours, environment: { ...ours.environment, NODE_OPTIONS } },
    bench.placement.server,
  )
  try {
    const resident = await residentOverRequests(bench, server, sizes)
    const warm = resident[0] ?? Number.NaN
    const last = resident.at(-1) ?? Number.NaN
    return {
      tables: [
        {
          title: 'Start and footprint',
          columns: ['', 'median'],
          rows: [
            ['node to the first response, ms', show(median(ready))],
            ['resident, idle, MiB', show(idle)],
            ...resident.map((mib, index) => [
              `resident after ${(((index + 1) * leakRequests) / portions).toLocaleString('en')} requests, ${heapMiB} MiB of heap, MiB`,
              show(mib),
            ]),
          ],
        },
      ],
      goals: [
        atMost('ready after `node`', 1000, median(ready), 'ms'),
        atMost('resident, idle', 150, idle, 'MiB'),
        atMost('resident after all requests: × after the first tenth', tolerated, last / warm),
      ],
      data: { ready, idle, resident, requests: leakRequests },
    }
  } finally {
    await server.stop()
  }
}

async function residentIdle(bench: Bench, ours: ServerUnderTest): Promise<number> {
  const server = await startServer(ours, bench.placement.server)
  try {
    await delay(bench.options.quick ? 500 : idleSeconds * 1000)
    const idle = residentMiB(server.pid)
    bench.log(`start: ${show(idle)} MiB resident after ${idleSeconds} idle seconds`)
    return idle
  } finally {
    await server.stop()
  }
}

/** Resident memory after each tenth of the requests: single bounties, lists, and polling of hot lists. */
async function residentOverRequests(
  bench: Bench,
  server: RunningServer,
  sizes: Parameters<typeof hotLists>[0],
): Promise<number[]> {
  const { leakRequests, connections } = bench.options
  const each = Math.ceil(leakRequests / portions)
  const resident: number[] = []
  for (let portion = 0; portion < portions; portion++) {
    const hot = hotLists(sizes)
    const paths = [
      ...bountyPaths(sizes, Math.ceil(each / 4), portion),
      ...listPaths(sizes, Math.ceil(each / 8), portion),
    ]
    const requests = Array.from({ length: each }, (_, index) => ({
      path: paths[index] ?? (hot[index % hot.length] as string),
      // What nobody knows yet: the response is made and then found to be new.
      headers: { 'if-none-match': '"unknown"' },
    }))
    await bench.generator.run({ url: server.url, connections, expect: [200], requests })
    resident.push(residentMiB(server.pid))
    bench.log(`start: ${show(resident.at(-1) ?? 0)} MiB after ${(portion + 1) * each} requests`)
  }
  return resident
}
