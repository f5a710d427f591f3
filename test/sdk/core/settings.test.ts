import { afterEach, describe, expect, test, vi } from 'vitest'
import { AuthenticationError, Marketplace, MarketplaceError } from '../../../sdk/src/index.ts'
import { failure, json, neverResponds, startScriptedServer } from '../support/scripted-server.ts'

const server = await startScriptedServer()
afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

function environment(variables: { url?: string; key?: string; log?: string }): void {
  vi.stubEnv('BOUNTY_MARKETPLACE_URL', variables.url)
  vi.stubEnv('BOUNTY_MARKETPLACE_API_KEY', variables.key)
  vi.stubEnv('BOUNTY_MARKETPLACE_LOG', variables.log)
}

/** The headers of the request that a call of `market` sends. */
async function sentBy(market: Marketplace, options = {}) {
  server.script(json(200, { agent: {} }))
  await market.agents.me(options)
  return server.received[0]?.headers ?? {}
}

describe('the environment', () => {
  test('gives address and key, without surrounding blanks', async () => {
    environment({ url: ` ${server.url}/api `, key: ' bmk_environment ' })
    const market = new Marketplace()
    expect(market.baseUrl).toBe(server.url)
    expect((await sentBy(market)).authorization).toBe('Bearer bmk_environment')
  })

  test('options win over it', async () => {
    environment({ url: server.url, key: 'bmk_environment' })
    const market = new Marketplace({ apiKey: 'bmk_option' })
    expect((await sentBy(market)).authorization).toBe('Bearer bmk_option')
    for (const url of ['https://nowhere.invalid', 'malformed']) {
      environment({ url, key: 'bmk_environment' })
      expect(new Marketplace({ baseUrl: server.url, apiKey: 'bmk_option' }).baseUrl).toBe(server.url)
    }
  })

  test('its key goes to a given address unless the environment names another marketplace', async () => {
    environment({ key: 'bmk_environment' })
    expect((await sentBy(new Marketplace({ baseUrl: server.url }))).authorization).toBe(
      'Bearer bmk_environment',
    )
    environment({ url: 'https://other.example', key: 'bmk_environment' })
    expect((await sentBy(new Marketplace({ baseUrl: server.url }))).authorization).toBeUndefined()
    environment({ url: `${server.url}/api`, key: 'bmk_environment' })
    expect((await sentBy(new Marketplace({ baseUrl: server.url }))).authorization).toBe(
      'Bearer bmk_environment',
    )
  })

  test('apiKey null is no key', async () => {
    environment({ url: server.url, key: 'bmk_environment' })
    expect((await sentBy(new Marketplace({ apiKey: null }))).authorization).toBeUndefined()
    expect((await sentBy(new Marketplace().with({ apiKey: null }))).authorization).toBeUndefined()
  })

  test('empty variables are not set', async () => {
    environment({ url: '', key: ' ' })
    expect(() => new Marketplace()).toThrow(/^baseUrl is missing: .*BOUNTY_MARKETPLACE_URL/)
    expect((await sentBy(new Marketplace({ baseUrl: server.url }))).authorization).toBeUndefined()
  })

  test('a malformed variable matters only if it is used, and then the error names it', async () => {
    environment({ url: 'market.example.org', key: 'bmk_environment' })
    expect(() => new Marketplace()).toThrow(/BOUNTY_MARKETPLACE_URL must be an http/)
    expect((await sentBy(new Marketplace({ baseUrl: server.url }))).authorization).toBeUndefined()
  })

  test('401 without a key says how to give one, 401 with a key does not', async () => {
    environment({})
    server.script(failure(401, 'unauthorized'))
    const market = new Marketplace({ baseUrl: server.url })
    const error = await market.agents.me().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(error).toMatchObject({ message: expect.stringContaining('BOUNTY_MARKETPLACE_API_KEY') })
    await expect(market.agents.me({ apiKey: 'bmk_wrong' })).rejects.not.toThrow('BOUNTY_MARKETPLACE_API_KEY')
  })

  test.each([
    ['no process', undefined],
    ['a process without env', {}],
    [
      'an env that may not be read',
      {
        get env(): never {
          throw new Error('NotCapable')
        },
      },
    ],
  ])('%s: only options count', (_, stub) => {
    vi.stubGlobal('process', stub)
    const make = () => new Marketplace()
    const { baseUrl } = new Marketplace({ baseUrl: 'https://a.example' })
    vi.unstubAllGlobals()
    expect(baseUrl).toBe('https://a.example')
    vi.stubGlobal('process', stub)
    let thrown: unknown
    try {
      make()
    } catch (error) {
      thrown = error
    }
    vi.unstubAllGlobals()
    expect(thrown).toBeInstanceOf(MarketplaceError)
  })

  test('a level that does not exist is refused', () => {
    environment({ log: 'loud' })
    expect(() => new Marketplace({ baseUrl: server.url })).toThrow(
      new MarketplaceError('logLevel must be one of off, error, warn, info, debug'),
    )
  })
})

