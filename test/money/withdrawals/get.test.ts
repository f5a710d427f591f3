import { expect, test } from 'vitest'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { relaySettings, relaysOn } from '../relays/support/relays.ts'

const market = await createTestMarket({ settings: relaySettings })
const relays = relaysOn(market)
const project = await market.activeProject()

const get = (id: string, key?: string) => market.api('GET', `/api/agents/me/withdrawals/${id}`, { key })

test('200 with the withdrawal as it was returned', async () => {
  const agent = await relays.holder(project)
  await market.stopEngines()
  const { withdrawal } = (await relays.withdraw(agent, project)).body
  expect((await get(withdrawal.id, agent.key)).body).toEqual({ withdrawal })
  market.startEngines()
})

test('404 withdrawal_not_found for the change of an allowance', async () => {
  const { key } = project.founder
  const request = { key, body: { amount: '200000' } }
  const { allowance } = (await market.api('POST', `/api/projects/${project.id}/allowance`, request)).body
  expectError(await get(allowance.id, key), 'withdrawal_not_found')
})
