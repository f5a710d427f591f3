import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { isMigrated } from '../db/migrate/migrate.ts'
import { ServiceError } from '../errors.ts'
import type { Services } from '../startup/services.ts'
import { jsonType, privateCache } from './headers.ts'

const patienceMs = 3000
const trustedMs = 1000

type Checks = Record<'database' | 'migrations', boolean>

/**
 * `GET /healthz`: the process runs. `GET /readyz`: it can serve, else 503 that names what is missing. A chain that does not
 * answer is told and takes no server out of the balancer: all have the same one, and most requests do without.
 */
export function serveHealth(app: FastifyInstance, services: Services): void {
  const headers = { 'cache-control': privateCache, 'content-type': jsonType }
  app.get('/healthz', async (_request, reply) => reply.headers(headers).send('{"status":"ok"}'))
  const check = remembered(() => readiness(services))
  app.get('/readyz', async (_request, reply) => {
    const checks = await check()
    const missing = Object.entries(checks).flatMap(([name, ready]) => (ready ? [] : [name]))
    if (missing.length > 0)
      throw new ServiceError('unavailable', `Not ready: ${missing.join(', ')}.`, { retryAfter: 1 })
    // Nobody waits for a node: what it says now is told from the next second on.
    void services.chain.refresh()
    return reply
      .headers(headers)
      .send(JSON.stringify({ status: 'ready', checks, chain: services.chain.state }))
  })
}

async function readiness({ db }: Services): Promise<Checks> {
  const [database, migrations] = await Promise.all([
    holds(async () => Boolean(await sql`select 1`.execute(db))),
    holds(() => isMigrated(db)),
  ])
  return { database, migrations }
}

async function holds(question: () => Promise<boolean>): Promise<boolean> {
  const answer = question().catch(() => false)
  return Promise.race([answer, delay(patienceMs, false, { ref: false })])
}

/** The answer of the last second: however often health is asked, the parts are asked once. */
function remembered(ask: () => Promise<Checks>): () => Promise<Checks> {
  let last: Promise<Checks> | undefined
  let until = 0
  return () => {
    if (!last || Date.now() >= until) {
      until = Date.now() + trustedMs
      last = ask()
    }
    return last
  }
}
