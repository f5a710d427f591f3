/** The load generator's process: autocannon, with its responses checked and its latencies kept in microseconds. */
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
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

interface Tally {
  histogram: RecordableHistogram
  statuses: Record<string, number>
  responses: number
  from: number
  until: number
  cpu: NodeJS.CpuUsage
  unexpected: string | undefined
}

const endless = 24 * 3600

process.on('message', (spec: LoadSpec) => {
  run(spec).then(
    (result) => process.send?.(result),
    (error: Error) => process.send?.({ failure: error.message }),
  )
})

async function run(spec: LoadSpec): Promise<LoadResult> {
  const tally: Tally = {
    histogram: createHistogram(),
    statuses: {},
    responses: 0,
    from: 0,
    until: 0,
    cpu: process.cpuUsage(),
    unexpected: undefined,
  }
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
    begin(tally, spec, () => running.stop())
  })
  if (outcome.errors + outcome.timeouts > 0) throw new Error(`${outcome.errors} connection errors`)
  return summarize(tally, spec)
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
    if (!spec.expect.includes(status))
      tally.unexpected ??= `${client.requestIterator.currentRequest.path} answered ${status}`
    const now = performance.now()
    if (tally.from === 0 || now < tally.from || (tally.until > 0 && now > tally.until)) return
    tally.histogram.record(Math.max(1, Math.round(ms * 1000)))
    tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
    tally.responses++
  })
}

/** Counts from the end of the warm-up, or at once where each request is sent once. */
function begin(tally: Tally, { seconds, warmupSeconds = 0 }: LoadSpec, stop: () => void): void {
  const start = () => {
    tally.from = performance.now()
    tally.cpu = process.cpuUsage()
  }
  if (seconds === undefined) {
    start()
    return
  }
  setTimeout(() => {
    start()
    const end = () => {
      // A machine busy with other things may not have answered anything yet.
      if (tally.responses === 0) setTimeout(end, 100)
      else {
        tally.until = performance.now()
        tally.cpu = process.cpuUsage(tally.cpu)
        stop()
      }
    }
    setTimeout(end, seconds * 1000)
  }, warmupSeconds * 1000)
}

function summarize(tally: Tally, spec: LoadSpec): LoadResult {
  if (tally.unexpected) throw new Error(tally.unexpected)
  if (tally.responses === 0) throw new Error('no response at all')
  if (tally.until === 0) {
    tally.until = performance.now()
    tally.cpu = process.cpuUsage(tally.cpu)
    if (tally.responses < spec.requests.length) throw new Error(`only ${tally.responses} responses`)
  }
  const seconds = (tally.until - tally.from) / 1000
  return {
    rate: tally.responses / seconds,
    responses: tally.responses,
    statuses: tally.statuses,
    p50: tally.histogram.percentile(50) / 1000,
    p99: tally.histogram.percentile(99) / 1000,
    generatorLoad: (tally.cpu.user + tally.cpu.system) / 1e6 / seconds,
  }
}
