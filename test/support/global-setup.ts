import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { createDatabase, createPool } from '../../server/db/client.ts'
import { migrate } from '../../server/db/migrate/migrate.ts'
import { startChain } from '../../server/embedded/chain/chain.ts'
import { startPostgres } from '../../server/embedded/postgres/postgres.ts'
import { watchProcesses } from './evidence/processes.ts'
import { searchEvidence } from './evidence/search.ts'
import { hidePrograms } from './programs.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the Postgres server's maintenance database. */
    postgresUrl: string
    /** JSON-RPC addresses, one per worker. */
    chainUrls: string[]
    /** Folder with the output of `npm run build`. */
    build: string
  }
}

/** Name of the migrated database that every test database is copied from. */
export const templateDatabase = 'template_marketplace'

const quiet = { info: () => undefined, warn: () => undefined }

const root = join(import.meta.dirname, '../..')

/**
 * Starts one Postgres server, one build of the service and one chain per worker for the whole run, and deletes them
 * afterwards.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const showPrograms = hidePrograms()
  const directory = await mkdtemp(join(await quickFolder(), 'bounty-marketplace-test-'))
  const workers = Number(project.config.maxWorkers)
  const [build, postgres, ...chains] = await Promise.all([
    buildService(),
    startPostgres({
      directory: join(directory, 'postgres'),
      log: quiet,
      // No data has to survive a power failure.
      settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
    }),
    ...Array.from({ length: workers }, (_, worker) =>
      startChain({
        directory: join(directory, `chain-${worker}`),
        port: 0,
        log: quiet,
        persist: false,
        proxy: false,
      }),
    ),
  ])
  await createTemplate(postgres.url)
  project.provide('build', build)
  const evidence = join(directory, 'evidence')
  await mkdir(evidence)
  project.provide('evidence', evidence)
  const stopWatching = watchProcesses(evidence)
  project.provide('postgresUrl', databaseUrl(postgres.url, 'postgres'))
  project.provide(
    'chainUrls',
    chains.map((chain) => chain.rpcUrl),
  )
  return async () => {
    await Promise.all([postgres, ...chains].map((part) => part.stop()))
    stopWatching()
    showPrograms()
    await copyFile(join(directory, 'postgres', 'postgres.log'), join(evidence, 'postgres.log'))
    const found = await searchEvidence(evidence)
    for (const folder of [directory, build])
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    report(found)
  }
}

/** Memory, where this machine has enough of it as a folder: a database is copied there in an eighth of the time. */
async function quickFolder(): Promise<string> {
  const memory = '/dev/shm'
  const { bavail = 0, bsize = 0 } = await statfs(memory).catch(
    () => ({}) as { bavail?: number; bsize?: number },
  )
  return bavail * bsize > 4 * 2 ** 30 ? memory : tmpdir()
}

function report({ secrets, bytes, hits }: Awaited<ReturnType<typeof searchEvidence>>): void {
  const searched = `${secrets} secrets in ${(bytes / 2 ** 20).toFixed(0)} MB of logs, errors, rows and process titles`
  console.log(`Searched for ${searched}: ${hits.length} found`)
  if (hits.length === 0) return
  const lines = hits.slice(0, 20).map(({ what, file, context }) => `${what} in ${file}: ${context}`)
  // vitest reports an error of a teardown, but exits with code 0.
  process.exitCode = 1
  throw new Error(`Secrets have leaked:\n${lines.join('\n')}`)
}

/** Builds inside the repository, because the build resolves external packages from there. */
async function buildService(): Promise<string> {
  const cache = join(root, '.cache')
  await mkdir(cache, { recursive: true })
  // Deletes the builds of runs that were killed.
  for (const name of await readdir(cache)) {
    const [, pid] = /^build-(\d+)$/.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(join(cache, name), { recursive: true, force: true })
  }
  const folder = join(cache, `build-${process.pid}`)
  await promisify(execFile)(process.execPath, [join(root, 'server/ops/build.mjs'), folder])
  return folder
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
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
