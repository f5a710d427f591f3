import { afterEach, describe, expect, test, vi } from 'vitest'
import { type LogLevel, Marketplace } from '../../../sdk/src/index.ts'
import { collector } from '../support/collector.ts'
import { anything, failure, hangUp, json, startScriptedServer } from '../support/scripted-server.ts'

const server = await startScriptedServer()
afterEach(() => vi.unstubAllEnvs())

/** What a call logs that succeeds at the second attempt, and one that fails. */
async function linesAt(logLevel: LogLevel | undefined): Promise<string[]> {
  const { lines, logger } = collector()
  const market = new Marketplace({ baseUrl: server.url, logLevel, logger })
  server.script(
    failure(503, 'overloaded', true, { 'retry-after': '0' }),
    json(200, { submission: { id: 'sub_1' } }),
  )
  await market.bounties.submit('bnt_1', { pr_url: 'https://a.example/pull/1' })
  server.script(hangUp)
  await market.agents.me({ maxRetries: 0 }).catch(() => undefined)
  return lines
}

describe('each level includes the ones before', () => {
  const error = /^error \[\w{6}\] agents\.me failed: ConnectionError: agents\.me: no response from http/
  const warn =
    /^warn \[\w{6}\] bounties\.submit is tried again in \d+ ms: ServerError: .*overloaded, 503, req_test/
  const responses = [
    /^info \[\w{6}\] bounties\.submit 503 in \d+ ms, req_test$/,
    /^info \[\w{6}\] bounties\.submit 200 in \d+ ms, req_test$/,
  ]
  const sent = (attempt: number) =>
    new RegExp(
      `^debug \\[\\w{6}\\] bounties\\.submit POST ${server.url}/api/bounties/bnt_1/submit, attempt ${attempt} {"pr_url":"https://a.example/pull/1"}$`,
    )
  const expected: [LogLevel | undefined, RegExp[]][] = [
    [undefined, []],
    ['off', []],
    ['error', [error]],
    ['warn', [warn, error]],
    ['info', [responses[0]!, warn, responses[1]!, error]],
    [
      'debug',
      [
        sent(1),
        responses[0]!,
        /^debug \[\w{6}\] bounties\.submit responded {"error":{"code":"overloaded"/,
        warn,
        sent(2),
        responses[1]!,
        /^debug \[\w{6}\] bounties\.submit responded {"submission":{"id":"sub_1"}}$/,
        /^debug \[\w{6}\] agents\.me GET http.*\/api\/agents\/me, attempt 1$/,
        error,
      ],
    ],
  ]
  test.each(expected)('%s', async (level, patterns) => {
    vi.stubEnv('BOUNTY_MARKETPLACE_LOG', undefined)
    expect(await linesAt(level)).toEqual(patterns.map((pattern) => expect.stringMatching(pattern)))
  })
})

test('BOUNTY_MARKETPLACE_LOG sets the level, and an option wins over it', async () => {
  vi.stubEnv('BOUNTY_MARKETPLACE_LOG', 'info')
  expect(await linesAt(undefined)).toHaveLength(4)
  expect(await linesAt('error')).toHaveLength(1)
})

test('without a logger the console gets the lines', async () => {
  const info = vi.spyOn(console, 'info').mockImplementation(() => undefined)
  server.script(json(200, anything))
  await new Marketplace({ baseUrl: server.url, logLevel: 'info' }).dashboard.stats()
  expect(info.mock.calls).toEqual([[expect.stringMatching(/dashboard\.stats 200 in \d+ ms, req_test$/)]])
  info.mockRestore()
})

test('a call can be logged by itself, and the lines of one call have one mark', async () => {
  const { lines, logger } = collector()
  server.script(json(200, anything))
  const market = new Marketplace({ baseUrl: server.url, logger })
  await Promise.all([
    market.dashboard.stats({ logLevel: 'debug' }),
    market.dashboard.stats({ logLevel: 'debug' }),
    market.dashboard.stats(),
  ])
  const marks = lines.map((line) => /\[\w{6}\]/.exec(line)?.[0])
  expect(marks).toHaveLength(6)
  expect(new Set(marks).size).toBe(2)
})

test('a call that its caller ended is no error', async () => {
  const { lines, logger } = collector()
  server.script(json(200, anything))
  const market = new Marketplace({ baseUrl: server.url, logLevel: 'error', logger })
  await market.dashboard.stats({ signal: AbortSignal.abort() }).catch(() => undefined)
  expect(lines).toEqual([])
})

test('bodies are cut after 2,000 characters', async () => {
  const { lines, logger } = collector()
  server.script(json(200, { text: 'x'.repeat(5_000), ...anything }))
  await new Marketplace({ baseUrl: server.url, logLevel: 'debug', logger }).dashboard.stats()
  expect(lines.at(-1)).toMatch(/responded {"text":"x{1991}$/)
})

test.each(['bmk_5TNRyRAhxU5wd8AV_Xk1', 'whsec_C2FVsBQIhrscChlQIMV+b5/s='])(
  '%s is hidden wherever it stands',
  async (secret) => {
    const { lines, logger } = collector()
    server.script(
      failure(404, 'bounty_not_found'),
      failure(400, `no_${secret}`),
      json(200, { ...anything, said: [secret] }),
    )
    const market = new Marketplace({
      baseUrl: server.url,
      apiKey: 'other',
      logLevel: 'debug',
      logger,
      maxRetries: 0,
    })
    await market.bounties.get(secret).catch(() => undefined)
    await market.bounties.list({ q: secret }).catch(() => undefined)
    await market.bounties.create('proj_1', { title: secret, description: secret, reward_amount: 1 })
    expect(lines).toHaveLength(11)
    expect(lines.join()).not.toContain(secret.split('_').at(-1)?.slice(0, 8))
  },
)

test('a secret is hidden by its name: in a query, a list, an object, a number', async () => {
  const { lines, logger } = collector()
  const hidden = { api_keys: ['hush-1'], secret: { of: 'hush-2' }, password: 987654, token: 'hush-3' }
  server.script(
    json(200, {
      ...anything,
      ...hidden,
      token_symbol: 'TKN',
      at: 'https://b.example/?a=1&access_token=hush-4',
    }),
  )
  const market = new Marketplace({ baseUrl: server.url, logLevel: 'debug', logger })
  const query = { token: 'hush-5', q: 'shown', client_secret: 'hush-6' }
  await market.request('POST /api/new', { query, body: { token: ['hush-7'], title: 'Shown' } })
  expect(lines.join()).not.toMatch(/hush|987654/)
  expect(lines[0]).toMatch(
    /\/api\/new\?token=…&q=shown&client_secret=…, attempt 1 {"token":"…","title":"Shown"}$/,
  )
  expect(lines[2]).toMatch(/"token_symbol":"TKN","at":"https:\/\/b.example\/\?a=1&access_token=…"}$/)
})

test('the key of a client is hidden whatever it looks like', async () => {
  const { lines, logger } = collector()
  server.script(json(200, { said: 'my-own-key', ...anything }))
  const market = new Marketplace({ baseUrl: server.url, apiKey: 'my-own-key', logLevel: 'debug', logger })
  await market.bounties.get('my-own-key')
  expect(lines.join()).toMatch(/bounties\/…,.*{"said":"…",/)
})
