import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { endAtExit, isAlive, listProcesses } from '../processes.ts'
import { EmbeddedError, type Log } from '../reporting.ts'
import { chooseAccount } from './account.ts'
import { locatePostgres } from './binaries.ts'
import { ensureCluster, loadOrCreatePassword } from './cluster.ts'
import { launch, type Postmaster, readPidFile, shutDown, untilAccepting } from './server.ts'

const database = 'marketplace'

/** A running Postgres server. */
export interface EmbeddedPostgres {
  /** Connection string of the database `marketplace`, as a superuser. Carries the password: never print it. */
  url: string
  /** Shuts the server down, even if an earlier process started it. */
  stop(): Promise<void>
}

/**
 * Starts a Postgres server on a free port of 127.0.0.1, with its data in `directory`. A server that a killed process
 * left running on that data is reused. Committed data survives if every process is killed.
 *
 * @param options.settings further server settings by name, for example `{ fsync: 'off' }` in tests
 * @throws EmbeddedError with one line of advice if this machine cannot run it
 */
export async function startPostgres(options: {
  directory: string
  log: Log
  settings?: Record<string, string>
}): Promise<EmbeddedPostgres> {
  const directory = resolve(options.directory)
  const data = join(directory, 'data')
  await mkdir(directory, { recursive: true })
  const account = await chooseAccount(data)
  const [programs, password] = await Promise.all([
    locatePostgres(join(directory, 'programs'), account !== undefined),
    loadOrCreatePassword(directory),
  ])
  const settings = options.settings ?? {}
  await ensureCluster(directory, {
    initdb: programs.initdb,
    account,
    password,
    durable: settings.fsync !== 'off',
  })
  const orphan = await findRunning(directory, password)
  if (orphan)
    options.log.warn(`Postgres of an earlier process is still running (process ${orphan.pid}): using it`)
  const { pid, port } =
    orphan ?? (await launch(directory, { postgres: programs.postgres, account, settings }))
  const cancelEndAtExit = orphan && endAtExit(pid, 'SIGINT')
  await ensureDatabase(port, password)
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/${database}`,
    async stop() {
      await shutDown(directory, pid)
      cancelEndAtExit?.()
    },
  }
}

/**
 * The running server on this data, if any. A `postmaster.pid` left by a killed server is removed once its process id
 * belongs to another program: Postgres itself would refuse to start.
 */
async function findRunning(directory: string, password: string): Promise<Postmaster | undefined> {
  const data = join(directory, 'data')
  const found = await readPidFile(data)
  if (!found) return undefined
  if ((await isPostgres(found.pid)) && (await untilAccepting(directory, found.pid))) {
    const ready = await readPidFile(data)
    if (ready && (await servesData(ready.port, password, data))) return ready
  }
  await rm(join(data, 'postmaster.pid'), { force: true })
  return undefined
}

async function isPostgres(pid: number): Promise<boolean> {
  if (!(await isAlive(pid))) return false
  if (process.platform === 'win32') return true
  const command = (await listProcesses()).find((candidate) => candidate.pid === pid)?.command
  return command !== undefined && /bin\/postgres -D /.test(command)
}

/** Whether the server on that port uses this directory, and not the directory that this one was copied from. */
async function servesData(port: number, password: string, data: string): Promise<boolean> {
  const nonce = randomBytes(16).toString('hex')
  const path = join(data, 'owner-check')
  await writeFile(path, nonce, { mode: 0o644 })
  try {
    return await withClient({ port, password, database: 'postgres' }, async (client) => {
      const { rows } = await client.query(`select pg_read_file('owner-check', true) as nonce`)
      return rows[0]?.nonce === nonce && (await readFile(path, 'utf8')) === nonce
    })
  } catch {
    return false
  } finally {
    await rm(path, { force: true })
  }
}

async function ensureDatabase(port: number, password: string): Promise<void> {
  try {
    await withClient({ port, password, database: 'postgres' }, async (client) => {
      const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
      if (rowCount === 0) await client.query(`create database ${database}`)
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    throw new EmbeddedError(`The embedded Postgres does not accept our connection: ${reason}`)
  }
}

async function withClient<T>(
  target: { port: number; password: string; database: string },
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    ...target,
    host: '127.0.0.1',
    user: 'postgres',
    connectionTimeoutMillis: 10_000,
  })
  client.on('error', () => {}) // the pending query rejects as well
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
