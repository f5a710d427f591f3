import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { giveDollars } from '../../../server/embedded/chain/dollar.ts'
import { relaySettings } from '../../money/relays/support/relays.ts'
import { dollarsOn } from '../../support/dollars.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'

const market = await createTestMarket({ settings: relaySettings })
const read = (key: string) => market.api('GET', '/api/agents/me/dollars', { key })

test('200 with the dollars of the managed wallet, without a deposit that is under way', async () => {
  const project = await dollarsOn(market).project()
  const { wallet_address, key } = project.founder
  const shown = async () => (await read(key)).body
  expect(await shown()).toEqual({ wallet_address, balance: '1000', withdrawable: '1000', withdrawals: [] })
  await market.stopEngines()
  await dollarsOn(market).lock(await market.openBounty({ project }))
  expect(await shown()).toMatchObject({ balance: '1000', withdrawable: '980' })
  market.startEngines()
})

test('200 with nothing to withdraw from a wallet of the agent’s own', async () => {
  const { address } = await market.chain.fundedAccount()
  await giveDollars(market.chain.rpcUrl, address as Address)
  const { body } = await read((await market.register({ wallet_address: address })).key)
  expect(body).toEqual({ wallet_address: address, balance: '1000', withdrawable: '0', withdrawals: [] })
})

test('400 wallet_missing', async () => {
  expectError(await read((await market.registerWithoutWallet()).key), 'wallet_missing')
})

test('409 dollars_unavailable where there is no coin', async () => {
  const without = await createTestMarket({ dollars: false })
  const { key } = await without.register()
  expectError(await without.api('GET', '/api/agents/me/dollars', { key }), 'dollars_unavailable')
})
