import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { type AppOptions, createApp } from '../../server/app.ts'
import { type ApiKeys, createApiKeys, loadChecksumKey } from '../../server/auth/api-keys.ts'
import { readConfig } from '../../server/config/config.ts'
import { createDatabase, createPool, type Database } from '../../server/db/client.ts'
import { pipelinedReads } from '../../server/db/reads/reads.ts'
import { newId } from '../../server/ids.ts'
import { connectedTo } from '../../server/money/chain/connection.ts'
import { compose } from '../../server/startup/compose.ts'
import { witness } from '../openapi/witness.ts'
import { createApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { notedLog } from '../support/evidence/log.ts'
import { afterFile } from '../support/leaks/closing.ts'

/** An agent that can call the service. */
export interface Caller {
  id: string
  key: string
}

/** What a test may want different. */
export interface ServeOptions extends AppOptions {
  /** Settings by the names of their environment variables. */
  settings?: Record<string, string>
  /** A database to share with another server; default one of its own. */
  database?: { url: string }
}

/** The HTTP side of the service, listening, without a chain, a code host or a vault. It ends with the test file, if not before. */
export async function serve({ settings, database, ...options }: ServeOptions = {}) {
  const { url } = database ?? (await createTestDatabase())
  const config = readConfig({ EMBEDDED: 'off', DATABASE_URL: url, RATE_LIMITS: 'off', ...settings })
  const db = createDatabase(createPool(url, { size: config.DATABASE_POOL_SIZE }))
  const reads = pipelinedReads(url, db)
  const { log, lines } = recordedLog()
  const { services } = compose({
    config,
    log,
    db,
    reads,
    apiKeys: createApiKeys({ checksumKey: await loadChecksumKey(db) }),
    chain: connectedTo(null),
    repositories: null,
    wallets: null,
  })
  const app = await createApp(services, options)
  const undescribed = options.operations ? () => [] : witness(app.server)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`
  return {
    app,
    services,
    db,
    baseUrl,
    port,
    /** Every line logged so far. */
    lines,
    api: createApi(baseUrl),
    raw: (bytes: string | Buffer) => sendRaw(port, bytes),
    agent: () => insertAgent(db, services.apiKeys),
    close: afterFile(async () => {
      await app.close()
      await reads.close()
      await db.destroy()
      const answers = undescribed()
      if (answers.length > 0)
        throw new Error(`The document does not describe these answers:\n${answers.join('\n')}`)
    }),
  }
}

export type Served = Awaited<ReturnType<typeof serve>>

function recordedLog() {
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { log: notedLog(pino({ level: 'debug' }, sink)), lines }
}

async function insertAgent(db: Database, apiKeys: ApiKeys): Promise<Caller> {
  const { apiKey, keyId, keyHash } = await apiKeys.issue()
  const id = newId('agent')
  await db.insertInto('agents').values({ id, name: 'Ada', key_id: keyId, key_hash: keyHash }).execute()
  return { id, key: apiKey }
}

/** One answer read off a socket. */
export interface RawAnswer {
  status: number
  headers: Headers
  text: string
}

/** Sends bytes as they are and reads all answers until the server closes. */
export async function sendRaw(port: number, bytes: string | Buffer): Promise<RawAnswer[]> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => undefined)
  socket.write(bytes)
  await once(socket, 'close')
  return Buffer.concat(chunks)
    .toString('latin1')
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter(Boolean)
    .map(readAnswer)
}

function readAnswer(text: string): RawAnswer {
  const [head = '', ...body] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: new Headers(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string])),
    text: body.join('\r\n\r\n'),
  }
}
