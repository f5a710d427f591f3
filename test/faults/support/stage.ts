import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../../server/embedded/postgres/postgres.ts'
import { databaseUrl } from '../../support/database-url.ts'
import { bundleService, type Patch } from './bundle.ts'
import type { Deployment, Stage } from './environment.ts'
import { loadFixture } from './fixture.ts'
import { createProcessPool } from './process.ts'

const quiet = { info: () => undefined, warn: () => undefined }

/** A stage on a Postgres server that is there, for the tests of one file. */
export async function openStage(
  postgresUrl: string,
  options: {
    patches?: Patch[]
    spares?: number
    withoutGuard?: boolean
    patienceMs?: number
    deployment?: Deployment
  } = {},
): Promise<Stage & { close(): Promise<void> }> {
  const [fixture, bundle] = await Promise.all([loadFixture(postgresUrl), bundleService(options.patches)])
  const processPool = createProcessPool(bundle, options.spares ?? 2)
  return {
    fixture,
    processPool,
    withoutGuard: options.withoutGuard,
    patienceMs: options.patienceMs,
    deployment: options.deployment,
    async close() {
      await processPool.close()
      await bundle.remove()
    },
  }
}

/** A Postgres server for programs that run outside of the test runner. */
export async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'bounty-marketplace-faults-'))
  const postgres = await startPostgres({
    directory,
    log: quiet,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  })
  return {
    url: databaseUrl(postgres.url, 'postgres'),
    async stop() {
      await postgres.stop()
      await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    },
  }
}
