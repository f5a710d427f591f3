import type { Bench } from '../harness/bench.ts'
import type { ServerUnderTest } from '../harness/server.ts'

/** The servers that response bounties beside ours, all from the same tables. */
export function readServers(bench: Bench, url: string): ServerUnderTest[] {
  return [
    ...bench.ours(url),
    bench.peer('fastify', 'Fastify 5 + pg', url),
    bench.peer('hono', 'Hono + Kysely', url),
    bench.peer('express', 'Express 5 + pg', url),
    bench.peer('stock', 'trpc-to-openapi + Kysely', url),
    bench.peer('bare', 'node:http + pg, pipelined', url),
  ]
}
