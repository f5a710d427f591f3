/** @module-tag python */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { signWebhook } from '../../../sdk/src/testing/index.ts'
import { signatureHeaders } from '../../../server/events/webhooks/sealing.ts'
import { unpackPython } from '../support/python.ts'

let site: string
beforeAll(async () => {
  site = await unpackPython()
})

interface Delivery {
  headers: Record<string, string>
  body: unknown
  secret?: unknown
}

const secretOf = (bytes: number) => `whsec_${randomBytes(bytes).toString('base64')}`
const secret = secretOf(32)
const event = { id: 'act_1', type: 'künftig.✓', created_at: '2026-01-31T12:00:00.000Z', data: {} }
const body = JSON.stringify({ type: event.type, timestamp: event.created_at, data: event })

/** What the service sends, `age` seconds ago. */
function sent({ by = secret, age = 0, also = '', text = body } = {}): Delivery & { body: string } {
  const now = new Date(Date.now() - age * 1000)
  const previous = also ? { secret: also, ends_at: now.toISOString() } : null
  return {
    headers: signatureHeaders({ current: by, previous }, { id: event.id, body: text, now }),
    body: text,
  }
}

/** What the package says about each. */
function verified(deliveries: Delivery[]): string[] {
  const input = deliveries.map((delivery) => JSON.stringify({ secret, ...delivery })).join('\n')
  const env = { ...process.env, PYTHONPATH: site, PYTHONDONTWRITEBYTECODE: '1' }
  const { stdout, stderr } = spawnSync('python3', [join(import.meta.dirname, 'verify.py')], { input, env })
  expect(String(stderr)).toBe('')
  return String(stdout).trimEnd().split('\n')
}

test('verify_webhook returns what the service has signed in the last five minutes, by any of its secrets', async () => {
  const older = secretOf(24)
  const newer = secretOf(64)
  const { headers } = sent()
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  )
  const versions = `v1a,AAAA v2,BBBB v1,not-base64! v1 ${headers['webhook-signature']}`
  const deliveries = [
    sent(),
    sent({ age: 290 }),
    sent({ age: -290 }),
    { headers: upper, body },
    { headers: { ...headers, 'webhook-signature': versions }, body },
    { ...sent({ by: newer, also: older }), secret: older },
    { ...sent({ by: older }), secret: [newer, older] },
    await signWebhook(body, secret, { id: 'other' }),
  ]
  expect(verified(deliveries)).toEqual(deliveries.map(() => 'act_1'))
})

test('verify_webhook refuses what the service has not signed lately, with the reason', () => {
  const { headers } = sent()
  const changed = (name: string, value: string): Delivery => ({
    headers: { ...headers, [name]: value },
    body,
  })
  const all: [Delivery, string][] = [
    ...Object.keys(headers).map((name): [Delivery, string] => [changed(name, ''), 'missing_header']),
    [{ headers: {}, body }, 'missing_header'],
    [sent({ age: 310 }), 'timestamp_refused'],
    [sent({ age: -310 }), 'timestamp_refused'],
    ...['yesterday', '²', '1e9', '-1', '9'.repeat(5_000)].map((time): [Delivery, string] => [
      changed('webhook-timestamp', time),
      'timestamp_refused',
    ]),
    [{ headers, body: body.replace('act_1', 'act_2') }, 'signature_mismatch'],
    [{ headers, body: '' }, 'signature_mismatch'],
    [{ headers, body, secret: secretOf(32) }, 'signature_mismatch'],
    [changed('webhook-id', 'act_2'), 'signature_mismatch'],
    [changed('webhook-timestamp', String(Math.floor(Date.now() / 1000) - 60)), 'signature_mismatch'],
    [changed('webhook-signature', 'v1,'), 'signature_mismatch'],
    ...['hello', 'null', '[]', '{"data":{}}', '{"data":{"id":1,"type":"a"}}'].map(
      (text): [Delivery, string] => [sent({ text }), 'not_an_event'],
    ),
  ]
  expect(verified(all.map(([delivery]) => delivery))).toEqual(all.map(([, reason]) => reason))
})

test('a secret of another length and a parsed body are the program’s fault, and a challenge is echoed without a secret', () => {
  const wrong = [null, '', [], [secret, ''], 'whsec_', secret.slice(6), secretOf(23), secretOf(65)]
  const ofSecret = wrong.map((each): Delivery => ({ ...sent(), secret: each }))
  const challenge = '{"type":"webhook.challenge","data":{"challenge":"c"}}'
  const printed = verified([
    ...ofSecret,
    { ...sent(), body: JSON.parse(body) },
    { headers: {}, body: challenge, secret: null },
  ])
  expect(printed).toEqual([
    ...wrong.map(() => 'secret must be the whsec_… of a webhook, or a list of such'),
    'body must be the raw body of the request, a string or bytes: it was parsed before',
    "{'challenge': 'c'}",
  ])
})
