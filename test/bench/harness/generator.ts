/** The load generator's process: autocannon, with its responses checked and its latencies kept in microseconds. */
import { createHistogram } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import autocannon from 'autocannon'
import type { LoadRequest, LoadResult, LoadSpec } from './load.ts'

/** What of autocannon's client is used; the package has no types. */
interface Client {
  setRequests(requests: LoadRequest[]): void
  /** Of the request whose response has just arrived. */
  setHeaders(headers: Record<string, string>): void
  on(event: 'headers', listen: (head: { headers: string[] }) => void): void
  on(event: 'response', listen: (status: number, bytes: number, ms: number) => void): void
  requestIterator: { currentRequest: LoadRequest }
}

const endless = 24 * 3600

process.on('message', (spec: LoadSpec) => {
  run(spec).then(
    (result) => process.send?.(result),
    (error: Error) => process.send?.({ failure: error.message }),
  )
})

async function run(spec: LoadSpec): Promise<LoadResult> {
  const tally = createTally()
  let clients = 0
  const options = {
    url: spec.url,
    connections: spec.connections,
    timeout: 30,
    // It looks this often, in ms, whether it is done.
    sampleInt: 50,
    ...(spec.seconds === undefined ? { amount: spec.requests.length } : { duration: endless }),
    setupClient: (client: Client) => prepare(client, spec, clients++, tally),
  }
  const outcome = await new Promise<{ errors: number; timeouts: number }>((resolve, reject) => {
    const running = autocannon(options, (error: Error | null, result: never) =>
      error ? reject(error) : resolve(result),
    )
    if (spec.seconds === undefined) tally.begin()
    else
      countFor(tally, spec.seconds, spec.warmupSeconds)
        .catch(reject)
        .finally(() => running.stop())
  })
  if (outcome.errors + outcome.timeouts > 0) throw new Error(`${outcome.errors} connection errors`)
  const result = tally.end()
  if (result.responses < (spec.seconds === undefined ? spec.requests.length : 1))
    throw new Error(`only ${result.responses} responses`)
  return result
}

/** Counts so many seconds after the warm-up; longer where a busy machine has not responded at all. */
async function countFor(tally: Tally, seconds: number, warmupSeconds = 0): Promise<void> {
  await delay(warmupSeconds * 1000)
  tally.begin()
  await delay(seconds * 1000)
  while (tally.isEmpty()) await delay(100)
  tally.end()
}

function prepare(client: Client, spec: LoadSpec, index: number, tally: Tally): void {
  const share = spec.requests.filter((_, position) => position % spec.connections === index)
  client.setRequests(share.map((request) => ({ method: 'GET', ...request })))
  let etag: string | undefined
  if (spec.revalidate)
    client.on('headers', ({ headers }) => {
      const at = headers.findIndex((name, position) => position % 2 === 0 && name.toLowerCase() === 'etag')
      etag = at < 0 ? undefined : headers[at + 1]
    })
  client.on('response', (status, _bytes, ms) => {
    if (spec.revalidate && etag !== undefined && status === 200) client.setHeaders({ 'if-none-match': etag })
    if (spec.expect.includes(status)) tally.count(status, ms)
    else tally.fail(`${client.requestIterator.currentRequest.path} answered ${status}`)
  })
}

type Tally = ReturnType<typeof createTally>

/** Responses, their latencies and the processor time of this process, from its begin to its first end. */
function createTally() {
  const histogram = createHistogram()
  const statuses: Record<string, number> = {}
  let cpu = process.cpuUsage()
  let began = Number.NaN
  let seconds: number | undefined
  let failure: string | undefined
  return {
    begin() {
      began = performance.now()
      cpu = process.cpuUsage()
    },
    isEmpty: () => histogram.count === 0 && failure === undefined,
    count(status: number, ms: number) {
      if (Number.isNaN(began) || seconds !== undefined) return
      histogram.record(Math.max(1, Math.round(ms * 1000)))
      statuses[status] = (statuses[status] ?? 0) + 1
    },
    fail(why: string) {
      failure ??= why
    },
    end(): LoadResult {
      if (failure) throw new Error(failure)
      if (seconds === undefined) {
        seconds = (performance.now() - began) / 1000
        cpu = process.cpuUsage(cpu)
      }
      const responses = histogram.count
      const p50 = histogram.percentile(50) / 1000
      const p99 = histogram.percentile(99) / 1000
      const generatorLoad = (cpu.user + cpu.system) / 1e6 / seconds
      return { rate: responses / seconds, responses, statuses, p50, p99, generatorLoad }
    },
  }
}
