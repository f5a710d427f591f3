/** @module-tag pgbouncer */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { createDatabase, createPool } from '../../server/db/client.ts'
import { migrateAt } from '../../server/db/migrate/migrate.ts'
import { choosePort } from '../../server/embedded/ports.ts'
import { checkConfiguration } from '../../server/ops/check-configuration.ts'
import { isRoot, temporaryDirectory, unprivilegedAccount } from '../embedded/support.ts'
import { createTestDatabase } from '../support/database.ts'
import { createTestMarket } from '../support/market.ts'
import { pathOf } from '../support/programs.ts'
import { deployment } from './support/deployment.ts'
import { run } from './support/service.ts'

const timeouts = 'statement_timeout,idle_in_transaction_session_timeout'

/**
 * A pgbouncer in front of the database, as OPERATING.md wants it: it gives a connection to a client for one transaction
 * at a time.
 */
async function pooled(
  databaseUrl: string,
  { mode = 'transaction', ignored = timeouts } = {},
): Promise<string> {
  const directory = await temporaryDirectory()
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const listen = await choosePort()
  const settings = `
[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = plain
auth_file = ${join(directory, 'users')}
pool_mode = ${mode}
default_pool_size = 4
max_client_conn = 200
ignore_startup_parameters = ${ignored}
`
  await writeFile(join(directory, 'users'), `"${username}" "${decodeURIComponent(password)}"\n`)
  await writeFile(join(directory, 'settings'), settings)
  if (isRoot) await chmod(directory, 0o755)
  const account = isRoot ? unprivilegedAccount() : undefined
  const bouncer = run([pathOf('pgbouncer') as string, join(directory, 'settings')], {}, { account })
  for (;;) {
    const socket = connect(listen, '127.0.0.1')
    const outcome = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (outcome) break
    await delay(20)
  }
  expect(bouncer.output()).not.toContain('ERROR')
  return `postgres://${username}:${password}@127.0.0.1:${listen}${pathname}`
}

/** A role whose own setting gives a statement less time than a migration needs, and its address of the database. */
async function impatientRole(databaseUrl: string): Promise<string> {
  const db = createDatabase(createPool(databaseUrl, { size: 1 }))
  const name = `impatient_${randomBytes(4).toString('hex')}`
  await sql.raw(`create role ${name} login superuser password 'x'`).execute(db)
  for (const timeout of timeouts.split(','))
    await sql.raw(`alter role ${name} set ${timeout} = '20s'`).execute(db)
  onTestFinished(async () => {
    await sql.raw(`drop role ${name}`).execute(db)
    await db.destroy()
  })
  const url = new URL(databaseUrl)
  url.username = name
  url.password = 'x'
  return url.href
}

test('a migration has an hour for a statement, whatever the role has', async () => {
  const database = await createTestDatabase()
  const url = await pooled(await impatientRole(database.url))
  const db = createDatabase(createPool(url, { size: 2 }))
  onTestFinished(() => db.destroy())
  const setting = async (on: QueryExecutorProvider) =>
    (await sql<{ statement_timeout: string }>`show statement_timeout`.execute(on)).rows[0]?.statement_timeout
  const seen: (string | undefined)[] = []
  const probe = (name: string) => ({
    [name]: { up: async (trx: Kysely<unknown>) => void seen.push(await setting(trx)) },
  })

  expect(await setting(db)).toBe('20s')
  const known = { ...migrations, ...probe('9998_probe'), ...probe('9999_probe') }
  // Several at once: the lock is as good as that of a session.
  const applied = await Promise.all([1, 2, 3].map(() => migrateAt(url, db, known)))
  expect(applied.flat()).toEqual(['9998_probe', '9999_probe'])
  expect(seen).toEqual(['1h', '1h'])
  expect(await setting(db)).toBe('20s')
})

/** What config:check finds of the database. */
async function databaseFindings(url: string): Promise<string[]> {
  const findings = await checkConfiguration({ EMBEDDED: 'off', DATABASE_URL: url })
  return findings
    .filter(({ about }) => about === 'DATABASE_URL')
    .map(({ level, text }) => `${level}: ${text.replace(/^Postgres .*/, 'Postgres')}`)
}

test('config:check tells a proxy that works from one that does not', async () => {
  const database = await createTestDatabase()
  const { url } = database
  expect(await databaseFindings(url)).toEqual(['ok: Postgres'])
  expect(await databaseFindings(await pooled(url))).toEqual([
    'ok: Postgres',
    ...timeouts
      .split(',')
      .map(
        (name) =>
          `warn: leads through a proxy, which drops ${name}: set it for the role, as OPERATING.md says`,
      ),
  ])
  expect(await databaseFindings(await pooled(url, { mode: 'statement' }))).toEqual([
    'ok: Postgres',
    expect.stringMatching(
      /^wrong: leads through a proxy that takes no transactions \(.*\): set pool_mode = transaction$/,
    ),
  ])
  expect(await databaseFindings(await pooled(url, { ignored: 'extra_float_digits' }))).toEqual([
    expect.stringMatching(/^wrong: unsupported startup parameter.*: let pgbouncer ignore it/),
  ])
  const patient = await pooled(await impatientRole(url))
  expect(await databaseFindings(patient)).toEqual([
    'ok: Postgres',
    'ok: leads through a proxy such as pgbouncer',
  ])
  const db = createDatabase(createPool(url, { size: 1 }))
  onTestFinished(() => db.destroy())
  await sql.raw(`alter database ${new URL(url).pathname.slice(1)} set DateStyle = 'German'`).execute(db)
  expect(await databaseFindings(await pooled(await impatientRole(url)))).toEqual([
    'ok: Postgres',
    'wrong: leads through a proxy, and has DateStyle = German, DMY: set it to ISO for the role',
  ])
})

// Needs Debian's pgbouncer, which no npm package brings.
test('works through pgbouncer in transaction mode, more clients than connections', async () => {
  const around = await deployment()
  const databaseUrl = await pooled(around.databaseUrl)
  const settings = { WALLET_MASTER_KEY: around.settings.WALLET_MASTER_KEY as string }
  const markets = await Promise.all(
    [1, 2].map(() => createTestMarket({ sharing: { ...around, databaseUrl }, settings })),
  )
  const [first, second] = markets as [(typeof markets)[0], (typeof markets)[0]]
  try {
    const project = await first.activeProject()
    // Bounties of both processes, more at a time than there are connections to the database.
    const bounties = await Promise.all(
      Array.from({ length: 12 }, (_, index) => (index % 2 ? first : second).claimedBounty({ project })),
    )
    const claims = await Promise.all(
      bounties.map(({ id, claimant }) =>
        first.api('POST', `/api/bounties/${id}/claim`, { key: claimant.key }),
      ),
    )
    expect(new Set(claims.map(({ body }) => body.error.code))).toEqual(new Set(['bounty_not_open']))
    await second.doneBounty()
    expect((await first.api('GET', '/readyz')).status).toBe(200)
  } finally {
    await Promise.all(markets.map((market) => market.close()))
  }
}, 120_000)
