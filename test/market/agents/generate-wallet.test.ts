import { expect, test } from 'vitest'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { readRow } from '../../support/stored.ts'
import { isoTime } from '../../support/values.ts'

const market = await createTestMarket()

const path = '/api/agents/me/generate-wallet'

test('200 with a managed wallet', async () => {
  const agent = await market.registerWithoutWallet()
  const { status, body } = await market.api('POST', path, { key: agent.key })
  expect(status).toBe(200)
  expect(body).toEqual({
    agent: {
      id: agent.id,
      name: 'Ada',
      wallet_address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      wallet_type: 'vendor_inapp',
      created_at: isoTime,
    },
  })
  const sealed = await readRow(market.db, 'managed_wallets', { agent_id: agent.id })
  expect(sealed?.address).toBe(body.agent.wallet_address)
})

test('200 once of twenty at a time, the others 400 wallet_already_set', async () => {
  const agent = await market.registerWithoutWallet()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => market.api('POST', path, { key: agent.key })),
  )
  const won = answers.filter(({ status }) => status === 200)
  expect(won).toHaveLength(1)
  for (const lost of answers.filter(({ status }) => status !== 200)) expectError(lost, 'wallet_already_set')
  const profile = await market.api('GET', '/api/agents/me', { key: agent.key })
  expect(profile.body.agent.wallet_address).toBe(won[0]?.body.agent.wallet_address)
})

test('400 wallet_already_set for a managed and for an external wallet', async () => {
  const external = await market.register({ wallet_address: `0x${'5'.repeat(40)}` })
  for (const agent of [await market.register(), external])
    expectError(await market.api('POST', path, { key: agent.key }), 'wallet_already_set')
})
