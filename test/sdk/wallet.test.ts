import { privateKeyToAddress } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { Marketplace } from '../../sdk/src/index.ts'
import { createExportKeys, exportWallet, openExport } from '../../sdk/src/wallet/index.ts'
import { createTestMarket } from '../support/market.ts'

const market = await createTestMarket({ engines: false })
const client = (apiKey: string) => new Marketplace({ baseUrl: market.baseUrl, apiKey })

test('exportWallet gives the private key of the managed wallet', async () => {
  const agent = await market.register()
  expect(privateKeyToAddress(await exportWallet(client(agent.key)))).toBe(agent.wallet_address)
})

test('exportWallet rejects with the error of the service', async () => {
  const agent = await market.register({ wallet_address: `0x${'5'.repeat(40)}` })
  await expect(exportWallet(client(agent.key))).rejects.toMatchObject({ code: 'wallet_not_managed' })
})

describe('openExport', async () => {
  const agent = await market.register()
  const keys = await createExportKeys()
  const request = { recipient_public_key: keys.recipientPublicKey }
  const exported = await client(agent.key).agents.exportWallet(request)

  test('opens a response as often as it is asked to', async () => {
    const opened = [await openExport(exported, keys), await openExport(exported, keys)]
    for (const key of opened) expect(privateKeyToAddress(key)).toBe(agent.wallet_address)
  })

  test('rejects a response to other keys, and one that was altered', async () => {
    await expect(openExport(exported, await createExportKeys())).rejects.toThrow()
    const ciphertext = Buffer.from(exported.ciphertext, 'base64')
    ciphertext[0]! ^= 1
    await expect(
      openExport({ ...exported, ciphertext: ciphertext.toString('base64') }, keys),
    ).rejects.toThrow()
  })
})

test('keys are new each time, and the private one cannot be read', async () => {
  const one = await createExportKeys()
  const other = await createExportKeys()
  expect(one.recipientPublicKey).not.toBe(other.recipientPublicKey)
  expect(Object.keys(one)).toEqual(['recipientPublicKey', 'decrypt'])
})
