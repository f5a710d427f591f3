import { afterEach, expect, test } from 'vitest'
import { createTestMarket } from '../../support/market.ts'
import type { TestProject } from '../../support/scenarios.ts'
import { setRows } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { relaySettings, relaysOn } from './support/relays.ts'

const market = await createTestMarket({
  settings: { ...relaySettings, APPROVE_WAIT_SECONDS: '1' },
})
const { chain, db } = market
const { node } = chain
const relays = relaysOn(market)
const project = await market.activeProject()
const { stored, nonceOf } = relays.of(project)
afterEach(() => node.setAutomine(true))

test.each([
  ['a payout goes first, though the withdrawal was stored before it', null],
  ['a payout that had to wait goes before a withdrawal that had not', 'had to wait'],
])('%s', async (_, error) => {
  const bounty = await market.bountyInReview({ project })
  const { id } = await stored()
  await market.act(bounty, 'approve', bounty.founder, {})
  if (error !== null)
    await setRows(db, 'transactions', { entity_id: bounty.submissionId }, { error, updated_at: new Date(0) })
  await relays.sendUnmined(2)
  expect(await nonceOf(bounty.submissionId)).toBeLessThan(await nonceOf(id))
  await node.mine({ blocks: 1 })
  await until(relays.is(id, 'confirmed'))
})

test('withdrawals fill half of a lane, and a payout gets the next nonce', async () => {
  const bounty = await market.bountyInReview({ project })
  const agents = await Promise.all(Array.from({ length: 9 }, () => relays.holder(project)))
  const ids = [(await stored({ amount: '1' })).id]
  for (const agent of agents)
    ids.push((await relays.withdraw(agent, project, { amount: '1' })).body.withdrawal.id)
  const nonces = async () => (await Promise.all(ids.map(nonceOf))).filter((nonce) => nonce !== null)
  await node.setAutomine(false)
  market.startEngines()
  await until(async () => (await node.getTxpoolStatus()).pending >= 8)
  await market.act(bounty, 'approve', bounty.founder, {})
  await until(async () => (await nonceOf(bounty.submissionId)) !== null)
  expect((await nonces()).length).toBe(8)
  expect(await nonceOf(bounty.submissionId)).toBe(Math.max(...(await nonces())) + 1)
  await node.setAutomine(true)
  await node.mine({ blocks: 1 })
  for (const one of ids) await until(relays.is(one, 'confirmed'))
})

test('deployments fill half of a lane, and a payout gets the next nonce', async () => {
  const bounty = await market.bountyInReview({ project })
  const proposed = await Promise.all(Array.from({ length: 10 }, () => market.proposedProject()))
  const activate = async ({ id, founder }: TestProject) =>
    (await market.api('POST', `/api/projects/${id}/activate`, { key: founder.key })).status
  await node.setAutomine(false)
  const activations = Promise.all(proposed.map(activate))
  await until(async () => (await node.getTxpoolStatus()).pending >= 8)
  await market.act(bounty, 'approve', bounty.founder, {})
  await until(async () => (await nonceOf(bounty.submissionId)) !== null)
  await until(async () => (await node.getTxpoolStatus()).pending >= 9)
  expect((await node.getTxpoolStatus()).pending).toBe(9)
  await node.setAutomine(true)
  await node.mine({ blocks: 1 })
  expect(new Set(await activations)).toEqual(new Set([200]))
})

test('payouts that are paused do not stop withdrawals', async () => {
  await chain.pause()
  const agent = await relays.holder(project)
  const { withdrawal } = (await relays.withdraw(agent, project)).body
  await until(relays.is(withdrawal.id, 'confirmed'))
  await chain.unpause()
})
