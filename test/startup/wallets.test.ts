import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { readConfig } from '../../server/config/config.ts'
import { createWalletVault, type WalletVault } from '../../server/crypto/wallet-vault.ts'
import type { Database } from '../../server/db/client.ts'
import { checkConfiguration } from '../../server/ops/check-configuration.ts'
import { explain } from '../../server/ops/explain.ts'
import { connect } from '../../server/startup/connect/connect.ts'
import { openTestDatabase } from '../support/database.ts'
import { createRows } from '../support/rows.ts'
import { until } from '../support/until.ts'

const [oldKey, newKey, mistyped] = ['the key until now', 'the key from now on', 'the kye from now on'].map(
  (key) => key.padEnd(32, '.'),
) as [string, string, string]

const rotated = (key: string, previous: string) => ({
  WALLET_MASTER_KEY: key,
  WALLET_MASTER_KEY_VERSION: '2',
  WALLET_MASTER_KEY_PREVIOUS: previous,
})
const otherKey = (setting: string, version: number) =>
  `setting ${setting}: this database knows another key as version ${version} of the master key`

/** A database of the test's own, and servers that start on it. */
async function installation() {
  const { db, url } = await openTestDatabase({ size: 2 })
  const settingsOf = (keys: Record<string, string>) => ({
    EMBEDDED: 'off',
    DATABASE_URL: url,
    ...keys,
  })
  return {
    db,
    /** 'started', or what the operator reads. */
    async start(keys: Record<string, string>): Promise<string> {
      try {
        const server = await connect(readConfig(settingsOf(keys)), pino({ level: 'silent' }), () => undefined)
        await server.close()
        return 'started'
      } catch (error) {
        return explain(error)
      }
    },
    /** What `config:check` says about the master keys. */
    async check(keys: Record<string, string>): Promise<string[]> {
      const findings = await checkConfiguration(settingsOf(keys))
      return findings
        .filter(({ about }) => about.startsWith('WALLET_'))
        .map(({ level, about, text }) => `${level} ${about}: ${text}`)
    },
  }
}

async function storeWallet(db: Database, vault: WalletVault): Promise<string> {
  const agentId = await createRows(db).agent()
  const { address, sealedKey, keyVersion } = vault.generate(agentId)
  const row = { agent_id: agentId, address, sealed_key: sealedKey, key_version: keyVersion }
  await db.insertInto('managed_wallets').values(row).execute()
  return agentId
}

