import { afterAll, beforeAll, expect, test } from 'vitest'
import { Marketplace } from '../../../sdk/src/index.ts'
import { type ScriptedServer, type Step, startScriptedServer } from '../support/scripted-server.ts'

let server: ScriptedServer
let market: Marketplace
beforeAll(async () => {
  server = await startScriptedServer()
  market = new Marketplace({ baseUrl: server.url })
})
afterAll(() => server.close())

/** Answers pages of `items`, which a test may change meanwhile. */
function listOf(key: string, items: { id: string }[]): Step {
  return (response, { path }) => {
    const query = new URL(path, 'http://a').searchParams
    const before = query.get('before')
    const start = before ? items.findIndex(({ id }) => id === before) + 1 : Number(query.get('offset') ?? 0)
    const page = items.slice(start, start + Number(query.get('limit') ?? 20))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ [key]: page }))
  }
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `id_${index}` }))

test('every item of a list once, page after page', async () => {
  server.script(listOf('bounties', numbered(7)))
  const ids = []
  for await (const bounty of market.bounties.iterate({ limit: 3, status: 'open' })) ids.push(bounty.id)
  expect(ids).toEqual(numbered(7).map(({ id }) => id))
  expect(server.received.map(({ path }) => path)).toEqual([
    '/api/bounties?limit=3&status=open&offset=0',
    '/api/bounties?limit=3&status=open&offset=3',
    '/api/bounties?limit=3&status=open&offset=6',
  ])
})

test('items that new ones push onto the next page are given once', async () => {
  const items = numbered(6)
  server.script(listOf('projects', items))
  const ids = []
  for await (const project of market.projects.iterate({ limit: 3 })) {
    ids.push(project.id)
    if (project.id === 'id_1') items.unshift({ id: 'newer' })
  }
  expect(ids).toEqual(numbered(6).map(({ id }) => id))
})

test('the feed is walked by its cursor', async () => {
  server.script(listOf('activity', numbered(5)))
  const ids = []
  for await (const entry of market.activity.iterate({ limit: 2 })) ids.push(entry.id)
  expect(ids).toEqual(numbered(5).map(({ id }) => id))
  expect(server.received[1]?.path).toBe('/api/activity?limit=2&before=id_1')
})

test('nothing is asked for beyond what is consumed', async () => {
  server.script(listOf('bounties', numbered(9)))
  for await (const _ of market.bounties.iterate({ limit: 3 })) break
  expect(server.received).toHaveLength(1)
})

test('an empty list gives nothing', async () => {
  server.script(listOf('bounties', []))
  expect(await market.bounties.iterate().next()).toEqual({ done: true, value: undefined })
})
