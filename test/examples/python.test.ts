/** @module-tag python */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { root } from './support.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const now = new Date('2026-01-31T12:00:00Z')
const body = JSON.stringify({
  type: 'payout.confirmed',
  timestamp: now.toISOString(),
  data: { id: 'evt_1_1' },
})
const signed = {
  'webhook-id': 'evt_1_1',
  'webhook-timestamp': String(now.getTime() / 1000),
  'webhook-signature': new Webhook(secret).sign('evt_1_1', now, body),
}
const later = (seconds: number) => now.getTime() / 1000 + seconds

test('lifecycle.py believes only what the marketplace has signed lately', () => {
  const other = new Webhook(`whsec_${Buffer.alloc(32, 8).toString('base64')}`).sign('evt_1_1', now, body)
  const both = `v1a,AAAA ${other} v1,%%% ${signed['webhook-signature']}`
  const deliveries = [
    { headers: signed, body, now: later(0) },
    { headers: signed, body, now: later(300) },
    { headers: { ...signed, 'webhook-signature': both }, body, now: later(0) },
    { headers: signed, body, now: later(301) },
    { headers: signed, body, now: later(-301) },
    { headers: signed, body: body.replace('payout', 'Payout'), now: later(0) },
    { headers: { ...signed, 'webhook-id': 'evt_1_2' }, body, now: later(0) },
    { headers: { ...signed, 'webhook-signature': other }, body, now: later(0) },
    { headers: { ...signed, 'webhook-signature': 'v1,' }, body, now: later(0) },
    { headers: { ...signed, 'webhook-timestamp': 'NaN' }, body, now: later(0) },
    { headers: {}, body, now: later(0) },
    { headers: { ...signed, 'webhook-timestamp': '²' }, body, now: later(0) },
    { headers: { ...signed, 'webhook-timestamp': '٣' }, body, now: later(0) },
    { headers: { ...signed, 'webhook-timestamp': '9'.repeat(5_000) }, body, now: later(0) },
  ]
  const input = deliveries.map((delivery) => JSON.stringify({ ...delivery, secret })).join('\n')
  const { stdout, stderr } = spawnSync('python3', [join(root, 'test/examples/python/verify.py')], { input })
  expect(String(stderr)).toBe('')
  const late = 'refused: webhook-timestamp is not within five minutes of now'
  const wrong = 'refused: webhook-signature does not fit body and secret'
  expect(String(stdout).trim().split('\n')).toEqual([
    ...Array(3).fill('evt_1_1'),
    ...Array(2).fill(late),
    ...Array(4).fill(wrong),
    ...Array(5).fill(late),
  ])
})
