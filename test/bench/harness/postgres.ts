import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { createDatabase, createPool } from '../../../server/db/client.ts'
import { migrate } from '../../../server/db/migrate/migrate.ts'
import { startPostgres } from '../../../server/embedded/postgres/postgres.ts'
import { readPidFile } from '../../../server/embedded/postgres/server.ts'
import { type Placement, pin } from './placement.ts'

/** A real Postgres server of the benchmark's own. */
export interface BenchPostgres {
  pid: number
  /** Where the server writes its log. */
  logPath: string
  /** An empty database, migrated. */
  create(name: string): Promise<string>
  drop(name: string): Promise<void>
  /** Runs `work` with Postgres free to use every core, as loading and indexing should. */
  unpinned<T>(work: () => Promise<T>): Promise<T>
  stop(): Promise<void>
}

/** Durable, as in production; memory for a machine of some gigabytes; no checkpoint in the middle of a measurement. */
const settings = {
  shared_buffers: '1GB',
  effective_cache_size: '4GB',
  maintenance_work_mem: '1GB',
  max_wal_size: '16GB',
  checkpoint_timeout: '30min',
  random_page_cost: '1.1',
}

export async function startBenchPostgres(directory: string, placement: Placement): Promise<BenchPostgres> {
  const folder = join(directory, 'postgres')
  await mkdir(folder, { recursive: true })
  const log = { info: () => undefined, warn: console.log }
  const postgres = await startPostgres({ directory: folder, log, settings })
  const pid = (await readPidFile(join(folder, 'data')))?.pid
  if (!pid) throw new Error('Postgres has no process id')
  pin(pid, placement.postgres)
  return {
    pid,
    logPath: join(folder, 'postgres.log'),
    async create(name) {
      await query(postgres.url, `create database ${name}`)
      const url = withDatabase(postgres.url, name)
      const db = createDatabase(createPool(url, { size: 2 }))
      await migrate(db)
      await db.destroy()
      return url
    },
    drop: (name) => query(postgres.url, `drop database ${name} with (force)`),
    async unpinned(work) {
      pin(pid, placement.everything)
      try {
        return await work()
      } finally {
        pin(pid, placement.postgres)
      }
    },
    stop: postgres.stop,
  }
}

/** Runs one statement on a connection of its own. */
async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function withDatabase(url: string, database: string): string {
  const parts = new URL(url)
  parts.pathname = `/${database}`
  return parts.href
}
