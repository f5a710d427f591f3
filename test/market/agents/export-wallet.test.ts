import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { privateKeyToAddress } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { createWalletVault } from '../../../server/crypto/wallet-vault.ts'
import { expectError, expectInvalid } from '../../support/errors.ts'
import { createRecipient, openHpke } from '../../support/hpke.ts'
import { createTestMarket } from '../../support/market.ts'
import { setRows } from '../../support/stored.ts'

const market = await createTestMarket()

const path = '/api/agents/me/wallet/export'
const recipient = createRecipient()
const exportOf = (key: string, recipient_public_key: unknown = recipient.spki, headers = {}, by = market) =>
  by.api('POST', path, { key, body: { recipient_public_key }, headers })
const open = (body: { encapsulated_key: string; ciphertext: string }, { pair } = recipient) =>
  openHpke(pair, body.encapsulated_key, body.ciphertext).toString()

describe('200', () => {
  test.each(['spki', 'point'] as const)('200 with the private key, for a public key as %s', async (form) => {
    const agent = await market.register()
    const { status, body } = await exportOf(agent.key, recipient[form])
    expect(status).toBe(200)
    expect(body).toEqual({
      encryption_type: 'HPKE',
      ciphertext: expect.any(String),
      encapsulated_key: expect.any(String),
    })
    // 66 characters and the tag of 16 bytes; an uncompressed point.
    expect(Buffer.from(body.ciphertext, 'base64')).toHaveLength(66 + 16)
    expect(Buffer.from(body.encapsulated_key, 'base64')).toHaveLength(65)
    expect(open(body)).toMatch(/^0x[0-9a-f]{64}$/)
    expect(privateKeyToAddress(open(body) as `0x${string}`)).toBe(agent.wallet_address)
    expect(() => open(body, createRecipient())).toThrow()
  })

  test('200 also after another wallet was set: the key is that of the managed one', async () => {
    const agent = await market.register()
    const body = { wallet_address: `0x${'5'.repeat(40)}` }
    expect((await market.api('PATCH', '/api/agents/me/wallet', { key: agent.key, body })).status).toBe(200)
    const exported = await exportOf(agent.key)
    expect(privateKeyToAddress(open(exported.body) as `0x${string}`)).toBe(agent.wallet_address)
  })

  test('200 again with the same bytes for the same Idempotency-Key, and another encryption without', async () => {
    const { key } = await market.register()
    const headers = { 'idempotency-key': randomUUID() }
    const first = await exportOf(key, recipient.spki, headers)
    const again = await exportOf(key, recipient.spki, headers)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect((await exportOf(key)).body.ciphertext).not.toBe(first.body.ciphertext)
    const { rows } = await sql<{ seconds: number }>`
      select round(extract(epoch from expires_at - created_at))::int as seconds from idempotency_keys
      where operation = 'agents.exportWallet'`.execute(market.db)
    expect(rows).toEqual([{ seconds: 3600 }])
  })

  test('200 records one private entry without content, which the feed does not show', async () => {
    const agent = await market.register()
    const feed = await market.api('GET', '/api/activity')
    await exportOf(agent.key)
    const entries = await market.db
      .selectFrom('activity')
      .where('agent_id', '=', agent.id)
      .where('type', '!=', 'agent.registered')
      .selectAll()
      .execute()
    expect(entries).toMatchObject([
      { type: 'wallet.exported', visibility: 'private', data: {}, project_id: null, bounty_id: null },
    ])
    expect((await market.api('GET', '/api/activity')).body).toEqual(feed.body)
  })
})

test.each([
  ['nothing', null],
  ['no base64', '<key>'],
  ['the example of the document', 'ReplaceThisByYourOwnPublicKey'],
  [
    'a point that is not on the curve',
    Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64'),
  ],
  [
    'a key of another curve',
    'MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAEebVi5MEVo3Ta4E9QjyFvSRUdMIt+4AyTZ1S7cGI6jFVcO4l/',
  ],
  ['half a key', recipient.spki.slice(0, 60)],
])('400 validation_failed for %s', async (_, given) => {
  const agent = await market.register()
  expectInvalid(await exportOf(agent.key, given), 'recipient_public_key')
  const exported = market.db.selectFrom('activity').where('agent_id', '=', agent.id).select('type')
  expect(await exported.execute()).toEqual([{ type: 'agent.registered' }])
})

test('409 wallet_not_managed for a wallet of its own, and for none', async () => {
  const external = await market.register({ wallet_address: `0x${'5'.repeat(40)}` })
  for (const { key } of [external, await market.registerWithoutWallet()])
    expectError(await exportOf(key), 'wallet_not_managed')
})

test('429 rate_limited after five requests of an agent in an hour, in all processes, although limits are off', async () => {
  const twin = await createTestMarket({
    sharing: market,
    engines: false,
    settings: { WALLET_MASTER_KEY: market.services.config.WALLET_MASTER_KEY ?? '' },
  })
  const { key } = await market.register()
  for (const by of [market, twin, market, twin, market])
    expect((await exportOf(key, recipient.spki, {}, by)).status).toBe(200)
  for (const by of [twin, market]) {
    const refused = await exportOf(key, recipient.spki, {}, by)
    expectError(refused, 'rate_limited')
    expect(refused.headers.get('ratelimit-policy')).toBe('"exports";q=5;w=3600')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
  }
  const other = await market.register()
  expect((await exportOf(other.key)).status).toBe(200)
  expect((await market.api('GET', '/api/agents/me', { key })).headers.get('ratelimit')).toBeNull()
})

describe('without the master key of the wallet', () => {
  test('503 unavailable in a process that does not have the newest key yet, 200 in one that has both', async () => {
    const settings = {
      WALLET_MASTER_KEY: randomUUID() + randomUUID(),
      WALLET_MASTER_KEY_VERSION: '2',
      WALLET_MASTER_KEY_PREVIOUS: market.services.config.WALLET_MASTER_KEY ?? '',
    }
    const newer = await createTestMarket({ sharing: market, engines: false, settings })
    const old = await market.register()
    const fresh = await newer.register()
    expectError(await exportOf(fresh.key), 'unavailable')
    for (const { key, wallet_address } of [old, fresh]) {
      const { body } = await exportOf(key, recipient.spki, {}, newer)
      expect(privateKeyToAddress(open(body) as `0x${string}`)).toBe(wallet_address)
    }
  })

  test('500 internal_error for a row that was altered, without a word about it', async () => {
    const agent = await market.register()
    const { sealedKey } = createWalletVault(market.services.config.WALLET_MASTER_KEY ?? '', 1).generate(
      'agent_other',
    )
    await setRows(market.db, 'managed_wallets', { agent_id: agent.id }, { sealed_key: sealedKey })
    expectError(await exportOf(agent.key), 'internal_error')
  })
})
