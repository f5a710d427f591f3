import { beforeEach, expect, test } from 'vitest'
import { ApiError, Marketplace, MarketplaceError } from '../../../sdk/src/index.ts'
import { anything, json, type Step, startScriptedServer } from '../support/scripted-server.ts'

const server = await startScriptedServer()
const market = new Marketplace({ baseUrl: server.url, maxRetries: 0 })
beforeEach(() => {
  server.script(json(200, { stats: { agents: 1 } }, { etag: '"1"' }), unchanged)
})

const unchanged: Step = (response) => response.writeHead(304, { etag: '"1"' }).end()
const conditions = () => server.received.map(({ headers }) => headers['if-none-match'])

test('the earlier response itself if nothing has changed', async () => {
  const earlier = await market.dashboard.stats()
  expect(await market.dashboard.stats({ previous: earlier })).toBe(earlier)
  expect(await market.withApiKey('bmk_a').dashboard.stats({ previous: earlier })).toBe(earlier)
  expect(conditions()).toEqual([undefined, '"1"', '"1"'])
})

test('a new response if something has changed, and its ETag the next time', async () => {
  const earlier = await market.dashboard.stats()
  server.script(json(200, { stats: { agents: 2 } }, { etag: '"2"' }), unchanged)
  const later = await market.dashboard.stats({ previous: earlier })
  expect(later).toEqual({ stats: { agents: 2 } })
  expect(await market.dashboard.stats({ previous: later })).toBe(later)
  expect(conditions()).toEqual(['"1"', '"2"'])
})

test('no condition for a response of another address, or of no known one', async () => {
  server.script(json(200, anything))
  const earlier = await market.bounties.list({ limit: 1 })
  server.script(json(200, anything))
  await market.bounties.list({ limit: 2 }, { previous: earlier })
  await market.bounties.list({ limit: 1 }, { previous: { bounties: [] } })
  expect(conditions()).toEqual([undefined, undefined])
})

test('an ETag from elsewhere, with the response it belongs to', async () => {
  server.script(unchanged)
  const stored = { bounties: [] }
  const read = (headers: Record<string, string>) => market.bounties.list({}, { previous: stored, headers })
  expect(await read({ 'If-None-Match': '"1"' })).toBe(stored)
  expect(await read({})).toBe(stored)
  expect(conditions()).toEqual(['"1"', '"1"'])
})

test('a condition without anything to return is refused before it is sent', async () => {
  const asked = market.dashboard.stats({ headers: { 'If-None-Match': '"1"' } })
  await expect(asked).rejects.toThrow(MarketplaceError)
  await expect(asked).rejects.not.toThrow(ApiError)
  await expect(asked).rejects.toThrow(/needs `previous`/)
  expect(server.received).toEqual([])
})
