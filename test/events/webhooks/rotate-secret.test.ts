import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { openSecrets, signatureHeaders } from '../../../server/events/webhooks/sealing.ts'
import { expectError } from '../../support/errors.ts'
import { readRow } from '../../support/stored.ts'
import { createWebhookScene } from '../../support/webhooks.ts'

const { market, receiver, hooks, agent } = await createWebhookScene()
const rotate = (id: string, by: { key: string } = agent) => hooks.call('POST', `/${id}/rotate-secret`, by)

async function secretsOf(id: string) {
  const row = await readRow(market.db, 'webhooks', { id })
  const vault = market.services.wallets
  if (!vault) throw new Error('no vault')
  return openSecrets(vault, id, row)
}

test('200 with a new secret; both sign for a day', async () => {
  const { webhook, secret: first } = await hooks.create(agent, receiver.url)
  const begun = Date.now()
  const { status, body } = await rotate(webhook.id)
  expect([status, body.webhook]).toEqual([200, webhook])
  expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(body.secret).not.toBe(first)
  const day = 86_400_000
  const end = Date.parse(body.replaced_secret_ends_at)
  expect(end).toBeGreaterThanOrEqual(begun + day)
  expect(end).toBeLessThanOrEqual(Date.now() + day)
  const message = { id: 'act_1', body: '{}', now: new Date() }
  const headers = signatureHeaders(await secretsOf(webhook.id), message)
  for (const secret of [first, body.secret]) expect(new Webhook(secret).verify('{}', headers)).toEqual({})
})

test('200 again: the secret before the last one signs no more', async () => {
  const { webhook, secret: first } = await hooks.create(agent, receiver.url)
  const second = (await rotate(webhook.id)).body.secret
  const third = (await rotate(webhook.id)).body.secret
  expect(await secretsOf(webhook.id)).toMatchObject({ current: third, previous: { secret: second } })
  const headers = signatureHeaders(await secretsOf(webhook.id), { id: 'a', body: '{}', now: new Date() })
  expect(() => new Webhook(first).verify('{}', headers)).toThrow()
})

test('503 unavailable with a master key that does not open it', async () => {
  const { webhook } = await hooks.create(agent, receiver.url)
  await market.db.updateTable('webhooks').set({ key_version: 7 }).where('id', '=', webhook.id).execute()
  expectError(await rotate(webhook.id), 'unavailable')
})