describe('with', () => {
  test('changes what it is given and shares the rest', async () => {
    const seen: string[] = []
    const market = new Marketplace({
      baseUrl: server.url,
      apiKey: 'bmk_one',
      headers: { 'x-a': 'a', 'x-b': 'b' },
      onRequest: ({ operation }) => seen.push(operation),
    })
    const changed = market.with({
      apiKey: 'bmk_two',
      headers: { 'x-b': 'B', 'x-c': 'c' },
      timeoutMs: undefined,
    })
    expect(await sentBy(changed)).toMatchObject({
      authorization: 'Bearer bmk_two',
      'x-a': 'a',
      'x-b': 'B',
      'x-c': 'c',
    })
    expect(await sentBy(market)).toMatchObject({ authorization: 'Bearer bmk_one', 'x-b': 'b' })
    expect(seen).toEqual(['agents.me', 'agents.me'])
  })

  test('the environment does not come back in', async () => {
    environment({})
    const market = new Marketplace({ baseUrl: server.url, apiKey: null })
    environment({ url: server.url, key: 'bmk_later' })
    expect((await sentBy(market.with({ maxRetries: 0 }))).authorization).toBeUndefined()
  })

  test('the key stays behind when the address changes', async () => {
    const market = new Marketplace({ baseUrl: 'https://one.example', apiKey: 'bmk_one' })
    expect((await sentBy(market.with({ baseUrl: server.url }))).authorization).toBeUndefined()
    const moved = market.with({ baseUrl: server.url, apiKey: 'bmk_two' })
    expect((await sentBy(moved)).authorization).toBe('Bearer bmk_two')
  })

  test('headers stay behind when the address changes: they may hold the secret of a proxy', async () => {
    const headers = { 'x-proxy-secret': 'one', 'x-own': 'one' }
    const market = new Marketplace({ baseUrl: 'https://one.example', headers })
    const moved = await sentBy(market.with({ baseUrl: server.url, headers: { 'x-own': 'two' } }))
    expect(moved).toMatchObject({ 'x-own': 'two' })
    expect(moved).not.toHaveProperty('x-proxy-secret')
    expect(await sentBy(market.with({ baseUrl: server.url }))).not.toHaveProperty('x-own')
    const here = new Marketplace({ baseUrl: server.url, headers })
    expect(await sentBy(here.with({ baseUrl: `${server.url}/api` }))).toMatchObject(headers)
  })

  test('timeoutMs and maxRetries', async () => {
    server.script(failure(503, 'overloaded', true, { 'retry-after': '0' }))
    const market = new Marketplace({ baseUrl: server.url, maxRetries: 0 })
    await market
      .with({ maxRetries: 2 })
      .dashboard.stats()
      .catch(() => undefined)
    expect(server.received).toHaveLength(3)
    const hasty = market.with({ timeoutMs: 10, fetch: neverResponds })
    await expect(hasty.dashboard.stats()).rejects.toThrow('no response within 10 ms')
  })

  test('malformed options are refused without being repeated', () => {
    const market = new Marketplace({ baseUrl: server.url })
    expect(() => market.with({ apiKey: 'bmk\n_' })).toThrow('apiKey must be the api_key of a registration')
    expect(() => market.with({ baseUrl: 'ftp://a' })).toThrow(/^baseUrl .*must be an http/)
  })
})

describe('options of one call', () => {
  test('apiKey, headers and fetch', async () => {
    const market = new Marketplace({ baseUrl: server.url, apiKey: 'bmk_one', headers: { 'x-a': 'a' } })
    expect(await sentBy(market, { apiKey: 'bmk_two', headers: { 'x-b': 'b' } })).toMatchObject({
      authorization: 'Bearer bmk_two',
      'x-a': 'a',
      'x-b': 'b',
    })
    expect((await sentBy(market, { apiKey: null })).authorization).toBeUndefined()
    const fetch = async () => Response.json({ agent: { id: 'agent_fetched' } })
    expect((await market.agents.me({ fetch })).agent.id).toBe('agent_fetched')
  })

  test('an undefined option leaves that of the client', async () => {
    const market = new Marketplace({ baseUrl: server.url, apiKey: 'bmk_one' })
    expect((await sentBy(market, { apiKey: undefined })).authorization).toBe('Bearer bmk_one')
  })

  test('a key that cannot be sent is refused before anything is sent', async () => {
    server.script(json(200, { stats: {} }))
    const market = new Marketplace({ baseUrl: server.url })
    await expect(market.agents.me({ apiKey: 'bmk\n_' })).rejects.toThrow(
      new MarketplaceError('apiKey must be the api_key of a registration'),
    )
    expect(server.received).toEqual([])
  })
})
