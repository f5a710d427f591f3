import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { type Event, MarketplaceError } from '../../sdk/src/index.ts'
import { signWebhook } from '../../sdk/src/testing/index.ts'
import { challengeResponse, verifyWebhook, WebhookVerificationError } from '../../sdk/src/webhooks/index.ts'
import { signatureHeaders } from '../../server/events/webhooks/sealing.ts'

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`
const secret = newSecret()
const event = {
  id: 'act_1',
  type: 'payout.confirmed',
  agent_id: 'agent_1',
  project_id: 'proj_1',
  bounty_id: 'bnt_1',
  submission_id: 'sub_1',
  data: { tx_hash: `0x${'5c'.repeat(32)}` },
  created_at: '2026-01-31T12:00:00.000Z',
}
const payload = { type: event.type, timestamp: event.created_at, data: event }
const body = JSON.stringify(payload)

/** The headers that the official library signs, `age` seconds ago. */
function signed(text = body, { by = [secret], age = 0, id = event.id } = {}) {
  const at = new Date(Date.now() - age * 1000)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': by.map((each) => new Webhook(each).sign(id, at, text)).join(' '),
  }
}

const refusal = (verifying: Promise<unknown>) =>
  verifying.then(
    () => 'verified',
    (error) => error.reason,
  )

describe('a delivery that the official library has signed is verified', () => {
  const { 'webhook-id': id, ...rest } = signed()
  test.each([
    ['a record', signed()],
    ['Headers', new Headers(signed())],
    ['a record in other letter case', { 'Webhook-ID': id, ...rest }],
    [
      'a record of lists, with other headers',
      { ...rest, 'webhook-id': [id], host: 'a', 'set-cookie': undefined },
    ],
  ])('with %s', async (_, headers) => {
    expect(await verifyWebhook(headers, body, secret)).toEqual(payload)
  })

  const bytes = new TextEncoder().encode(body)
  test.each([
    ['bytes', bytes],
    ['a Buffer within another', Buffer.from(`..${body}..`).subarray(2, -2)],
    ['an ArrayBuffer', bytes.buffer],
  ])('with its body as %s', async (_, raw) => {
    expect(await verifyWebhook(signed(), raw, secret)).toEqual(payload)
  })

  test('with a body beyond ASCII', async () => {
    const text = JSON.stringify({ ...payload, data: { ...event, type: 'künftig.✓' } })
    expect(await verifyWebhook(signed(text), Buffer.from(text), secret)).toMatchObject({
      data: { type: 'künftig.✓' },
    })
  })

  test('by either of two signatures, and by either of two secrets', async () => {
    const older = newSecret()
    const newer = newSecret()
    const overlapping = signed(body, { by: [newer, older] })
    expect(await refusal(verifyWebhook(overlapping, body, older))).toBe('verified')
    expect(await refusal(verifyWebhook(overlapping, body, newer))).toBe('verified')
    expect(await refusal(verifyWebhook(signed(body, { by: [older] }), body, [newer, older]))).toBe('verified')
  })

  test('beside signatures of other versions', async () => {
    const headers = signed()
    headers['webhook-signature'] = `v1a,AAAA v2,BBBB v1,not-base64! v1 ${headers['webhook-signature']}`
    expect(await refusal(verifyWebhook(headers, body, secret))).toBe('verified')
  })

  test.each([290, -290])('%s seconds old', async (age) => {
    expect(await refusal(verifyWebhook(signed(body, { age }), body, secret))).toBe('verified')
  })
})

describe('WebhookVerificationError', () => {
  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('missing_header %s', async (name) => {
    const verifying = verifyWebhook({ ...signed(), [name]: undefined }, body, secret)
    await expect(verifying).rejects.toThrow(WebhookVerificationError)
    await expect(verifying).rejects.toThrow(name)
    expect(await refusal(verifying)).toBe('missing_header')
    const headers = new Headers(signed())
    headers.delete(name)
    expect(await refusal(verifyWebhook(headers, body, secret))).toBe('missing_header')
  })

  test.each([310, -310])('timestamp_refused %s seconds old', async (age) => {
    expect(await refusal(verifyWebhook(signed(body, { age }), body, secret))).toBe('timestamp_refused')
  })

  test.each(['yesterday', '1e9', '-1', '1.5'])('timestamp_refused %s', async (timestamp) => {
    const headers = { ...signed(), 'webhook-timestamp': timestamp }
    expect(await refusal(verifyWebhook(headers, body, secret))).toBe('timestamp_refused')
  })

  test.each([
    ['another secret', signed(), body, newSecret()],
    ['an altered body', signed(), body.replace('bnt_1', 'bnt_2'), secret],
    ['an empty body', signed(), '', secret],
    ['another id', { ...signed(), 'webhook-id': 'act_2' }, body, secret],
    [
      'another timestamp',
      { ...signed(), 'webhook-timestamp': signed(body, { age: 60 })['webhook-timestamp'] },
      body,
      secret,
    ],
    ['a signature cut short', { ...signed(), 'webhook-signature': 'v1,' }, body, secret],
  ])('signature_mismatch with %s', async (_, headers, text, by) => {
    expect(await refusal(verifyWebhook(headers, text, by))).toBe('signature_mismatch')
  })

  test.each([
    ['no JSON', 'hello'],
    ['no event', '{"type":"payout.confirmed","data":{}}'],
    ['a challenge', '{"type":"webhook.challenge","data":{"challenge":"c"}}'],
    ['null', 'null'],
  ])('not_an_event for %s, though signed', async (_, text) => {
    expect(await refusal(verifyWebhook(signed(text), text, secret))).toBe('not_an_event')
  })

  test('its message has neither the secret nor the body', async () => {
    const other = newSecret()
    const error = await verifyWebhook(signed(), body, other).catch((thrown: Error) => thrown)
    expect(String(error)).not.toContain(other.slice(6))
    expect(String(error)).not.toContain('bnt_1')
  })
})

describe('MarketplaceError, so that a delivery that is genuine is not refused', () => {
  const itself = (error: unknown) => [(error as Error).constructor.name, (error as Error).message]

  const [, base64 = ''] = secret.split('_')
  const ofBytes = (count: number) => `whsec_${Buffer.alloc(count, 7).toString('base64')}`
  const refused = [
    undefined,
    null,
    '',
    [],
    [undefined],
    [secret, ''],
    'whsec_',
    'whsec_not base64!',
    base64,
    ofBytes(1),
    ofBytes(23),
    ofBytes(65),
  ]
  test.each(refused)('with the secret %j', async (wrong) => {
    for (const headers of [signed(), {}]) {
      const error = await verifyWebhook(headers, body, wrong as string).catch(itself)
      expect(error).toEqual(['MarketplaceError', expect.stringContaining('whsec_')])
      expect(String(error)).not.toContain(base64)
    }
  })

  test.each([24, 64])('but not with a key of %i bytes, which the specification allows', async (count) => {
    const key = ofBytes(count)
    const { headers, body: signedBody } = await signWebhook('{}', key)
    expect(await refusal(verifyWebhook(headers, signedBody, key))).toBe('not_an_event')
  })

  test.each([payload, {}, undefined, null, [1], 7])('with a body that was parsed: %j', async (wrong) => {
    const error = await verifyWebhook(signed(), wrong as never, secret).catch(itself)
    expect(error).toEqual(['MarketplaceError', expect.stringContaining('raw body')])
    expect(() => challengeResponse(wrong as never)).toThrow(MarketplaceError)
    expect(() => challengeResponse(wrong as never)).toThrow('raw body')
  })
})

test('challengeResponse echoes a challenge, and nothing else', () => {
  const challenge = JSON.stringify({ type: 'webhook.challenge', timestamp: 'now', data: { challenge: 'c' } })
  expect(challengeResponse(challenge)).toEqual({ challenge: 'c' })
  expect(challengeResponse(Buffer.from(challenge))).toEqual({ challenge: 'c' })
  for (const other of [body, 'hello', 'null', '[]', '{"type":"webhook.challenge","data":{"challenge":1}}'])
    expect(challengeResponse(other)).toBeUndefined()
})

describe('signWebhook', () => {
  const sent = { ...event, actor_id: null } as Event
  const delivered = JSON.stringify({ type: sent.type, timestamp: sent.created_at, data: sent })

  test('signs as the service does, and both verify', async () => {
    const current = newSecret()
    const previous = newSecret()
    const at = new Date()
    const overlap = { secret: previous, ends_at: at.toISOString() }
    const ofService = signatureHeaders(
      { current, previous: overlap },
      { id: sent.id, body: delivered, now: at },
    )
    const { headers, body: signedBody } = await signWebhook(sent, [current, previous], { at })
    expect(signedBody).toBe(delivered)
    expect(headers).toEqual({ 'content-type': 'application/json', ...ofService })
    for (const each of [ofService, headers])
      expect((await verifyWebhook(each, delivered, previous)).data).toEqual(sent)
  })

  test('signs any body, at any time, so that what a receiver must refuse can be sent', async () => {
    const late = await signWebhook(sent, secret, { at: new Date(Date.now() - 400_000) })
    expect(await refusal(verifyWebhook(late.headers, late.body, secret))).toBe('timestamp_refused')
    const other = await signWebhook('{"type":"webhook.challenge","data":{"challenge":"c"}}', secret, {
      id: 'x',
    })
    expect(other.headers['webhook-id']).toBe('x')
    expect(challengeResponse(other.body)).toEqual({ challenge: 'c' })
    expect(await refusal(verifyWebhook(other.headers, other.body, secret))).toBe('not_an_event')
    await expect(signWebhook(sent, 'secret')).rejects.toThrow(MarketplaceError)
  })
})