const canaries = async (db: Database) => {
  const rows = await db
    .selectFrom('service_keys')
    .where('name', 'like', 'wallet master key v%')
    .select('name')
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

test('a key that opens no wallet from before the canaries is refused and leaves none; the right one starts', async () => {
  const { db, start, check } = await installation()
  await storeWallet(db, createWalletVault(oldKey, 1))
  expect(await start({ WALLET_MASTER_KEY: mistyped })).toBe(otherKey('WALLET_MASTER_KEY', 1))
  expect(await check({ WALLET_MASTER_KEY: mistyped })).toEqual([
    'wrong WALLET_MASTER_KEY: this database knows another key as version 1 of the master key',
  ])
  expect(await check({})).toContain(
    'wrong WALLET_MASTER_KEY: not set, but the database has wallets or webhooks sealed with one',
  )
  expect(await canaries(db)).toEqual([])
  expect(await start({ WALLET_MASTER_KEY: oldKey })).toBe('started')
  expect(await canaries(db)).toEqual(['wallet master key v1'])
  expect(await check({ WALLET_MASTER_KEY: oldKey })).toEqual([
    'ok WALLET_MASTER_KEY: opens what this database has sealed (1 wallets)',
  ])
})

test('a second server with another key of the version is refused before there is a wallet, and config:check says it', async () => {
  const { start, check } = await installation()
  expect(await check({ WALLET_MASTER_KEY: mistyped })).toEqual([])
  expect(await start({ WALLET_MASTER_KEY: oldKey })).toBe('started')
  expect(await start({ WALLET_MASTER_KEY: mistyped })).toBe(otherKey('WALLET_MASTER_KEY', 1))
  expect(await check({ WALLET_MASTER_KEY: mistyped })).toEqual([
    'wrong WALLET_MASTER_KEY: this database knows another key as version 1 of the master key',
  ])
  expect(await start({ WALLET_MASTER_KEY: oldKey })).toBe('started')
})

test('of two servers that start at once with different keys the second to store its canary is refused', async () => {
  const { db, start } = await installation()
  const name = 'wallet master key v1'
  const second = await db.transaction().execute(async (trx) => {
    const value = createWalletVault(newKey, 1).sealCanary(1)
    await trx.insertInto('service_keys').values({ name, value }).execute()
    const starting = start({ WALLET_MASTER_KEY: mistyped })
    await until(async () => {
      const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return (await waiting.execute(db)).rows.length > 0
    })
    return { starting }
  })
  expect(await second.starting).toBe(otherKey('WALLET_MASTER_KEY', 1))
  expect(await start({ WALLET_MASTER_KEY: newKey })).toBe('started')
})

test('a replacement with the right keys starts, a server with a mistyped new key does not, and config:check says what is left', async () => {
  const { db, start, check } = await installation()
  expect(await start({ WALLET_MASTER_KEY: oldKey })).toBe('started')
  await storeWallet(db, createWalletVault(oldKey, 1))
  expect(await start(rotated(newKey, oldKey))).toBe('started')
  expect(await canaries(db)).toEqual(['wallet master key v1', 'wallet master key v2'])
  expect(await start(rotated(mistyped, oldKey))).toBe(otherKey('WALLET_MASTER_KEY', 2))
  expect(await check(rotated(mistyped, oldKey))).toEqual([
    'wrong WALLET_MASTER_KEY: this database knows another key as version 2 of the master key',
    'ok WALLET_MASTER_KEY_PREVIOUS: still needed for 1 wallets, which the servers seal under the newest key',
  ])
  expect(await start({ WALLET_MASTER_KEY: oldKey })).toBe('started')

  await storeWallet(db, createWalletVault(newKey, 2))
  const opens = 'ok WALLET_MASTER_KEY: opens what this database has sealed (1 wallets)'
  expect(await check({ WALLET_MASTER_KEY: newKey, WALLET_MASTER_KEY_VERSION: '2' })).toEqual([
    opens,
    expect.stringMatching(/^wrong WALLET_MASTER_KEY_VERSION: 1 wallets were sealed under version 1/),
  ])
  await db.deleteFrom('managed_wallets').where('key_version', '=', 1).execute()
  expect(await check(rotated(newKey, oldKey))).toEqual([
    opens,
    'ok WALLET_MASTER_KEY_PREVIOUS: nothing needs it: remove it when every server has the newest key',
  ])
})

test.each([
  ['with a canary', true],
  ['with wallets from before the canaries', false],
])('a mistyped previous key is refused and leaves no canary of the new one: %s', async (_, hasCanary) => {
  const { db, start, check } = await installation()
  if (hasCanary) expect(await start({ WALLET_MASTER_KEY: oldKey })).toBe('started')
  else await storeWallet(db, createWalletVault(oldKey, 1))
  const before = await canaries(db)
  // The two keys swapped, and a slip of the finger.
  for (const keys of [rotated(oldKey, newKey), rotated(newKey, mistyped)]) {
    expect(await start(keys)).toBe(otherKey('WALLET_MASTER_KEY_PREVIOUS', 1))
    expect(await check(keys)).toEqual([
      'wrong WALLET_MASTER_KEY_PREVIOUS: this database knows another key as version 1 of the master key',
    ])
  }
  expect(await canaries(db)).toEqual(before)
  expect(await start(rotated(newKey, oldKey))).toBe('started')
  expect(await canaries(db)).toEqual(['wallet master key v1', 'wallet master key v2'])
})

test('a previous key that nothing proves leaves no canary', async () => {
  const { db, start } = await installation()
  expect(await start(rotated(newKey, mistyped))).toBe('started')
  expect(await canaries(db)).toEqual(['wallet master key v2'])
})

test('an altered wallet does not make the right key look wrong', async () => {
  const { db, start } = await installation()
  const agentIds = [
    await storeWallet(db, createWalletVault(oldKey, 1)),
    await storeWallet(db, createWalletVault(oldKey, 1)),
  ]
  await db
    .updateTable('managed_wallets')
    .set({ sealed_key: Buffer.alloc(60) })
    .where('agent_id', '=', agentIds.sort()[0] as string)
    .execute()
  expect(await start({ WALLET_MASTER_KEY: oldKey })).toBe('started')
})
