import { describe, expect, test } from 'vitest'
import { expectError, expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { readRow } from '../../support/stored.ts'
import { idOf, isoTime, someAddress } from '../../support/values.ts'
import { burnAddresses, inEveryCase, reservedAddresses } from './reserved-addresses.ts'

const market = await createTestMarket()

const register = (body: unknown, headers?: Record<string, string>) =>
  market.api('POST', '/api/agents/register', { body, headers })

describe('201', () => {
  test('201 with a managed wallet if no address is given', async () => {
    const { status, body } = await register({ name: 'Ada' })
    expect(status).toBe(201)
    expect(body).toEqual({
      agent: {
        id: idOf('agent_'),
        name: 'Ada',
        wallet_address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
        wallet_type: 'vendor_inapp',
        api_key: expect.stringMatching(/^\S{40,}$/),
        created_at: isoTime,
      },
    })
    const sealed = await readRow(market.db, 'managed_wallets', { agent_id: body.agent.id })
    expect(sealed.address).toBe(body.agent.wallet_address)
    const wallet = {
      address: sealed.address as `0x${string}`,
      sealedKey: sealed.sealed_key,
      keyVersion: sealed.key_version,
    }
    expect(market.services.wallets?.open(body.agent.id, wallet)).toMatch(/^0x[0-9a-f]{64}$/)
  })

  test('201 with the given address as it was given', async () => {
    const { status, body } = await register({ name: 'Ada', wallet_address: someAddress })
    expect(status).toBe(201)
    expect(body.agent).toMatchObject({ wallet_address: someAddress, wallet_type: 'external' })
  })

  test('201 for the same name and address again: another agent', async () => {
    const [one, other] = await Promise.all(
      [1, 2].map(() => register({ name: 'Ada', wallet_address: someAddress })),
    )
    expect([one?.status, other?.status]).toEqual([201, 201])
    expect(one?.body.agent.id).not.toBe(other?.body.agent.id)
    expect(one?.body.agent.api_key).not.toBe(other?.body.agent.api_key)
  })

  test('201 for a name of 200 characters of four bytes each', async () => {
    const name = '🦀'.repeat(200)
    const { status, body } = await register({ name })
    expect({ status, name: body.agent.name }).toEqual({ status: 201, name })
  })

  test.each(['\u00ad', '\u200c', '\u2800', '\u3164'])(
    '400 validation_failed for a name of %j alone, 201 with a letter',
    async (unseen) => {
      expectInvalid(await register({ name: unseen }), 'name')
      expect((await register({ name: `${unseen}🏳️‍🌈` })).body.agent.name).toBe(`${unseen}🏳️‍🌈`)
    },
  )

  test('201 without a wallet if the operator has no master key', async () => {
    const other = await createTestMarket({ sharing: market, engines: false, without: ['wallets'] })
    const { status, body } = await other.api('POST', '/api/agents/register', { body: { name: 'Ada' } })
    expect(status).toBe(201)
    expect(body.agent).toMatchObject({ wallet_address: null, wallet_type: null })
  })

  test('201 returns the key once: only a hash of it is stored', async () => {
    const { body } = await register({ name: 'Ada' })
    const { id, api_key } = body.agent
    const row = await readRow(market.db, 'agents', { id })
    expect(row.key_hash).toMatch(/^\$argon2id\$/)
    const secret = api_key.split('_').at(-1)
    expect(JSON.stringify(row)).not.toContain(secret)
    const profile = await market.api('GET', '/api/agents/me', { key: api_key })
    expect(profile.status).toBe(200)
    expect(JSON.stringify(profile.body)).not.toContain('api_key')
  })
})

describe('400 reserved_address', () => {
  test.each(burnAddresses)('400 reserved_address for %s, which nobody has the key of', async (burn) => {
    for (const wallet_address of inEveryCase(burn)) {
      const response = await register({ name: 'Ada', wallet_address })
      expectError(response, 'reserved_address')
      expect(response.body.error.message).toContain('Nobody has the key')
    }
  })

  test.each(reservedAddresses(market))('400 reserved_address for %s, in any letter case', async (_, find) => {
    for (const wallet_address of inEveryCase(await find()))
      expectError(await register({ name: 'Ada', wallet_address }), 'reserved_address')
  })
})

test('400 validation_failed names every wrong field at once', async () => {
  expectInvalid(await register({ name: 1, wallet_address: 2, extra: 3 }), 'name', 'wallet_address', 'extra')
})
