import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { payoutIdOf } from '../../server/money/chain/on-chain-ids.ts'
import { type Api, createApi } from '../support/api.ts'
import { createBackups } from '../support/backups.ts'
import { createTestMarket } from '../support/market.ts'
import { createScenarios } from '../support/scenarios.ts'
import { until } from '../support/until.ts'
import { deployment } from './support/deployment.ts'
import { built, run } from './support/service.ts'

/** Waits until a bounty is done; the test's own timeout ends a wait in vain. */
async function isDone(api: Api, { id }: { id: string }): Promise<void> {
  const status = async () => (await api('GET', `/api/bounties/${id}`)).body.bounty.status
  while ((await status()) !== 'done') await delay(50)
}

test('payouts made after the backup are recognised after its restore, none is repeated', async () => {
  const around = await deployment()
  const { chain, github, githubToken: token, settings, databaseUrl } = around
  const backup = await createBackups(databaseUrl)

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
  const lost = await before.bountyInReview({ project })
  await Promise.all([approve(pending), approve(lost)])
  await Promise.all([pending, approving, lost].map((bounty) => isDone(before.api, bounty)))
  await before.close()
  await backup.loseEverythingAndRestore()

  const service = run(await built('main'), { ...settings, FINALITY_BLOCKS: '1' })
  const api = createApi(await service.ready())
  await Promise.all([isDone(api, pending), isDone(api, approving)])
  const again = await api('POST', `/api/bounties/${pending.id}/approve`, {
    key: pending.founder.key,
    body: {},
  })
  expect(again.body.error.code).toBe('bounty_not_in_review')
  expect((await api('GET', `/api/bounties/${lost.id}`)).status).toBe(404)
  const payoutId = ({ id }: typeof lost) => payoutIdOf(31_337, id)
  const alarm = `"kind":"payment_unknown","entityId":"${payoutId(lost)}"`
  await until(() => service.output().includes(alarm))

  const db = undefined as never
  const after = await createScenarios({ api, db, chain, github, token }).doneBounty()
  expect((await chain.payments()).map((paid) => paid.payoutId).sort()).toEqual(
    [inBackup, pending, approving, lost, after].map(payoutId).sort(),
  )
}, 120_000)
