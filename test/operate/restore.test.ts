import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { platformWallet } from '../../server/chain/generated/contracts.ts'
import { payoutIdOf } from '../../server/chain/units.ts'
import { type Api, createApi } from '../support/api.ts'
import { createTestMarket } from '../support/market.ts'
import { createStories } from '../support/stories.ts'
import { fromSource, run } from './support/service.ts'
import { surroundings } from './support/surroundings.ts'

/** The database server's own copies of whole databases: what a dump and its restore come to. */
async function backups(databaseUrl: string) {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  const name = new URL(databaseUrl).pathname.slice(1)
  const backup = `backup_${randomBytes(8).toString('hex')}`
  const copy = async (from: string, to: string) => {
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [from])
    await client.query(`create database ${to} template ${from}`)
  }
  onTestFinished(async () => {
    await client.query(`drop database if exists ${backup} with (force)`)
    await client.end()
  })
  return {
    dump: () => copy(name, backup),
    async loseEverythingAndRestore() {
      await client.query(`drop database ${name} with (force)`)
      await copy(backup, name)
    },
  }
}

/** Waits until a bounty is done; the test's own timeout ends a wait in vain. */
async function isDone(api: Api, { id }: { id: string }): Promise<void> {
  const status = async () => (await api('GET', `/api/bounties/${id}`)).body.bounty.status
  while ((await status()) !== 'done') await delay(50)
}

test('payouts made after the backup are recognised after its restore, none is repeated', async () => {
  const around = await surroundings()
  const { chain, github, githubToken: token, settings, databaseUrl } = around
  const backup = await backups(databaseUrl)

  const before = await createTestMarket({
    sharing: around,
    settings: { APPROVE_WAIT_SECONDS: '1', WALLET_MASTER_KEY: settings.WALLET_MASTER_KEY as string },
  })
  const project = await before.activeProject()
  const inBackup = await before.doneBounty({ project })
  const pending = await before.bountyInReview({ project })
  const approving = await before.bountyInReview({ project })
  await before.stopEngines()
  const approve = ({ id, founder }: typeof pending) =>
    before.api('POST', `/api/bounties/${id}/approve`, { key: founder.key, body: {} })
  expect((await approve(approving)).status).toBe(502)
  await backup.dump()

  before.startEngines()
  expect((await approve(pending)).status).toBe(200)
  await isDone(before.api, approving)
  const lost = await before.doneBounty({ project })
  await before.close()
  await backup.loseEverythingAndRestore()

  const service = run(fromSource, { ...settings, FINALITY_BLOCKS: '1' })
  const api = createApi(await service.ready())
  await Promise.all([isDone(api, pending), isDone(api, approving)])
  const again = await api('POST', `/api/bounties/${pending.id}/approve`, {
    key: pending.founder.key,
    body: {},
  })
  expect(again.body.error.code).toBe('bounty_not_in_review')
  expect((await api('GET', `/api/bounties/${lost.id}`)).status).toBe(404)
  const payoutId = ({ submissionId }: typeof lost) => payoutIdOf(31_337, submissionId)
  expect(service.output()).toContain(`"payout_id":"${payoutId(lost)}"`)

  const db = undefined as never
  const after = await createStories({ api, db, chain, github, token }).doneBounty()
  const paid = await chain.node.getContractEvents({
    abi: platformWallet.abi,
    address: chain.platformWallet,
    eventName: 'Paid',
    fromBlock: 'earliest',
    strict: true,
  })
  expect(paid.map(({ args }) => args.payoutId).sort()).toEqual(
    [inBackup, pending, approving, lost, after].map(payoutId).sort(),
  )
}, 120_000)
