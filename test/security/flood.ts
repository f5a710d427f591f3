import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { onTestFinished } from 'vitest'
import { createDatabase, createPool } from '../../server/db/client.ts'
import { choosePort } from '../../server/embedded/ports.ts'
import { built, run } from '../ops/support/service.ts'
import { createAgents } from '../support/agents.ts'
import { createTestDatabase } from '../support/database.ts'

/** A write of the flood, and what came of it. */
export interface Write {
  /** Name of the project, by which the database tells whether it was done. */
  name: string
  apiKey: string
  idempotencyKey: string
  status: number
  body: string
  retryAfter: string | undefined
}

/** A process of the service on a database of its own, agents that call it, and connections that stay open; gone after the test. */
export async function createFlood(settings: Record<string, string>) {
  const database = await createTestDatabase()
  const [port, metricsPort] = await Promise.all([choosePort(), choosePort()])
  const service = run(await built('main'), {
    EMBEDDED: 'off',
    DATABASE_URL: database.url,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    RATE_LIMITS: 'off',
    ...settings,
  })
  const db = createDatabase(createPool(database.url, { size: 4 }))
  const baseUrl = `http://127.0.0.1:${port}`
  const agents = new Agent({ keepAlive: true })
  onTestFinished(async () => {
    agents.destroy()
    await db.destroy()
    service.signal('SIGKILL')
    await service.exited
    await database.drop()
  })
  return {
    service,
    baseUrl,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    /** Keys that can be used as soon as the service has made its schema. */
    keys: async (count: number) => (await createAgents(db, count)).map(({ key }) => key),
    newWrite: (apiKey: string) => ({ name: randomUUID(), apiKey, idempotencyKey: randomUUID() }),
    write: (write: Pick<Write, 'name' | 'apiKey' | 'idempotencyKey'>) => send(agents, baseUrl, write),
    /** Names of all projects there are. */
    async names() {
      const rows = await db.selectFrom('projects').select('name').orderBy('name').execute()
      return rows.map(({ name }) => name)
    },
  }
}

function send(
  agent: Agent,
  baseUrl: string,
  write: Pick<Write, 'name' | 'apiKey' | 'idempotencyKey'>,
): Promise<Write> {
  const { name, apiKey, idempotencyKey } = write
  const sent = JSON.stringify({ name, description: 'D', token_symbol: 'SYM', token_supply: 1000 })
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(sent),
    'idempotency-key': idempotencyKey,
  }
  return new Promise((resolve, reject) => {
    request(`${baseUrl}/api/projects`, { method: 'POST', headers, agent }, async (response) => {
      let body = ''
      for await (const chunk of response) body += chunk
      const { statusCode: status = 0, headers } = response
      resolve({ ...write, status, body, retryAfter: headers['retry-after'] })
    })
      .on('error', reject)
      .end(sent)
  })
}
