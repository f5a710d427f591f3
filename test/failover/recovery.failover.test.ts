import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { payoutIdOf } from '../../server/chain/units.ts'
import { createDatabase, createPool } from '../../server/db/client.ts'
import { migrate } from '../../server/db/migrate/migrate.ts'
import { built, run } from '../ops/support/service.ts'
import { type Surroundings, surroundings } from '../ops/support/surroundings.ts'
import { type Api, createApi } from '../support/api.ts'
import { databaseUrl } from '../support/global-setup.ts'
import { createTestMarket } from '../support/market.ts'
import { createScenarios } from '../support/scenarios.ts'
import { until } from '../support/until.ts'
import { archiveInTest } from './support/cluster/archive.ts'
import { query } from './support/cluster/client.ts'
import type { Cluster } from './support/cluster/cluster.ts'
import { clusterInTest } from './support/cluster/cluster-in-test.ts'

/** The service's database on the cluster, with its schema. */
async function createMarketplace(cluster: Cluster): Promise<string> {
  await query(cluster.primaryUrl, 'create database marketplace')
  const url = databaseUrl(cluster.primaryUrl, 'marketplace')
  const db = createDatabase(createPool(url, { size: 2 }))
  await migrate(db)
  await db.destroy()
  return url
}

/** Everything that was written so far is in the archive. */
async function untilArchived(url: string, archive: string): Promise<void> {
  const [row] = await query(url, 'select pg_walfile_name(pg_current_wal_lsn()) as name from pg_switch_wal()')
  await until(async () => (await readdir(archive)).includes(row?.name as string))
}

/** Payments before a base backup, after it, and after the last moment that a recovery reaches. */
async function pay(around: Surroundings, backup: () => Promise<void>, lastMoment: () => Promise<void>) {
  const market = await createTestMarket({
    sharing: around,
    settings: { APPROVE_WAIT_SECONDS: '1', WALLET_MASTER_KEY: around.settings.WALLET_MASTER_KEY as string },
  })
  const approve = ({ id, founder }: { id: string; founder: { key: string } }) =>
    market.api('POST', `/api/bounties/${id}/approve`, { key: founder.key, body: {} })
  const project = await market.activeProject()
  const inBackup = await market.doneBounty({ project })
  await backup()
  const inArchive = await market.doneBounty({ project })
  const pending = await market.bountyInReview({ project })
  const approving = await market.bountyInReview({ project })
  await market.stopEngines()
  expect((await approve(approving)).status).toBe(502)
  await lastMoment()
  market.startEngines()
  const lost = await market.bountyInReview({ project })
  await Promise.all([approve(pending), approve(lost)])
  await Promise.all([pending, approving, lost].map((bounty) => isDone(market.api, bounty)))
  await market.close()
  return { inBackup, inArchive, pending, approving, lost }
}

async function isDone(api: Api, { id }: { id: string }): Promise<void> {
  await until(async () => (await api('GET', `/api/bounties/${id}`)).body.bounty?.status === 'done')
}

/** Starts the service on the recovered database: it finds every payment, and pays nobody twice. */
async function expectRecognised(
  around: Surroundings,
  url: string,
  bounties: Awaited<ReturnType<typeof pay>>,
): Promise<void> {
  const { chain, github, githubToken: token, settings } = around
  const { inBackup, inArchive, pending, approving, lost } = bounties
  const service = run(built('main'), { ...settings, DATABASE_URL: url, FINALITY_BLOCKS: '1' })
  const api = createApi(await service.ready())
  for (const bounty of [inBackup, inArchive, pending, approving]) await isDone(api, bounty)
  const again = await api('POST', `/api/bounties/${pending.id}/approve`, {
    key: pending.founder.key,
    body: {},
  })
  expect(again.body.error.code).toBe('bounty_not_in_review')
  expect((await api('GET', `/api/bounties/${lost.id}`)).status).toBe(404)
  const payoutId = ({ id }: { id: string }) => payoutIdOf(31_337, id)
  await until(() => service.output().includes(`"kind":"payment_unknown","entityId":"${payoutId(lost)}"`))
  const db = undefined as never
  const after = await createScenarios({ api, db, chain, github, token }).doneBounty()
  expect((await chain.payments()).map((paid) => paid.payoutId).sort()).toEqual(
    [inBackup, inArchive, pending, approving, lost, after].map(payoutId).sort(),
  )
}

test('after a recovery to a point in time, payments made since are recognised and none is repeated', async () => {
  const archive = await archiveInTest()
  const cluster = await clusterInTest({ archive })
  const url = await createMarketplace(cluster)
  const around = { ...(await surroundings()), databaseUrl: url }
  let backup = ''
  let moment = ''
  const bounties = await pay(
    around,
    async () => {
      backup = await cluster.backup()
    },
    async () => {
      const [row] = await query(url, `select clock_timestamp()::text as now`)
      moment = row?.now as string
    },
  )
  await query(url, 'drop table bounties cascade')
  await untilArchived(url, archive)
  await cluster.close()

  const started = performance.now()
  const { passwords } = cluster
  const recovered = await clusterInTest({ archive, restore: { backup, passwords, until: moment } })
  console.log(`recovered after ${((performance.now() - started) / 1000).toFixed(0)} s`)
  await expectRecognised(around, databaseUrl(recovered.primaryUrl, 'marketplace'), bounties)
}, 300_000)

test('after the loss of every machine, the archive brings the service back elsewhere and nobody is paid twice', async () => {
  const archive = await archiveInTest()
  const cluster = await clusterInTest({ archive })
  const url = await createMarketplace(cluster)
  const around = { ...(await surroundings()), databaseUrl: url }
  let backup = ''
  const bounties = await pay(
    around,
    async () => {
      backup = await cluster.backup()
    },
    () => untilArchived(url, archive),
  )
  await Promise.all([...cluster.nodes, ...cluster.etcd].map((machine) => machine.kill()))

  const started = performance.now()
  const { passwords } = cluster
  const elsewhere = await clusterInTest({ archive, restore: { backup, passwords } })
  console.log(`back elsewhere after ${((performance.now() - started) / 1000).toFixed(0)} s`)
  await expectRecognised(around, databaseUrl(elsewhere.primaryUrl, 'marketplace'), bounties)
}, 300_000)

test('what was written after a recovery survives a second one from the base backup of before', async () => {
  const archive = await archiveInTest()
  const first = await clusterInTest({ archive })
  await query(first.primaryUrl, 'create table written (what text)')
  const backup = await first.backup()
  await query(first.primaryUrl, `insert into written values ('in time')`)
  const [row] = await query(first.primaryUrl, 'select clock_timestamp()::text as now')
  await query(first.primaryUrl, `insert into written values ('mistake')`)
  await untilArchived(first.primaryUrl, archive)
  await first.close()

  const { passwords } = first
  const second = await clusterInTest({ archive, restore: { backup, passwords, until: row?.now as string } })
  await query(second.primaryUrl, `insert into written values ('after')`)
  await untilArchived(second.primaryUrl, archive)
  await second.close()

  const third = await clusterInTest({ archive, restore: { backup, passwords } })
  expect(await query(third.primaryUrl, 'select what from written order by what')).toEqual([
    { what: 'after' },
    { what: 'in time' },
  ])
}, 300_000)
