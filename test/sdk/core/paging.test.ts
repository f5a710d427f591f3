import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { byOffset } from '../../../sdk/src/core/paging.ts'
import { Marketplace, MarketplaceError } from '../../../sdk/src/index.ts'
import { json, type Step, startScriptedServer } from '../support/scripted-server.ts'

const server = await startScriptedServer()
const market = new Marketplace({ baseUrl: server.url })

interface Item {
  id: string
  created_at: string
}

const dated = (id: string, ms: number): Item => ({ id, created_at: new Date(ms).toISOString() })
/** `count` items, newest first. */
const numbered = (count: number) => Array.from({ length: count }, (_, index) => dated(`id_${index}`, -index))
const idsOf = (items: Item[]) => items.map(({ id }) => id)

/** Answers pages of `items`, which a test may change meanwhile. */
function listOf(key: string, items: Item[]): Step {
  return (response, { path }) => {
    const query = new URL(path, 'http://a').searchParams
    const after = query.get('after')
    const start = after ? items.findIndex(({ id }) => id === after) + 1 : Number(query.get('offset') ?? 0)
    const end = start + Number(query.get('limit') ?? 20)
    const page = items.slice(start, end)
    const next = items.length > end ? page.at(-1)?.id : null
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ [key]: page, ...(key === 'activity' && { next }) }))
  }
}

/** The ids that the iterator gives while `change` is called after each one. */
async function walk(items: Item[], limit: number, change: (id: string) => void = () => undefined) {
  server.script(listOf('bounties', items))
  const ids: string[] = []
  for await (const { id } of market.bounties.iterate({ limit })) {
    ids.push(id)
    change(id)
  }
  return ids
}

test('every item of a list once, and no page twice', async () => {
  server.script(listOf('bounties', numbered(7)))
  const ids = []
  for await (const bounty of market.bounties.iterate({ limit: 3, status: 'open' })) ids.push(bounty.id)
  expect(ids).toEqual(idsOf(numbered(7)))
  expect(server.received.map(({ path }) => path)).toEqual([
    '/api/bounties?limit=3&status=open&offset=0',
    '/api/bounties?limit=3&status=open&offset=2',
    '/api/bounties?limit=3&status=open&offset=4',
    '/api/bounties?limit=3&status=open&offset=6',
  ])
})

describe.each([1, 2, 3, 5, 100])('in pages of %d', (limit) => {
  test('every item once although each leaves the list as soon as it is given', async () => {
    const items = numbered(7)
    const ids = await walk(items, limit, (id) => {
      items.splice(idsOf(items).indexOf(id), 1)
    })
    expect(ids).toEqual(idsOf(numbered(7)))
    expect(items).toEqual([])
  })

  test('every item once although new ones appear in front', async () => {
    const items = numbered(7)
    const ids = await walk(items, limit, (id) => void items.unshift(dated(`newer_${id}`, items.length)))
    expect(ids).toEqual(idsOf(numbered(7)))
  })

  test('every item once although the list changes at both ends', async () => {
    const items = numbered(7)
    const ids = await walk(items, limit, (id) => {
      items.splice(idsOf(items).indexOf(id), 1)
      items.unshift(dated(`newer_${id}`, 100 + Number(id.slice(3))))
    })
    expect(ids).toEqual(idsOf(numbered(7)))
  })

  test('items of one millisecond once each', async () => {
    const items = numbered(7).map(({ id }) => dated(id, 0))
    expect(await walk(items, limit)).toEqual(idsOf(items))
  })
})

test('an item that enters the list behind the last one given is given, one that enters in front is not', async () => {
  const items = [dated('a', 50), dated('b', 30), dated('c', 10)]
  const ids = await walk(items, 2, (id) => {
    if (id === 'b') items.splice(0, 3, dated('front', 60), ...items, dated('behind', 5))
  })
  expect(ids).toEqual(['a', 'b', 'c', 'behind'])
})

