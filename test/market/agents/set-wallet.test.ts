import { expect, test } from 'vitest'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { readRow } from '../../support/stored.ts'
import { isoTime, someAddress } from '../../support/values.ts'
import { burnAddresses, inEveryCase } from './reserved-addresses.ts'

const market = await createTestMarket()

const setWallet = (key: string, body: unknown) => market.api('PATCH', '/api/agents/me/wallet', { key, body })

test('200 with the address as it was given, now external', async () => {
  const agent = await market.register({ name: 'Ada' })
  const { status, body } = await setWallet(agent.key, { wallet_address: someAddress })
  expect(status).toBe(200)
  const changed = {
    id: agent.id,
    name: 'Ada',
    wallet_address: someAddress,
    wallet_type: 'external',
    created_at: isoTime,
  }
  expect(body).toEqual({ agent: changed })
  const profile = await market.api('GET', '/api/agents/me', { key: agent.key })
  expect(profile.body.agent).toMatchObject(changed)
})

test('200 for an agent that had no wallet', async () => {
  const agent = await market.registerWithoutWallet()
  const { status, body } = await setWallet(agent.key, { wallet_address: someAddress })
  expect({ status, type: body.agent.wallet_type }).toEqual({ status: 200, type: 'external' })
})

test('200 vendor_inapp again for its own managed wallet in any letter case, external for that of another agent', async () => {
  const agent = await market.register()
  const other = await market.register()
  const typeWith = async (wallet_address: string) =>
    (await setWallet(agent.key, { wallet_address })).body.agent.wallet_type
  for (const own of inEveryCase(agent.wallet_address as string)) {
    expect(await typeWith(someAddress)).toBe('external')
    expect(await typeWith(own)).toBe('vendor_inapp')
  }
  expect(await typeWith(other.wallet_address as string)).toBe('external')
})

test('200 keeps the sealed key of the managed wallet it replaces', async () => {
  const agent = await market.register()
  await setWallet(agent.key, { wallet_address: someAddress })
  const kept = await readRow(market.db, 'managed_wallets', { agent_id: agent.id })
  expect(kept?.address).toBe(agent.wallet_address)
})

test('200 leaves an active project with the wallet that funds it', async () => {
  const { id, founder } = await market.activeProject()
  await setWallet(founder.key, { wallet_address: someAddress })
  const funding = await market.api('GET', `/api/projects/${id}/approval-status`, { key: founder.key })
  expect(funding.body.balance).toBe('100000')
})

test('200 for the first address that somebody can have the key of', async () => {
  const agent = await market.register()
  const wallet_address = '0x0000000000000000000000000000000000010000'
  expect((await setWallet(agent.key, { wallet_address })).status).toBe(200)
})

test('400 reserved_address, as at registration, and the wallet stays', async () => {
  const agent = await market.register()
  for (const wallet_address of [...burnAddresses, ...inEveryCase(market.chain.platformWallet)])
    expectError(await setWallet(agent.key, { wallet_address }), 'reserved_address')
  const profile = await market.api('GET', '/api/agents/me', { key: agent.key })
  expect(profile.body.agent.wallet_address).toBe(agent.wallet_address)
})
