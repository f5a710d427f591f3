import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { marketsBeside, relaySettings, relaysOn } from '../../money/relays/support/relays.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket, type TestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'
import { idOf, isoTime } from '../../support/values.ts'

const settings = {
  ...relaySettings,
  APPROVE_WAIT_SECONDS: '1',
  WALLET_MASTER_KEY: randomUUID() + randomUUID(),
}
const market = await createTestMarket({ settings })
const relays = relaysOn(market)
/** A project whose allowance no test changes. */
const idle = await market.activeProject()

const set = (project: { id: string }, key?: string, amount: unknown = '150000', on: TestMarket = market) =>
  on.api('POST', `/api/projects/${project.id}/allowance`, { key, body: { amount } })

const beside = marketsBeside(market, settings)

test('409 allowance_in_progress until the change is finished: of two at once one is 201', async () => {
  const project = await market.activeProject()
  const { key } = project.founder
  await market.stopEngines()
  const answers = await Promise.all([set(project, key), set(project, key, '160000')])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  expectError(answers.find(({ status }) => status === 409)!, 'allowance_in_progress')
  expectError(await set(project, key), 'allowance_in_progress')
  const { allowance } = answers.find(({ status }) => status === 201)!.body
  expect(allowance).toEqual({
    id: idOf('alw_'),
    project_id: project.id,
    amount: expect.stringMatching(/^1[56]0000$/),
    status: 'queued',
    tx_hash: null,
    error: null,
    expires_at: isoTime,
    created_at: isoTime,
    updated_at: isoTime,
  })
  market.startEngines()
  await until(relays.is(allowance.id, 'confirmed'))
  expect((await set(project, key, '170000')).status).toBe(201)
})

test('409 payout_in_progress from the approval until the payout is settled', async () => {
  const { id, submissionId, project, founder } = await market.bountyInReview()
  const { key } = founder
  await market.stopEngines()
  await market.act({ id }, 'approve', { key }, {})
  expectError(await set(project, key), 'payout_in_progress')
  market.startEngines()
  await until(async () => {
    const { body } = await market.api('GET', `/api/submissions/${submissionId}`, { key })
    return body.submission.status === 'approved'
  })
  expect((await set(project, key)).status).toBe(201)
})

test('400 allowance_below_reserve below what is left of the reserve', async () => {
  const below = await set(idle, idle.founder.key, '99999')
  expectError(below, 'allowance_below_reserve')
  expect(below.body.error.message).toContain('100000 whole tokens')
})

test('201 at what is left of the reserve', async () => {
  const project = await market.activeProject()
  expect((await set(project, project.founder.key, '100000')).status).toBe(201)
})

test('409 wallet_not_managed if the founder brought a wallet, or replaced the managed one before the activation', async () => {
  const { address } = await market.chain.fundedAccount()
  const external = await market.register({ wallet_address: address })
  const replaced = await market.register()
  const body = { wallet_address: (await market.chain.fundedAccount()).address }
  await market.api('PATCH', '/api/agents/me/wallet', { key: replaced.key, body })
  for (const founder of [external, replaced])
    expectError(await set(await market.activeProject({ founder }), founder.key), 'wallet_not_managed')
})

test('429 withdrawal_limit_reached counts withdrawals and allowances together', async () => {
  const project = await market.activeProject()
  expect((await set(project, project.founder.key)).status).toBe(201)
  const other = await beside({ WITHDRAWALS_PER_DAY: '1' })
  const second = await market.activeProject({ founder: project.founder })
  expectError(await set(second, project.founder.key, '150000', other), 'withdrawal_limit_reached')
})

test('503 withdrawals_unavailable when the gas of a day is reserved', async () => {
  const other = await beside({ WITHDRAWAL_GAS_ETH_PER_DAY: '0' })
  expectError(await set(idle, idle.founder.key, '150000', other), 'withdrawals_unavailable')
})

test('503 withdrawals_disabled if the operator has switched them off', async () => {
  const other = await beside({ WITHDRAWALS_ENABLED: 'false' })
  expectError(await set(idle, idle.founder.key, '150000', other), 'withdrawals_disabled')
})
