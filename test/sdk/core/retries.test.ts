import { describe, expect, test } from 'vitest'
import {
  type ClientOptions,
  ConflictError,
  ConnectionError,
  Marketplace,
  type RetryInfo,
  ServerError,
  TimeoutError,
} from '../../../sdk/src/index.ts'
import { errorCatalog } from '../../../server/errors.ts'
import {
  failure,
  hangUp,
  json,
  neverEnds,
  neverResponds,
  type Step,
  startScriptedServer,
} from '../support/scripted-server.ts'

const server = await startScriptedServer()

const claimed = json(200, { bounty: { id: 'bnt_1', status: 'claimed', claimed_by: 'agent_1' } })
const soon = { 'retry-after': '0' }

function client(options: Partial<ClientOptions> = {}): { market: Marketplace; retries: RetryInfo[] } {
  const retries: RetryInfo[] = []
  const onRetry = (info: RetryInfo) => void retries.push(info)
  return { market: new Marketplace({ baseUrl: server.url, apiKey: 'key', onRetry, ...options }), retries }
}

/** The Idempotency-Keys that arrived, each once. */
function keys(): Set<unknown> {
  return new Set(server.received.map(({ headers }) => headers['idempotency-key']))
}

describe('a write is repeated with the same Idempotency-Key', () => {
  const gateway =
    (status: number): Step =>
    (response) =>
      response.writeHead(status, soon).end('<html>Bad Gateway</html>')
  test.each<[string, Step]>([
    ['503', failure(503, 'overloaded', true, soon)],
    ['429', failure(429, 'rate_limited', true, soon)],
    ['409 idempotency_in_progress', failure(409, 'idempotency_in_progress', true, soon)],
    ['502 of a gateway', gateway(502)],
    ['408 of a gateway', gateway(408)],
    ['429 of a gateway', gateway(429)],
    ['a connection that broke', hangUp],
  ])('after %s', async (_, failing) => {
    server.script(failing, failing, claimed)
    await client().market.bounties.claim('bnt_1')
    expect(server.received).toHaveLength(3)
    expect([...keys()]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)])
  })

  test('which the caller may choose', async () => {
    server.script(claimed)
    await client().market.bounties.claim('bnt_1', {}, { idempotencyKey: 'mine' })
    expect(keys()).toEqual(new Set(['mine']))
  })
})

test('two calls have two Idempotency-Keys', async () => {
  server.script(claimed)
  const { market } = client()
  await market.bounties.claim('bnt_1')
  await market.bounties.claim('bnt_1')
  expect(keys().size).toBe(2)
})

describe('is not repeated', () => {
  test.each([
    ['bounty_not_open', false],
    ['active_claim_exists', false],
    ['approval_in_progress', true],
    ['activation_in_progress', true],
  ])('409 %s', async (code, retryable) => {
    server.script(failure(409, code, retryable))
    await expect(client().market.bounties.claim('bnt_1')).rejects.toThrow(ConflictError)
    expect(server.received).toHaveLength(1)
  })

  test('503 that is not retryable', async () => {
    server.script(failure(503, 'wallet_generation_unavailable'))
    await expect(client().market.agents.generateWallet()).rejects.toThrow(ServerError)
    expect(server.received).toHaveLength(1)
  })

  const unconfirmed = Object.keys(errorCatalog).filter((code) => code.endsWith('_unconfirmed'))
  test.each(unconfirmed)('502 %s, because the service has waited already', async (code) => {
    server.script(failure(502, code, true))
    await expect(client().market.bounties.approve('bnt_1')).rejects.toMatchObject({ code })
    expect(server.received).toHaveLength(1)
  })

  test('what asks to wait for more than a minute', async () => {
    server.script(failure(429, 'rate_limited', true, { 'retry-after': '3600' }))
    await expect(client().market.bounties.claim('bnt_1')).rejects.toMatchObject({ retryAfterMs: 3_600_000 })
    expect(server.received).toHaveLength(1)
  })

  test('anything with maxRetries 0', async () => {
    server.script(failure(503, 'unavailable', true))
    await expect(client({ maxRetries: 0 }).market.dashboard.stats()).rejects.toThrow(ServerError)
    expect(server.received).toHaveLength(1)
  })
})

test('the last error is thrown after maxRetries', async () => {
  server.script(failure(503, 'unavailable', true, soon))
  const { market, retries } = client({ maxRetries: 2 })
  await expect(market.dashboard.stats()).rejects.toMatchObject({ code: 'unavailable' })
  expect(server.received).toHaveLength(3)
  expect(retries.map(({ attempt }) => attempt)).toEqual([1, 2])
})

test('waits for Retry-After, and otherwise longer each time', async () => {
  const asked = { 'retry-after': '0.1' }
  server.script(failure(503, 'overloaded', true, asked), hangUp, hangUp, claimed)
  const { market, retries } = client()
  await market.bounties.claim('bnt_1')
  const [first = 0, second = 0, third = 0] = retries.map(({ delayMs }) => delayMs)
  expect(first).toBeGreaterThanOrEqual(100)
  expect(first).toBeLessThan(350)
  expect(second).toBeGreaterThanOrEqual(500)
  expect(second).toBeLessThanOrEqual(1000)
  expect(third).toBeGreaterThanOrEqual(1000)
  expect(third).toBeLessThanOrEqual(2000)
})

