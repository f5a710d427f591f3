import { access, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { payoutIdOf } from '../../server/money/chain/on-chain-ids.ts'
import { deployment } from '../ops/support/deployment.ts'
import { built, run } from '../ops/support/service.ts'
import { createApi } from '../support/api.ts'
import { databaseUrl } from '../support/database-url.ts'
import { createTestMarket } from '../support/market.ts'
import { createScenarios } from '../support/scenarios.ts'
import { until } from '../support/until.ts'
import type { World } from '../support/world.ts'
import { type ClusterOptions, createArchive, startCluster } from './support/cluster.ts'
import { query } from './support/kit.ts'

test('after a recovery payments made since are recognised and none is repeated, and what comes then survives the loss of all machines', {
  timeout: 600_000,
}, async () => {
  const archive = await createArchive()
  onTestFinished(() => rm(archive, { recursive: true }))
  const start = async (options: ClusterOptions) => {
    const cluster = await startCluster({ ...options, archive })
    onTestFinished(cluster.close)
    return cluster
  }
  const first = await start({})
  const { passwords } = first
  const url = await first.createMarketplace()
  const around = { ...(await deployment()), databaseUrl: url }
  let backup = ''
  let moment = ''
  const bounties = await pay(around, {
    async backup() {
      backup = await first.backup()
    },
    async lastMoment() {
      await first.switchover()
      await first.healthy()
      const [row] = await query(url, 'select clock_timestamp()::text as now')
      moment = row?.now as string
    },
  })
  await query(url, 'drop table bounties cascade')
  await untilArchived(url, archive)
  await first.close()

  const second = await start({ restore: { backup, passwords, until: moment } })
  await expectRecognised(around, databaseUrl(second.primaryUrl, 'marketplace'), bounties)
  await query(second.primaryUrl, 'create table written_after_the_recovery ()')
  await untilArchived(second.primaryUrl, archive)
  await second.close()

  const third = await start({ restore: { backup, passwords } })
  expect(await query(third.primaryUrl, 'select from written_after_the_recovery')).toEqual([])
})

/** Everything that was written so far is in the archive. */
async function untilArchived(url: string, archive: string): Promise<void> {
  const [row] = await query(url, 'select pg_walfile_name(pg_current_wal_lsn()) as name from pg_switch_wal()')
  await until(() => access(join(archive, row?.name as string)).then(() => true))
  expect((await readdir(archive)).filter((name) => name.startsWith('.'))).toEqual([])
}

/** Payments before a base backup, after it, and after the last moment that a recovery reaches. */
async function pay(around: World, at: { backup(): Promise<void>; lastMoment(): Promise<void> }) {
  const market = await createTestMarket({
    sharing: around,
    settings: { APPROVE_WAIT_SECONDS: '1', WALLET_MASTER_KEY: around.settings.WALLET_MASTER_KEY as string },
  })
  const approve = ({ id, founder }: { id: string; founder: { key: string } }) =>
    market.api('POST', `/api/bounties/${id}/approve`, { key: founder.key, body: {} })
  const isDone = async ({ id }: { id: string }) =>
    (await market.api('GET', `/api/bounties/${id}`)).body.bounty?.status === 'done'
  const project = await market.activeProject()
  const inBackup = await market.doneBounty({ project })
  await at.backup()
  const inArchive = await market.doneBounty({ project })
  const pending = await market.bountyInReview({ project })
  const approving = await market.bountyInReview({ project })
  await market.stopEngines()
  expect((await approve(approving)).status).toBe(502)
  await at.lastMoment()
  market.startEngines()
  const lost = await market.bountyInReview({ project })
  await Promise.all([approve(pending), approve(lost)])
  await Promise.all([pending, approving, lost].map((bounty) => until(() => isDone(bounty))))
  await market.close()
  return { inBackup, inArchive, pending, approving, lost }
}

/** Starts the service on the recovered database: it finds every payment, and pays nobody twice. */
async function expectRecognised(
  around: World,
  url: string,
  bounties: Awaited<ReturnType<typeof pay>>,
): Promise<void> {
  const { chain, github, githubToken: token, settings } = around
  const { lost, ...known } = bounties
  const service = run(await built('main'), { ...settings, DATABASE_URL: url, FINALITY_BLOCKS: '1' })
  const api = createApi(await service.ready())
  for (const { id } of Object.values(known))
    await until(async () => (await api('GET', `/api/bounties/${id}`)).body.bounty?.status === 'done')
  expect((await api('GET', `/api/bounties/${lost.id}`)).status).toBe(404)
  const payoutId = ({ id }: { id: string }) => payoutIdOf(31_337, id)
  await until(() => service.output().includes(`"kind":"payment_unknown","entityId":"${payoutId(lost)}"`))
  const after = await createScenarios({ api, db: undefined as never, chain, github, token }).doneBounty()
  expect((await chain.payments()).map((paid) => paid.payoutId).sort()).toEqual(
    [...Object.values(bounties), after].map(payoutId).sort(),
  )
  service.signal('SIGTERM')
  await service.exited
}
