import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { reopenRelay } from '../../../server/money/relays/settle.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'
import { dataOf, newAddress, relaySettings, relaysOn } from './support/relays.ts'

const market = await createTestMarket({ settings: relaySettings })
const { chain, db } = market
const relays = relaysOn(market)
const project = await market.activeProject()
const { stored, tokensOf } = relays.of(project)

test('a repeated key returns what became of the withdrawal, for ever, and refuses other terms', async () => {
  const { agent, to, key, id } = await stored()
  market.startEngines()
  await until(relays.is(id, 'confirmed'))
  const repeated = await relays.withdraw(agent, project, { to }, key)
  expect(repeated.headers.get('idempotency-replayed')).toBe('true')
  expect(repeated.body.withdrawal).toEqual(await relays.read(agent, id))
  await relays.forgetKeys()
  const later = await relays.withdraw(agent, project, { to, amount: '10.0' }, key)
  expect(later.body.withdrawal).toMatchObject({ id, status: 'confirmed' })
  await relays.forgetKeys()
  expectError(await relays.withdraw(agent, project, { to, amount: '11' }, key), 'idempotency_key_reused')
  expect(await tokensOf(to)).toBe(10)
})

test.each(['10', 'all'])(
  'a database that has lost a withdrawal of %s does not make it twice for the same key, and names its transaction',
  async (amount) => {
    const { agent, to, key, id } = await stored({ amount })
    market.startEngines()
    await until(relays.is(id, 'confirmed'))
    const { tx_hash } = await relays.read(agent, id)
    const moved = await tokensOf(to)
    await relays.forget(id)
    await chain.send(await chain.fundedAccount(), { to: newAddress(), data: '0x' })
    for (const wanted of [
      { to, amount },
      { to, amount },
      { to: newAddress(), amount: '11' },
    ]) {
      const again = await relays.withdraw(agent, project, wanted, key)
      expectError(again, 'idempotency_key_reused')
      expect(again.body.error.message).toContain(tx_hash)
    }
    expect(await tokensOf(to)).toBe(moved)
  },
)

test('a withdrawal that was lost before it was sent is made once, by either signature', async () => {
  const { agent, to, key, id } = await stored()
  const { to_address, data } = await relays.transactionOf(id)
  await relays.forget(id)
  const again = (await relays.withdraw(agent, project, { to }, key)).body.withdrawal
  const account = await chain.fundedAccount()
  const hash = await chain.send(account, { to: to_address as Address, data: dataOf(data) })
  market.startEngines()
  await relays.finalise()
  await until(relays.is(again.id, 'confirmed'))
  expect(await relays.read(agent, again.id)).toMatchObject({ tx_hash: hash })
  expect(await tokensOf(to)).toBe(10)
})

test.each(['tokens', 'eth'] as const)(
  '`all` as %s that was lost before it was sent, signed again for more: confirmed with what arrived',
  async (as) => {
    const { agent, to, key, id } = await stored({ amount: 'all', as }, 10)
    const { to_address, data } = await relays.transactionOf(id)
    await relays.forget(id)
    await relays.give(project, agent.wallet_address, 5)
    const again = (await relays.withdraw(agent, project, { to, amount: 'all', as }, key)).body.withdrawal
    expect(again.amount).toBe('15')
    const account = await chain.fundedAccount()
    const hash = await chain.send(account, { to: to_address as Address, data: dataOf(data) })
    market.startEngines()
    await relays.finalise()
    await until(relays.is(again.id, 'confirmed'))
    expect(await relays.read(agent, again.id)).toMatchObject({ tx_hash: hash, amount: '10' })
    expect(await tokensOf(agent.wallet_address)).toBe(5)
    await until(async () => (await relays.transactionOf(again.id)).status === 'refused')
    await market.stopEngines()
    await reopenRelay(db, again.id, [hash])
    expect(await relays.read(agent, again.id)).toMatchObject({ status: 'sent', amount: '15', eth_paid: null })
  },
)
