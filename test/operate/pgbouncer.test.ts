import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { choosePort } from '../../server/embedded/ports.ts'
import { isRoot, ordinaryAccount, temporaryDirectory } from '../embedded/support.ts'
import { createTestMarket } from '../support/market.ts'
import { run } from './support/service.ts'
import { surroundings } from './support/surroundings.ts'

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path))

/** A pgbouncer in front of the database, which gives a connection to a client for one transaction at a time. */
async function pooled(databaseUrl: string): Promise<string> {
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
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,lock_timeout
`
  await writeFile(join(directory, 'users'), `"${username}" "${decodeURIComponent(password)}"\n`)
  await writeFile(join(directory, 'settings'), settings)
  if (isRoot) await chmod(directory, 0o755)
  const account = isRoot ? ordinaryAccount() : undefined
  const bouncer = run([program as string, join(directory, 'settings')], {}, { account })
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

// Needs Debian's pgbouncer, which no npm package brings.
test.skipIf(!program)(
  'works through pgbouncer in transaction mode, more clients than connections',
  async () => {
    const around = await surroundings()
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
  },
  120_000,
)