describe('timeouts and signals', () => {
  test('TimeoutError if no response comes in time', async () => {
    const { market } = client({ timeoutMs: 20, maxRetries: 0, fetch: neverResponds })
    await expect(market.dashboard.stats()).rejects.toThrow(TimeoutError)
  })

  test('a timeout is repeated like a broken connection', async () => {
    server.script(claimed)
    const sent: unknown[] = []
    const { market } = client({
      timeoutMs: 200,
      fetch(input, init) {
        sent.push(new Headers(init?.headers).get('idempotency-key'))
        return (sent.length === 1 ? neverResponds : globalThis.fetch)(input, init)
      },
    })
    await market.bounties.claim('bnt_1')
    expect(sent).toEqual([expect.any(String), sent[0]])
  })

  test('TimeoutError, or the reason of the signal, if apiKey never resolves', async () => {
    const apiKey = () => new Promise<string>(() => undefined)
    const { market } = client({ apiKey, timeoutMs: 20, maxRetries: 0 })
    await expect(market.dashboard.stats()).rejects.toThrow(TimeoutError)
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(market.dashboard.stats({ signal })).rejects.toThrow('enough')
    const abort = new AbortController()
    const called = market.dashboard.stats({ signal: abort.signal, timeoutMs: Number.POSITIVE_INFINITY })
    abort.abort(new Error('enough'))
    await expect(called).rejects.toThrow('enough')
  })

  test('TimeoutError if the body never ends', async () => {
    const { market } = client({ timeoutMs: 50, maxRetries: 0, fetch: neverEnds })
    await expect(market.dashboard.stats()).rejects.toThrow(TimeoutError)
  })

  test('the reason of the signal while waiting for a response', async () => {
    const abort = new AbortController()
    server.script(() => abort.abort(new Error('enough')))
    await expect(client().market.dashboard.stats({ signal: abort.signal })).rejects.toThrow('enough')
    expect(server.received).toHaveLength(1)
  })

  test('the reason of the signal while waiting to repeat', async () => {
    const abort = new AbortController()
    server.script(failure(503, 'unavailable', true, { 'retry-after': '30' }))
    const { market } = client({ onRetry: () => abort.abort(new Error('enough')) })
    await expect(market.dashboard.stats({ signal: abort.signal })).rejects.toThrow('enough')
  })

  test('nothing is sent with a signal that has aborted', async () => {
    server.script(claimed)
    const signal = AbortSignal.abort(new Error('never'))
    await expect(client().market.bounties.claim('bnt_1', {}, { signal })).rejects.toThrow('never')
    expect(server.received).toHaveLength(0)
  })
})

test('ConnectionError names the address and has the cause', async () => {
  const market = new Marketplace({ baseUrl: 'http://127.0.0.1:1', maxRetries: 0 })
  const error = await market.dashboard.stats().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConnectionError)
  expect(error).toMatchObject({ message: 'dashboard.stats: no response from http://127.0.0.1:1' })
  expect((error as Error).cause).toBeInstanceOf(Error)
})

test('while the service is busy with an earlier attempt, attempts are not counted', async () => {
  const busy = Array.from({ length: 6 }, () => failure(409, 'idempotency_in_progress', true, soon))
  server.script(hangUp, ...busy, claimed)
  await client({ maxRetries: 1 }).market.bounties.claim('bnt_1')
  expect(server.received).toHaveLength(8)
  expect(keys().size).toBe(1)
})

test('ConflictError when it has been busy for longer than an attempt may take', async () => {
  server.script(failure(409, 'idempotency_in_progress', true, { 'retry-after': '0.02' }))
  const waiting = client({ timeoutMs: 1000 }).market.bounties.claim('bnt_1')
  await expect(waiting).rejects.toMatchObject({ code: 'idempotency_in_progress' })
})

describe('approveAndWait', () => {
  const approved = json(200, { bounty_id: 'bnt_1', status: 'done' })

  test('joins the payout under one Idempotency-Key until it is confirmed, also over a restart of the service', async () => {
    server.script(
      hangUp,
      failure(503, 'unavailable', true, soon),
      failure(502, 'payout_unconfirmed', true, soon),
      failure(409, 'approval_in_progress', true, soon),
      approved,
    )
    const { market } = client({ maxRetries: 0 })
    expect(await market.bounties.approveAndWait('bnt_1')).toMatchObject({ status: 'done' })
    expect(server.received).toHaveLength(5)
    expect(keys().size).toBe(1)
  })

  test('502 payout_unconfirmed when waitMs have passed', async () => {
    server.script(failure(502, 'payout_unconfirmed', true))
    const waiting = client().market.bounties.approveAndWait('bnt_1', {}, { waitMs: 0 })
    await expect(waiting).rejects.toMatchObject({ code: 'payout_unconfirmed' })
  })

  test('400 insufficient_funds at once', async () => {
    server.script(failure(400, 'insufficient_funds'))
    const waiting = client().market.bounties.approveAndWait('bnt_1')
    await expect(waiting).rejects.toMatchObject({ code: 'insufficient_funds' })
    expect(server.received).toHaveLength(1)
  })
})

test('activateAndWait joins the activation until it is finished', async () => {
  server.script(
    failure(502, 'activation_unconfirmed', true, soon),
    json(200, { project: { id: 'proj_1', status: 'active' } }),
  )
  expect(await client().market.projects.activateAndWait('proj_1')).toMatchObject({
    project: { status: 'active' },
  })
  expect(keys().size).toBe(1)
})