test('an item that leaves the list and comes back is given once', async () => {
  const items = numbered(4)
  const [first] = items as [Item]
  const ids = await walk(items, 2, (id) => {
    if (id === 'id_1') items.splice(0, 1)
    if (id === 'id_2') items.unshift(first)
  })
  expect(ids).toEqual(idsOf(numbered(4)))
})

test('whatever enters and leaves, what stays is given once, in order, within a bounded number of requests', async () => {
  const time = fc.integer({ min: 0, max: 12 })
  const scenario = fc.record({
    limit: fc.integer({ min: 1, max: 5 }),
    times: fc.array(time, { maxLength: 25 }),
    /** After each item given: indexes of the items that leave, times of those that enter. */
    changes: fc.array(
      fc.record({
        leave: fc.array(fc.nat(40), { maxLength: 6 }),
        enter: fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 2 }),
      }),
      { maxLength: 20 },
    ),
  })
  await fc.assert(
    fc.asyncProperty(scenario, async ({ limit, times, changes }) => {
      let list = sorted(times.map((ms, index) => dated(`item_${index}`, ms)))
      let staying = [...list]
      let requests = 0
      let left = 0
      let entered = 0
      const given: string[] = []
      const pages = byOffset<Item>({ limit }, async (range) => {
        requests++
        return list.slice(range.offset, range.offset + range.limit)
      })
      for await (const { id } of pages) {
        given.push(id)
        const { leave, enter } = changes[given.length - 1] ?? { leave: [], enter: [] }
        const leaving = new Set(leave.map((index) => list[index]))
        left += leaving.size
        list = list.filter((item) => !leaving.has(item))
        staying = staying.filter((item) => !leaving.has(item))
        list = sorted([...list, ...enter.map((ms) => dated(`new_${entered++}`, ms))])
      }
      const stayed = new Set(idsOf(staying))
      expect(given.filter((id) => stayed.has(id))).toEqual(idsOf(staying))
      expect(new Set(given).size).toBe(given.length)
      const step = Math.max(limit, 2) - 1
      expect(requests).toBeLessThanOrEqual((times.length + entered) / step + 2 * (left + entered) + 2)
    }),
    { numRuns: 2_000 },
  )
})

/** In the order of the service's lists. */
function sorted(items: Item[]): Item[] {
  const key = ({ id, created_at }: Item) => `${created_at} ${id}`
  return items.sort((left, right) => (key(left) < key(right) ? 1 : -1))
}

test('an item without a time of creation ends the walk instead of repeating it', async () => {
  server.script(json(200, { bounties: [{ id: 'a' }, { id: 'b' }] }))
  await expect(market.bounties.iterate({ limit: 2 }).next()).rejects.toThrow(MarketplaceError)
})

test('the feed is walked by its cursor', async () => {
  server.script(listOf('activity', numbered(5)))
  const ids = []
  for await (const entry of market.activity.iterate({ limit: 2 })) ids.push(entry.id)
  expect(ids).toEqual(idsOf(numbered(5)))
  expect(server.received[1]?.path).toBe('/api/activity?limit=2&after=id_1')
})

test('no page is read beyond the consumed items', async () => {
  server.script(listOf('bounties', numbered(9)))
  for await (const _ of market.bounties.iterate({ limit: 3 })) break
  expect(server.received).toHaveLength(1)
})

test('an empty list gives nothing', async () => {
  server.script(listOf('bounties', []))
  expect(await market.bounties.iterate().next()).toEqual({ done: true, value: undefined })
})

test('a list with `next` is walked by it, to the page that has none', async () => {
  const page = (ids: string[], next: string | null) =>
    json(200, { balances: ids.map((project_id) => ({ project_id })), next })
  server.script(page(['p3', 'p2'], 'p2'), page([], 'p1'), page(['p0'], null))
  const ids = []
  for await (const { project_id } of market.agents.iterateBalances({ limit: 2 })) ids.push(project_id)
  expect(ids).toEqual(['p3', 'p2', 'p0'])
  const paths = server.received.map(({ path }) => path)
  expect(paths.slice(1)).toEqual([
    '/api/agents/me/balances?limit=2&after=p2',
    '/api/agents/me/balances?limit=2&after=p1',
  ])
})
