import type { Bench } from './bench.ts'
import type { LoadResult, LoadSpec } from './load.ts'
import { cpuOfPostgres, cpuSeconds } from './proc.ts'
import { median, medianRatio, show, spread } from './results/statistics.ts'
import { type RunningServer, type ServerUnderTest, startServer } from './server.ts'

/** One measurement of one server. */
interface Sample extends LoadResult {
  /** Processor time of the server's process for each response, in µs. */
  serverMicros: number
  /** Processor time of Postgres for each response, in µs. */
  postgresMicros: number
}

/** All measurements of one server in one scenario. */
export interface Comparison {
  name: string
  label: string
  samples: Sample[]
}

/** Starts servers, hands them to `work` and ends them. */
export async function withServers<T>(
  bench: Bench,
  servers: ServerUnderTest[],
  work: (running: RunningServer[]) => Promise<T>,
): Promise<T> {
  const { only } = bench.options
  const wanted = servers.filter(({ name }) => only.length === 0 || only.includes(name))
  const running: RunningServer[] = []
  try {
    for (const server of wanted) running.push(await startServer(server, bench.placement.server))
    return await work(running)
  } finally {
    await Promise.all(running.map((server) => server.stop()))
  }
}

/**
 * Measures the servers in turns, round by round, so that what slows the machine down for a while hits all of them. The
 * order changes from round to round.
 *
 * @param loadOf what to send to a server in a round; the same for all of them
 */
export async function compare(
  bench: Bench,
  scenario: string,
  servers: RunningServer[],
  loadOf: (server: RunningServer, round: number) => Promise<LoadSpec> | LoadSpec,
  rounds = bench.options.rounds,
): Promise<Comparison[]> {
  const comparisons = servers.map(({ name, label }) => ({ name, label, samples: [] as Sample[] }))
  for (let round = 0; round < rounds; round++)
    for (const position of servers.keys()) {
      const index = (position + round) % servers.length
      const server = servers[index] as RunningServer
      const sample = await measure(bench, server, await loadOf(server, round))
      comparisons[index]?.samples.push(sample)
      const result = `${show(sample.rate)}/s, p99 ${show(sample.p99)} ms`
      bench.log(`${scenario}, round ${round + 1}/${rounds}, ${server.label}: ${result}`)
    }
  return comparisons
}

/** One measurement, with the processor time that it took. */
async function measure(bench: Bench, server: RunningServer, load: LoadSpec): Promise<Sample> {
  const used = () => [cpuSeconds(server.pid), cpuOfPostgres(bench.postgres.pid)] as const
  const before = used()
  const result = await bench.generator.run(load)
  const after = used()
  // Processor time is read around the whole run, the responses are counted without the warm-up.
  const all = load.seconds === undefined ? 1 : (load.seconds + (load.warmupSeconds ?? 0)) / load.seconds
  const micros = 1e6 / (result.responses * all)
  return {
    ...result,
    serverMicros: (after[0] - before[0]) * micros,
    postgresMicros: (after[1] - before[1]) * micros,
  }
}

/** Medians of a server's rounds. */
export interface Summary extends Pick<Sample, 'rate' | 'p50' | 'p99' | 'serverMicros' | 'postgresMicros'> {
  name: string
  label: string
  /** (greatest - least) / median of the rates. */
  spread: number
  /** Median of the ratios to the rate of the faster server beside ours in the same round. */
  ratio: number
  generatorLoad: number
  /** Share of responses that are 304. */
  unchanged: number
}

/** A comparison in short. */
export interface Standing {
  summaries: Summary[]
  /** The faster of the servers that ours is compared with; none where it is measured alone. */
  reference: Summary | undefined
}

/** Medians, and ratios to the fastest of the servers named in `others`. */
export function summarize(comparisons: Comparison[], others: string[] = []): Standing {
  const rates = ({ samples }: Comparison) => samples.map(({ rate }) => rate)
  const fastest = comparisons
    .filter(({ name }) => others.includes(name))
    .toSorted((a, b) => median(rates(b)) - median(rates(a)))[0]
  const summaries = comparisons.map((comparison) => {
    const { name, label, samples } = comparison
    const middle = (pick: (sample: Sample) => number) => median(samples.map(pick))
    return {
      name,
      label,
      rate: median(rates(comparison)),
      spread: spread(rates(comparison)),
      ratio: fastest ? medianRatio(rates(comparison), rates(fastest)) : Number.NaN,
      p50: middle(({ p50 }) => p50),
      p99: middle(({ p99 }) => p99),
      serverMicros: middle(({ serverMicros }) => serverMicros),
      postgresMicros: middle(({ postgresMicros }) => postgresMicros),
      generatorLoad: middle(({ generatorLoad }) => generatorLoad),
      unchanged: middle(({ statuses, responses }) => (statuses['304'] ?? 0) / responses),
    }
  })
  return { summaries, reference: summaries.find(({ name }) => name === fastest?.name) }
}
