import type { Address } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { resealing } from '../../server/crypto/reseal.ts'
import { createWalletVault, type SealedWallet, type WalletVault } from '../../server/crypto/wallet-vault.ts'
import {
  newWebhookSecret,
  openSecrets,
  sealSecrets,
  type WebhookSecrets,
} from '../../server/events/webhooks/sealing.ts'
import { openTestDatabase } from '../support/database.ts'
import { createRows } from '../support/rows.ts'

const { db } = await openTestDatabase({ size: 6 })
const rows = createRows(db)

const oldKey = 'the master key until now'
const newKey = 'the master key from now on'
const before = createWalletVault(oldKey, 1)
const after = createWalletVault(newKey, 2, oldKey)

/** A log, and what was logged. */
function noted() {
  const lines: [level: string, fields: object, text: string][] = []
  const note = (level: string) => (fields: object, text: string) => void lines.push([level, fields, text])
  return { lines, log: { info: note('info'), error: note('error') } as never }
}

async function store(agentId: string, { address, sealedKey, keyVersion }: SealedWallet): Promise<void> {
  const row = { agent_id: agentId, address, sealed_key: sealedKey, key_version: keyVersion }
  await db.insertInto('managed_wallets').values(row).execute()
}

/** Wallets under the old key; the private key of each by its agent. */
async function storeWallets(count: number): Promise<Map<string, string>> {
  const keys = new Map<string, string>()
  for (let index = 0; index < count; index++) {
    const agentId = await rows.agent()
    const wallet = before.generate(agentId)
    await store(agentId, wallet)
    keys.set(agentId, before.open(agentId, wallet))
  }
  return keys
}

/** Opens every wallet as a signer does, by one read of its row. */
async function openAll(vault: WalletVault, agentIds: Iterable<string>): Promise<Map<string, string>> {
  const opened = new Map<string, string>()
  for (const agentId of agentIds) {
    const row = await db
      .selectFrom('managed_wallets')
      .where('agent_id', '=', agentId)
      .selectAll()
      .executeTakeFirstOrThrow()
    const wallet = {
      address: row.address as Address,
      sealedKey: row.sealed_key,
      keyVersion: row.key_version,
    }
    opened.set(agentId, vault.open(agentId, wallet))
  }
  return opened
}

beforeEach(async () => {
  await db.deleteFrom('managed_wallets').execute()
  await db.deleteFrom('webhooks').execute()
})

test('moves every wallet while three processes move them and others open them, and says when it is done', async () => {
  const keys = await storeWallets(250)
  const processes = [noted(), noted(), noted()]
  const passes = processes.map(({ log }) => resealing(db, after, log)())
  for (let round = 0; round < 3; round++) expect(await openAll(after, keys.keys())).toEqual(keys)
  await Promise.all(passes)
  expect(await openAll(createWalletVault(newKey, 2), keys.keys())).toEqual(keys)
  const lines = processes.flatMap(({ lines }) => lines)
  const moved = lines.map(([, fields]) => (fields as { moved: number }).moved)
  expect(moved.reduce((sum, count) => sum + count, 0)).toBe(250)
  expect(lines.filter(([, , text]) => text.includes('can be removed')).length).toBeGreaterThanOrEqual(1)
  expect(lines.filter(([level]) => level === 'error')).toEqual([])
})

test('moves what an earlier pass left, and reports the end once', async () => {
  const keys = await storeWallets(120)
  const interrupted = { ...after, reseal: failAfter(110, after.reseal) }
  const first = noted()
  await resealing(db, interrupted, first.log)()
  expect(first.lines.map(([level]) => level)).toEqual(['error', 'info'])
  const { lines, log } = noted()
  const pass = resealing(db, after, log)
  await pass()
  await pass()
  expect(lines).toEqual([['info', { moved: 10 }, expect.stringContaining('can be removed')]])
  expect(await openAll(createWalletVault(newKey, 2), keys.keys())).toEqual(keys)
})

function failAfter(count: number, reseal: WalletVault['reseal']): WalletVault['reseal'] {
  let calls = 0
  return (agentId, wallet) => {
    if (++calls > count) throw new Error('interrupted')
    return reseal(agentId, wallet)
  }
}

test('leaves a wallet that does not open as it is, moves the others and never says that it is done', async () => {
  const keys = await storeWallets(2)
  const agentId = await rows.agent()
  await store(agentId, createWalletVault('the key of somebody else', 1).generate(agentId))
  const { lines, log } = noted()
  const pass = resealing(db, after, log)
  await pass()
  await pass()
  const alarm = ['error', { agentId, wallets: 1 }, expect.stringMatching(/^NEEDS OPERATOR/)]
  expect(lines).toEqual([alarm, ['info', { moved: 2, left: 1 }, expect.anything()], alarm])
  expect(await openAll(createWalletVault(newKey, 2), keys.keys())).toEqual(keys)
})

test('does nothing without a previous key, or without a master key', async () => {
  await storeWallets(1)
  const { lines, log } = noted()
  for (const vault of [null, createWalletVault(newKey, 2)]) await resealing(db, vault, log)()
  expect(lines).toEqual([])
  expect(await db.selectFrom('managed_wallets').select('key_version').execute()).toEqual([{ key_version: 1 }])
})

test('moves the secrets of webhooks as well, and is not done before', async () => {
  const secrets = new Map<string, WebhookSecrets>()
  for (let count = 0; count < 120; count++) {
    const id = await rows.webhook()
    const own = { current: newWebhookSecret(), previous: null }
    secrets.set(id, own)
    await db
      .updateTable('webhooks')
      .set(sealSecrets(before, id, own))
      .where('id', '=', id)
      .execute()
  }
  const foreign = await rows.webhook({ sealed_secrets: Buffer.alloc(60) })
  const { lines, log } = noted()
  const pass = resealing(db, after, log)
  await pass()
  expect(lines).toEqual([
    ['error', { webhookId: foreign, webhooks: 1 }, expect.stringMatching(/^NEEDS OPERATOR: secrets/)],
    ['info', { moved: 120, left: 1 }, expect.anything()],
  ])
  await db.deleteFrom('webhooks').where('id', '=', foreign).execute()
  await pass()
  expect(lines[2]).toEqual(['info', { moved: 0 }, expect.stringContaining('can be removed')])
  const alone = createWalletVault(newKey, 2)
  const stored = await db.selectFrom('webhooks').selectAll().execute()
  expect(new Map(stored.map((row) => [row.id, openSecrets(alone, row.id, row)]))).toEqual(secrets)
})
