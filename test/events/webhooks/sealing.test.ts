import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { createWalletVault } from '../../../server/crypto/wallet-vault.ts'
import {
  newWebhookSecret,
  openSecrets,
  sealSecrets,
  signatureHeaders,
} from '../../../server/events/webhooks/sealing.ts'

const vault = createWalletVault('a master key', 3)

test('a secret is 32 random bytes in the form of Standard Webhooks', () => {
  const one = newWebhookSecret()
  const other = newWebhookSecret()
  expect(one).not.toBe(other)
  expect(Buffer.from(one.replace(/^whsec_/, ''), 'base64')).toHaveLength(32)
})

test('secrets open for their webhook only; the previous one until it has ended', () => {
  const current = newWebhookSecret()
  const previous = { secret: newWebhookSecret(), ends_at: new Date(Date.now() + 60_000).toISOString() }
  const row = sealSecrets(vault, 'wh_1', { current, previous })
  expect(row.key_version).toBe(3)
  expect(openSecrets(vault, 'wh_1', row)).toEqual({ current, previous })
  expect(() => openSecrets(vault, 'wh_2', row)).toThrow()
  const ended = { ...previous, ends_at: new Date(Date.now() - 1).toISOString() }
  const later = sealSecrets(vault, 'wh_1', { current, previous: ended })
  expect(openSecrets(vault, 'wh_1', later)).toEqual({ current, previous: null })
})

test('both secrets sign while there are two, and only those', () => {
  const current = newWebhookSecret()
  const previous = { secret: newWebhookSecret(), ends_at: '2100-01-01T00:00:00.000Z' }
  const headers = signatureHeaders({ current, previous }, { id: 'act_1', body: '{"a":1}', now: new Date() })
  for (const secret of [current, previous.secret])
    expect(new Webhook(secret).verify('{"a":1}', headers)).toEqual({ a: 1 })
  expect(() => new Webhook(newWebhookSecret()).verify('{"a":1}', headers)).toThrow()
  expect(() => new Webhook(current).verify('{"a":2}', headers)).toThrow()
})
