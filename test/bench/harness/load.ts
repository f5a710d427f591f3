import { fork } from 'node:child_process'
import { once } from 'node:events'

/** A request to send. */
export interface LoadRequest {
  method?: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

/** A run of the load generator. */
export interface LoadSpec {
  url: string
  connections: number
  /** Dealt out among the connections; each sends its share over and over, in this order. */
  requests: LoadRequest[]
  /** Statuses that are right; any other fails the run. */
  expect: number[]
  /** Seconds that count, after those that do not. Left out, each request is sent once and all of them count. */
  seconds?: number
  warmupSeconds?: number
  /** Sends the ETag of each new response as If-None-Match the next time. */
  revalidate?: boolean
}

/** What the load generator saw. */
export interface LoadResult {
  /** Responses a second. */
  rate: number
  responses: number
  /** Answers by status. */
  statuses: Record<string, number>
  /** Latencies in ms. */
  p50: number
  p99: number
  /** Share of its core that the generator used; near 1 it was the limit itself. */
  generatorLoad: number
}

export type LoadGenerator = ReturnType<typeof startGenerator>

/** Starts the load generator, a process of its own, on the cores of this very process. */
export function startGenerator() {
  const script = new URL('./generator.ts', import.meta.url)
  const child = fork(script, { serialization: 'advanced', execArgv: ['--import', 'tsx'] })
  process.once('exit', () => void child.kill())
  return {
    async run(spec: LoadSpec): Promise<LoadResult> {
      child.send(spec)
      const [response] = (await once(child, 'message')) as [LoadResult | { failure: string }]
      if ('failure' in response) throw new Error(`${spec.url}: ${response.failure}`)
      return response
    },
    stop: () => void child.kill(),
  }
}
