import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createDatabase, createPool } from '../../server/db/client.ts'
import { migrate } from '../../server/db/migrate/migrate.ts'
import { startPostgres } from '../../server/embedded/postgres/postgres.ts'
import { afterFile } from './leaks/closing.ts'

const log = { info: () => undefined, warn: () => undefined }
// No data has to survive a power failure.
const settings = { fsync: 'off', max_connections: '80', shared_buffers: '32MB' }

/** A Postgres server with the whole schema, and a standby that follows it until the test file ends. The standby starts from a copy of the stopped primary's files. */
export async function startPrimaryAndStandby() {
  const root = await mkdtemp(join(tmpdir(), 'bounty-marketplace-pair-'))
  const first = join(root, 'primary')
  const second = join(root, 'standby')
  const initial = await startPostgres({ directory: first, log, settings })
  const db = createDatabase(createPool(initial.url, { size: 2 }))
  await migrate(db)
  await db.destroy()
  await initial.stop()
  // Unlike Node's `cp`, keeps the owners of files.
  await promisify(execFile)('cp', ['-a', first, second])
  await writeFile(join(second, 'data', 'standby.signal'), '')
  const primary = await startPostgres({ directory: first, log, settings })
  const { hostname, port, username, password } = new URL(primary.url)
  const primary_conninfo = `host=${hostname} port=${port} user=${username} password=${password}`
  const standby = await startPostgres({ directory: second, log, settings: { ...settings, primary_conninfo } })
  afterFile(async () => {
    await standby.stop()
    await primary.stop()
    await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })
  return { primary, standby }
}
