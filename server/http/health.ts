import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { within } from '../config/time-limit.ts'
import { isMigrated } from '../db/migrate/migrate.ts'
import { ServiceError } from '../errors.ts'
import type { Services } from '../services.ts'
import { jsonType, privateCache } from './headers.ts'

const longestWaitMs = 3000
const cachedMs = 1000

type Checks = Record<'database' | 'migrations', boolean>

/**
 * `GET /healthz`: the process runs. `GET /readyz`: it can serve, else 503 with the name of what is missing. An unreachable
 * chain is reported but does not make the server unready: all servers share the chain, and most requests do not need it.
 */
export function serveHealth(app: FastifyInstance, services: Services): void {
  const headers = { 'cache-control': privateCache, 'content-type': jsonType }
  app.get('/healthz', async (_request, reply) => reply.headers(headers).send('{"status":"ok"}'))
  const check = cachedBriefly(() => readiness(services))
  app.get('/readyz', async (_request, reply) => {
    const checks = await check()
    const missing = Object.entries(checks).flatMap(([name, ready]) => (ready ? [] : [name]))
    if (missing.length > 0)
      throw new ServiceError('unavailable', `Not ready: ${missing.join(', ')}.`, { retryAfter: 1 })
    // Nobody waits for the node: its reply is reported from the next check on.
    void services.chain.refresh()
    return reply
      .headers(headers)
      .send(JSON.stringify({ status: 'ready', checks, chain: services.chain.state }))
  })
}

async function readiness({ db }: Services): Promise<Checks> {
  const [database, migrations] = await Promise.all([
    succeeds(async () => Boolean(await sql`select 1`.execute(db))),
    succeeds(() => isMigrated(db)),
  ])
  return { database, migrations }
}

function succeeds(check: () => Promise<boolean>): Promise<boolean> {
  return within(longestWaitMs, check(), () => false).catch(() => false)
}

/** Caches the result for a second, so that frequent probes do not add load. */
function cachedBriefly(check: () => Promise<Checks>): () => Promise<Checks> {
  let last: Promise<Checks> | undefined
  let until = 0
  return () => {
    if (!last || Date.now() >= until) {
      until = Date.now() + cachedMs
      last = check()
    }
    return last
  }
}
