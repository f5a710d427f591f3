import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSecrets } from '../../../server/events/webhooks/sealing.ts'
import { expectError, expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'
import { createWebhookScene, echo } from '../../support/webhooks.ts'

const { market, receiver, hooks, agent } = await createWebhookScene()
const create = (body: unknown, headers?: Record<string, string>, key = agent.key) =>
  market.api('POST', '/api/webhooks', { key, body, headers })
const stored = () => market.db.selectFrom('webhooks').selectAll().orderBy('created_at', 'desc').execute()

test('201 with the secret, which is stored sealed, after a signed challenge', async () => {
  const { status, body } = await create({ url: receiver.url, event_types: ['submission.created'] })
  expect(status).toBe(201)
  expect(body).toEqual({
    webhook: {
      id: expect.stringMatching(/^wh_[0-9a-z]{20}$/),
      url: receiver.url,
      event_types: ['submission.created'],
      status: 'enabled',
      disabled_because: null,
      disabled_at: null,
      first_failed_at: null,
      replay_after: null,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    },
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
  })
  const challenged = receiver.received.at(-1)
  expect(new Webhook(body.secret).verify(challenged?.text ?? '', challenged?.headers as never)).toEqual({
    type: 'webhook.challenge',
    timestamp: expect.any(String),
    data: { challenge: expect.stringMatching(/^[\w-]{32}$/) },
  })
  const [row] = await stored()
  expect(row?.sealed_secrets.toString('latin1')).not.toContain(body.secret)
  const vault = market.services.wallets
  expect(vault && row && openSecrets(vault, row.id, row)).toEqual({ current: body.secret, previous: null })
})

test('201 for every type if the types are left out or null', async () => {
  const other = await market.register()
  for (const rest of [{}, { event_types: null }])
    expect((await hooks.create(other, receiver.url, rest)).webhook.event_types).toBeNull()
})

test('400 validation_failed for an unknown type', async () => {
  const body = { url: 'https://a.example', event_types: ['bounty.eaten'] }
  expectInvalid(await create(body), 'event_types.0')
})

test.each([
  'not a url',
  'http://agent.example/hook',
  'https://agent.example:8443/',
  'https://10.0.0.1/',
  'https://user:pass@agent.example/',
  'ftp://agent.example/',
])('400 webhook_url_refused for %s, which nobody asks', async (url) => {
  expectError(await create({ url }), 'webhook_url_refused')
})

test('400 webhook_challenge_failed says why, names no address and stores nothing', async () => {
  const before = (await stored()).length
  const challenge = async () => {
    const response = await create({ url: receiver.url })
    expectError(response, 'webhook_challenge_failed')
    expect(response.body.error.message).not.toMatch(/127\.0\.0\.1|localhost/)
    return response.body.error.message
  }
  const respond = (status: number, text?: string) =>
    receiver.become((_received, response) => void response.writeHead(status).end(text))
  respond(404)
  expect(await challenge()).toContain('status 404')
  respond(204)
  expect(await challenge()).toContain('status 204')
  respond(302)
  expect(await challenge()).toContain('status 302')
  for (const text of ['', 'ok', 'null', '{}']) {
    respond(200, text)
    expect(await challenge()).toContain('the response is not `{ "challenge": … }`')
  }
  for (const text of ['{"challenge":"other"}', '{"challenge":1}']) {
    respond(200, text)
    expect(await challenge()).toContain('another value')
  }
  receiver.become((_received, response) => void response.destroy())
  expect(await challenge()).toContain('connection')
  receiver.become(echo)
  expect((await stored()).length).toBe(before)
})

test('400 webhook_url_refused, which is not to be repeated, for a host that is unknown or leads inside', async () => {
  const { endpoints } = market.services
  const result = { status: null, durationMs: 1, retryAfterSeconds: null }
  const challenged = vi.spyOn(endpoints, 'challenge')
  onTestFinished(() => challenged.mockRestore())
  const url = 'https://agent.example/hook'
  challenged.mockResolvedValueOnce({ ...result, failure: 'dns', isUnknownHost: true })
  const unknown = await create({ url })
  expectError(unknown, 'webhook_url_refused')
  expect(unknown.body.error).toMatchObject({
    retryable: false,
    message: expect.stringContaining('its name has no address'),
  })
  challenged.mockResolvedValueOnce({ ...result, failure: 'address_refused' })
  expectError(await create({ url }), 'webhook_url_refused')
  // Nobody could say what address it has: that may pass.
  challenged.mockResolvedValueOnce({ ...result, failure: 'dns' })
  expectError(await create({ url }), 'webhook_challenge_failed')
})

test('409 webhook_limit_reached for the eleventh, before it is challenged', async () => {
  const other = await market.register()
  for (let count = 0; count < 10; count++) await hooks.create(other, receiver.url)
  const before = receiver.received.length
  expectError(await hooks.call('POST', '', other, { url: receiver.url }), 'webhook_limit_reached')
  expect(receiver.received.length).toBe(before)
})

test('409 webhook_limit_reached for one of two that were challenged at the same time', async () => {
  const other = await market.register()
  for (let count = 0; count < 9; count++) await hooks.create(other, receiver.url)
  const challenged: (() => void)[] = []
  receiver.become((received, response) => void challenged.push(() => echo(received, response)))
  const creating = [1, 2].map(() => hooks.call('POST', '', other, { url: receiver.url }))
  await until(async () => challenged.length === 2)
  receiver.become(echo)
  for (const respond of challenged) respond()
  const statuses = (await Promise.all(creating)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([201, 409])
  expect((await hooks.call('GET', '', other)).body.webhooks).toHaveLength(10)
})

test('429 rate_limited after 60 requests an hour, which those that reach an endpoint share', async () => {
  const settings = { RATE_LIMITS: 'on', RATE_LIMIT_WRITES_PER_MINUTE: '1000' }
  const limited = await createTestMarket({ sharing: market, settings, engines: false })
  const { key } = await limited.register()
  const refused = [
    '',
    '/wh_nothing/test',
    '/wh_nothing/replay',
    '/wh_nothing/deliveries/act_nothing/redeliver',
  ]
  for (let count = 0; count < 60; count++) {
    const response = await limited.api('POST', `/api/webhooks${refused[count % 4]}`, { key, body: { x: 1 } })
    expectError(response, 'validation_failed')
    expect(response.headers.get('ratelimit-policy')).toBe('"deliveries";q=60;w=3600')
  }
  for (const path of refused)
    expectError(await limited.api('POST', `/api/webhooks${path}`, { key, body: {} }), 'rate_limited')
  expectError(await limited.api('PATCH', '/api/webhooks/wh_nothing', { key, body: {} }), 'rate_limited')
  expect((await limited.api('GET', '/api/webhooks', { key })).status).toBe(200)
})
