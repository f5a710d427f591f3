import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { createDatabase, createPool } from '../../../server/db/client.ts'
import { migrate } from '../../../server/db/migrate/migrate.ts'
import { startPostgres } from '../../../server/embedded/postgres/postgres.ts'
import { readPidFile } from '../../../server/embedded/postgres/server.ts'
import { type Placement, pin } from './placement.ts'

export type BenchPostgres = Awaited<ReturnType<typeof startBenchPostgres>>

/** Durable, as in production; memory for a machine of some gigabytes; no checkpoint in the middle of a measurement. */
const settings = {
  shared_buffers: '1GB',
  effective_cache_size: '4GB',
  maintenance_work_mem: '1GB',
  max_wal_size: '16GB',
  checkpoint_timeout: '30min',
  random_page_cost: '1.1',
}

/** A real Postgres server of the benchmark's own. */
export async function startBenchPostgres(directory: string, placement: Placement) {
  const folder = join(directory, 'postgres')
  await mkdir(folder, { recursive: true })
  const log = { info: () => undefined, warn: console.log }
  const postgres = await startPostgres({ directory: folder, log, settings })
  const pid = (await readPidFile(join(folder, 'data')))?.pid
  if (!pid) throw new Error('Postgres has no process id')
  pin(pid, placement.postgres)
  const logPath = join(folder, 'postgres.log')
  return {
    pid,
    /** An empty database, migrated. */
    async create(name: string) {
      await query(postgres.url, `create database ${name}`)
      const url = new URL(postgres.url)
      url.pathname = `/${name}`
      const db = createDatabase(createPool(url.href, { size: 2 }))
      await migrate(db)
      await db.destroy()
      return url.href
    },
    drop: (name: string) => query(postgres.url, `drop database ${name} with (force)`),
    /** Runs `work` with Postgres free to use every core, as loading and indexing should. */
    async unpinned<T>(work: () => Promise<T>): Promise<T> {
      pin(pid, placement.everything)
      try {
        return await work()
      } finally {
        pin(pid, placement.postgres)
      }
    },
    /** How many statements the connections opened since {@link logStatements} send while `work` runs. */
    async statementsDuring(work: () => Promise<unknown>) {
      const { size } = await stat(logPath)
      await work()
      const logged = (await readFile(logPath)).subarray(size).toString()
      return logged.match(/^\d{4}-.* LOG: +(?:statement|execute \S+): /gm)?.length ?? 0
    },
    stop: postgres.stop,
  }
}

/** A connection. Postgres ends before it where the benchmark fails. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Runs one statement on a connection of its own. */
async function query(url: string, statement: string): Promise<void> {
  const client = await connect(url)
  await client.query(statement).finally(() => client.end())
}

/** Switches the log of a database's statements on, for connections opened from now on. */
export const logStatements = (url: string) =>
  query(url, `alter database ${new URL(url).pathname.slice(1)} set log_statement = 'all'`)
