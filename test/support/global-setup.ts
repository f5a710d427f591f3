import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { createDatabase, createPool } from '../../server/db/connect.ts'
import { migrate } from '../../server/db/migrate.ts'
import { startChain } from '../../server/embedded/chain.ts'
import { startPostgres } from '../../server/embedded/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the Postgres server's maintenance database. */
    postgresUrl: string
    /** JSON-RPC addresses, one a worker. */
    chainUrls: string[]
  }
}

/** Name of the migrated database that each test's own is a copy of. */
export const templateDatabase = 'template_marketplace'

const quiet = { info: () => undefined, warn: () => undefined }

/** One Postgres server for the whole run and one chain for each worker, all thrown away afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'bounty-marketplace-test-'))
  const workers = Number(project.config.maxWorkers)
  const [postgres, ...chains] = await Promise.all([
    startPostgres({
      directory: join(directory, 'postgres'),
      log: quiet,
      // Nothing in here needs to survive a power cut.
      settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
    }),
    ...Array.from({ length: workers }, (_, worker) =>
      startChain({ directory: join(directory, `chain-${worker}`), port: 0, log: quiet, persist: false }),
    ),
  ])
  await createTemplate(postgres.url)
  project.provide('postgresUrl', databaseUrl(postgres.url, 'postgres'))
  project.provide(
    'chainUrls',
    chains.map((chain) => chain.rpcUrl),
  )
  return async () => {
    await Promise.all([postgres, ...chains].map((part) => part.stop()))
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

async function createTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${templateDatabase}`)
  await client.end()
  const db = createDatabase(createPool(databaseUrl(url, templateDatabase), { size: 2 }))
  await migrate(db)
  await db.destroy()
}

/** `url` with another database. */
export function databaseUrl(url: string, database: string): string {
  const parts = new URL(url)
  parts.pathname = `/${database}`
  return parts.href
}
