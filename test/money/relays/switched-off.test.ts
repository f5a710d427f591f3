import { expect, test } from 'vitest'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'
import { someAddress } from '../../support/values.ts'
import { relaySettings, relaysOn } from './support/relays.ts'

/* WITHDRAWALS_ENABLED=false stops what is stored and not yet sent; PAYOUTS_ENABLED=false stops no withdrawal. */
const on = await createTestMarket({ settings: { ...relaySettings, PAYOUTS_ENABLED: 'false' } })
const off = await createTestMarket({
  sharing: on,
  engines: false,
  settings: { ...relaySettings, WITHDRAWALS_ENABLED: 'false' },
})

test('503 withdrawals_disabled, and a queued withdrawal is not sent before withdrawals are on again', async () => {
  const relays = relaysOn(on)
  const project = await on.activeProject()
  const agent = await relays.holder(project)
  await on.stopEngines()
  const { id } = (await relays.withdraw(agent, project)).body.withdrawal
  off.startEngines()
  await until(async () => (await relays.transactionOf(id)).error !== null)
  expect(await relays.transactionOf(id)).toMatchObject({
    status: 'queued',
    nonce: null,
    error: 'withdrawals are switched off',
  })
  const key = { key: agent.key, headers: { 'idempotency-key': 'k' } }
  const body = { project_id: project.id, amount: '1', to: someAddress, as: 'eth' }
  expectError(await off.api('POST', '/api/agents/me/withdrawals', { ...key, body }), 'withdrawals_disabled')
  const allowance = { key: project.founder.key, body: { amount: '200000' } }
  expectError(
    await off.api('POST', `/api/projects/${project.id}/allowance`, allowance),
    'withdrawals_disabled',
  )
  await off.stopEngines()

  on.startEngines()
  await until(relays.is(id, 'confirmed'))
})
