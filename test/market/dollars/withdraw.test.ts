import { randomUUID } from 'node:crypto'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { giveDollars, localDollar } from '../../../server/embedded/chain/dollar.ts'
import { marketsBeside, newAddress, relaySettings } from '../../money/relays/support/relays.ts'
import { expectError } from '../../support/errors.ts'
import { coinOn } from '../../support/locked-dollars.ts'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'

const settings = { ...relaySettings, WALLET_MASTER_KEY: randomUUID() + randomUUID() }
const market = await createTestMarket({ settings })
const beside = marketsBeside(market, settings)

async function holder() {
  const agent = await market.register()
  await giveDollars(market.chain.rpcUrl, agent.wallet_address as Address)
  return agent
}
function withdraw({ key }: { key: string }, wanted: object = {}, idempotency = randomUUID(), on = market) {
  const body = { amount: '10.5', to: newAddress(), ...wanted }
  const headers = { 'idempotency-key': idempotency }
  return on.api('POST', '/api/agents/me/dollars/withdraw', { key, body, headers })
}
const listed = async ({ key }: { key: string }) =>
  (await market.api('GET', '/api/agents/me/dollars', { key })).body.withdrawals
const has = (agent: { key: string }, status: string) => async () =>
  (await listed(agent))[0]?.status === status

test('201 and the dollars arrive, once for an Idempotency-Key; the list of token withdrawals leaves it out', async () => {
  const agent = await holder()
  const to = newAddress()
  const key = randomUUID()
  const { status, body } = await withdraw(agent, { to }, key)
  expect([status, body.withdrawal]).toMatchObject([201, { amount: '10.5', to, status: 'queued' }])
  await until(has(agent, 'confirmed'))
  expect((await withdraw(agent, { to }, key)).body.withdrawal.id).toBe(body.withdrawal.id)
  expect(await market.chain.balanceOf(localDollar, to)).toBe(10_500_000n)
  expect(await listed(agent)).toHaveLength(1)
  const path = '/api/agents/me/withdrawals'
  expect((await market.api('GET', path, { key: agent.key })).body.withdrawals).toEqual([])
  const one = await market.api('GET', `${path}/${body.withdrawal.id}`, { key: agent.key })
  expectError(one, 'withdrawal_not_found')
})

test('201 for all', async () => {
  const agent = await holder()
  const to = newAddress()
  expect((await withdraw(agent, { amount: 'all', to })).body.withdrawal.amount).toBe('1000')
  await until(has(agent, 'confirmed'))
  expect(await market.chain.balanceOf(localDollar, to)).toBe(1_000_000_000n)
})

test('400 insufficient_balance', async () => {
  const refused = await withdraw(await holder(), { amount: '1000.000001' })
  expectError(refused, 'insufficient_balance')
  expect(refused.body.error.message).toContain('1000 dollars')
})

test('400 reserved_address for an address of the platform', async () => {
  expectError(await withdraw(await holder(), { to: market.chain.platformWallet }), 'reserved_address')
})

test('400 recipient_refused for an address that nobody has the key of', async () => {
  const to = '0x000000000000000000000000000000000000dEaD'
  expectError(await withdraw(await holder(), { to }), 'recipient_refused')
})

test('400 idempotency_key_required', async () => {
  const { key } = await holder()
  const body = { amount: '1', to: newAddress() }
  const keyless = await market.api('POST', '/api/agents/me/dollars/withdraw', { key, body })
  expectError(keyless, 'idempotency_key_required')
})

test('409 wallet_not_managed', async () => {
  const { address } = await market.chain.fundedAccount()
  expectError(await withdraw(await market.register({ wallet_address: address })), 'wallet_not_managed')
})

test('409 withdrawal_in_progress while one is running', async () => {
  const agent = await holder()
  await market.stopEngines()
  expect((await withdraw(agent)).status).toBe(201)
  expectError(await withdraw(agent), 'withdrawal_in_progress')
  market.startEngines()
})

test('409 dollars_unavailable where there is no coin', async () => {
  const without = await createTestMarket({ dollars: false })
  expectError(await withdraw(await without.register(), {}, randomUUID(), without), 'dollars_unavailable')
})

test('503 withdrawals_unavailable when the gas of a day is reserved', async () => {
  const other = await beside({ WITHDRAWAL_GAS_ETH_PER_DAY: '0' })
  expectError(await withdraw(await holder(), {}, randomUUID(), other), 'withdrawals_unavailable')
})

test('409 dollars_unavailable to a wallet that the coin refuses, and another withdrawal is possible', async () => {
  const agent = await holder()
  const to = newAddress()
  const coin = coinOn(market)
  await coin.block(to)
  const refused = await withdraw(agent, { to })
  expectError(refused, 'dollars_unavailable')
  expect(refused.body.error.message).toContain('blacklisted')
  expectError(await withdraw(agent, { to: localDollar }), 'dollars_unavailable')
  expect(await listed(agent)).toEqual([])
  expect((await withdraw(agent)).status).toBe(201)
})

test('503 withdrawals_disabled if the operator has switched them off', async () => {
  const other = await beside({ WITHDRAWALS_ENABLED: 'false' })
  expectError(await withdraw(await holder(), {}, randomUUID(), other), 'withdrawals_disabled')
})

test('429 withdrawal_limit_reached', async () => {
  const agent = await holder()
  expect((await withdraw(agent)).status).toBe(201)
  await until(has(agent, 'confirmed'))
  const other = await beside({ WITHDRAWALS_PER_DAY: '1' })
  expectError(await withdraw(agent, {}, randomUUID(), other), 'withdrawal_limit_reached')
})
