import { describe, expect, test, vi } from 'vitest'
import {
  AuthenticationError,
  type Event,
  type EventStream,
  EventsMissedError,
  Marketplace,
  MarketplaceError,
} from '../../sdk/src/index.ts'
import { memoryMarketplace } from '../../sdk/src/testing/index.ts'
import { createApp } from '../../server/app.ts'
import { choosePort } from '../../server/embedded/ports.ts'
import { logIsRead } from '../support/event-log.ts'
import { createTestMarket } from '../support/market.ts'
import { until } from '../support/until.ts'
import { failure, hangUp, json, silence, startScriptedServer } from './support/scripted-server.ts'
import { shortLife } from './support/short-life.ts'

const service = await createTestMarket({ databaseLoops: true })

/** A client of an agent of its own; how many requests for events it has sent, and whether one of them has no response. */
async function reader(baseUrl = service.baseUrl) {
  const { key: apiKey } = await service.register()
  const sent = { events: 0, isWaiting: false }
  const onRequest = () => {
    sent.events++
    sent.isWaiting = true
  }
  const onResponse = () => {
    sent.isWaiting = false
  }
  return { market: new Marketplace({ baseUrl, apiKey, onRequest, onResponse }), sent }
}

/** Takes `count` events off a stream. */
async function take(stream: EventStream, count: number): Promise<Event[]> {
  const taken: Event[] = []
  if (count > 0)
    for await (const event of stream) {
      taken.push(event)
      if (taken.length === count) break
    }
  return taken
}

/** Founds a project whose events a test can tell from those of other tests. */
const project = async () => (await service.proposedProject()).id
const founded = (events: Event[]) => events.map(({ type, project_id }) => [type, project_id])
const asFounded = (ids: string[]) => ids.map((id) => ['project.created', id])
const types = ['project.created'] as const

test('it gives what happens after it was started, oldest first, each event once', async () => {
  await project()
  await logIsRead(service, (await service.register()).key)
  const { market, sent } = await reader()
  const stream = market.events.stream({ types })
  await stream.started()
  expect(sent.events).toBe(1)
  const ids = [await project(), await project(), await project()]
  expect(founded(await take(stream, 2))).toEqual(asFounded(ids.slice(0, 2)))
  ids.push(await project())
  expect(founded(await take(stream, 2))).toEqual(asFounded(ids.slice(2)))
})

test('its first request is sent when it is created, before anybody reads it', async () => {
  const { market, sent } = await reader()
  const stream = market.events.stream()
  expect(stream.cursor).toBeUndefined()
  await until(() => sent.events === 1 && stream.cursor !== undefined)
})

test('the cursor moves with each event, also of those that came in one response', async () => {
  const { market } = await reader()
  const stream = market.events.stream({ types })
  await stream.started()
  const start = stream.cursor
  const ids = [await project(), await project(), await project()]
  // All three are in the log, so that one response has them.
  await take(market.events.stream({ types, after: start as string }), 3)
  await take(stream, 2)
  const next = market.events.stream({ types, after: stream.cursor as string })
  expect(founded(await take(next, 1))).toEqual(asFounded(ids.slice(2)))
})

test('two streams give each event once each; two loops over one stream share its events', async () => {
  const { market } = await reader()
  const streams = [market.events.stream({ types }), market.events.stream({ types })] as const
  await Promise.all(streams.map((stream) => stream.started()))
  const all = streams.map((stream) => take(stream, 4))
  const ids = [await project(), await project(), await project(), await project()]
  expect((await Promise.all(all)).map(founded)).toEqual([asFounded(ids), asFounded(ids)])
  const [shared] = streams
  const halves = Promise.all([take(shared, 2), take(shared, 2)])
  const later = [await project(), await project(), await project(), await project()]
  const got = (await halves).flat()
  expect(new Set(got.map(({ project_id }) => project_id))).toEqual(new Set(later))
})

describe('a service that is killed and started again between events', () => {
  /** Serves once more, on a port of its own, until the returned function kills it. */
  async function listen(port: number) {
    const app = await createApp(service.services)
    await app.listen({ port, host: '127.0.0.1' })
    return async function kill() {
      const closed = app.close()
      app.server.closeAllConnections()
      await closed
    }
  }

  test('nothing is missed and nothing comes twice', async () => {
    // Nothing else takes it while the service is away.
    const port = await choosePort()
    let kill = await listen(port)
    const { market, sent } = await reader(`http://127.0.0.1:${port}`)
    const stream = market.events.stream({ types })
    await stream.started()
    const taken: Event[] = []
    const reading = (async () => {
      for await (const event of stream) if (taken.push(event) === 6) break
    })()
    const ids: string[] = []
    for (const _ of [1, 2, 3]) {
      ids.push(await project())
      await until(() => taken.length === ids.length)
      await until(() => sent.isWaiting)
      await kill()
      ids.push(await project())
      kill = await listen(port)
      await until(() => taken.length === ids.length)
    }
    await reading
    expect(founded(taken)).toEqual(asFounded(ids))
    await kill()
  })
})

describe('the end of a stream', () => {
  test('an abort while it waits ends it at once and without an error', async () => {
    const { market, sent } = await reader()
    const stop = new AbortController()
    const stream = market.events.stream({ types, signal: stop.signal })
    const taking = take(stream, 1)
    await until(() => sent.events === 2)
    stop.abort(new Error('never seen'))
    expect(await taking).toEqual([])
    expect(await take(stream, 1)).toEqual([])
  })

  test('an abort in the loop ends it before the next event', async () => {
    const { market } = await reader()
    const stop = new AbortController()
    const stream = market.events.stream({ after: '0', signal: stop.signal })
    const seen = []
    for await (const event of stream) {
      seen.push(event)
      stop.abort()
    }
    expect(seen).toHaveLength(1)
  })

  test('a signal that has aborted before', async () => {
    const { market } = await reader()
    const stream = market.events.stream({ signal: AbortSignal.abort(new Error('before')) })
    expect(await take(stream, 1)).toEqual([])
    await expect(stream.started()).rejects.toThrow('before')
  })

  test('leaving a loop ends its wait, and its next event goes to another loop', async () => {
    const { market, sent } = await reader()
    const stream = market.events.stream({ types })
    await stream.started()
    const left = stream[Symbol.asyncIterator]()
    const waits = [left.next(), left.next()]
    await until(() => sent.events === 2)
    const over = { done: true, value: undefined }
    expect(await left.return?.()).toEqual(over)
    expect(await Promise.all(waits)).toEqual([over, over])
    expect(await left.next()).toEqual(over)
    const id = await project()
    expect(founded(await take(stream, 1))).toEqual(asFounded([id]))
    expect(sent.events).toBe(3)
  })

  test('leaving a loop aborts its own request only, also while another loop waits', async () => {
    const server = await startScriptedServer()
    const closed = new Promise<void>((resolve) => server.script((response) => response.on('close', resolve)))
    const market = new Marketplace({ baseUrl: server.url, apiKey: 'key' })
    const stream = market.events.stream({ after: 'act_1' })
    const first = stream[Symbol.asyncIterator]()
    const second = stream[Symbol.asyncIterator]()
    const waiting = first.next()
    const queued = second.next()
    await until(() => server.received.length === 1)
    await second.return?.()
    expect((await queued).done).toBe(true)
    expect(server.received).toHaveLength(1)
    await first.return?.()
    expect((await waiting).done).toBe(true)
    await closed
    await server.close()
  })

  test('leaving a loop while the place to begin is not known yet', async () => {
    const server = await startScriptedServer()
    server.script(silence)
    const stop = new AbortController()
    const market = new Marketplace({ baseUrl: server.url, apiKey: 'key' })
    const left = market.events.stream({ signal: stop.signal })[Symbol.asyncIterator]()
    const waiting = left.next()
    await until(() => server.received.length === 1)
    await left.return?.()
    expect((await waiting).done).toBe(true)
    stop.abort()
    await server.close()
  })

  test('MarketplaceError for no types at all', async () => {
    const { market, sent } = await reader()
    expect(() => market.events.stream({ types: [] })).toThrow(MarketplaceError)
    expect(sent.events).toBe(0)
  })

  test('AuthenticationError for a wrong key', async () => {
    const stranger = new Marketplace({ baseUrl: service.baseUrl, apiKey: 'nobody' })
    await expect(take(stranger.events.stream(), 1)).rejects.toThrow(AuthenticationError)
    await expect(stranger.events.stream().started()).rejects.toThrow(AuthenticationError)
  })
})

describe('a cursor of another log', () => {
  const after = 'act_of_another_log'

  test('EventsMissedError, and the same stream then goes on', async () => {
    const { market } = await reader()
    const stream = market.events.stream({ after, types })
    await expect(take(stream, 1)).rejects.toThrow(EventsMissedError)
    const id = await project()
    expect(founded(await take(stream, 1))).toEqual(asFounded([id]))
  })

  test('onTruncated is awaited before the first event', async () => {
    const { market } = await reader()
    const order: string[] = []
    let resume = () => {}
    const onTruncated = () =>
      new Promise<void>((resolve) => {
        order.push('told')
        resume = resolve
      })
    const stream = market.events.stream({ after, types, onTruncated })
    const taking = take(stream, 1).finally(() => order.push('given'))
    await until(() => order.length === 1)
    expect(stream.cursor).toBe(after)
    const query = { types: types.join(), after: (await market.events.list({})).cursor }
    const id = await project()
    await until(async () => (await market.events.list(query)).events.length === 1)
    order.push('resumed')
    resume()
    expect(founded(await taking)).toEqual(asFounded([id]))
    expect(order).toEqual(['told', 'resumed', 'given'])
  })

  test('onTruncated is called again by the next loop if it failed; the cursor waits for it', async () => {
    const { market } = await reader()
    let calls = 0
    const onTruncated = async () => {
      if (++calls < 3) throw new Error(`failed ${calls}`)
    }
    const stream = market.events.stream({ after, types, onTruncated })
    await expect(take(stream, 1)).rejects.toThrow('failed 1')
    await expect(take(stream, 1)).rejects.toThrow('failed 2')
    expect(stream.cursor).toBe(after)
    const id = await project()
    expect(founded(await take(stream, 1))).toEqual(asFounded([id]))
    expect(calls).toBe(3)
  })
})

describe('a service in trouble', () => {
  const page = (cursor: string, ...ids: string[]) =>
    json(200, {
      events: ids.map((id) => ({ id, type: 'new.type', data: {} })),
      cursor,
      has_more: false,
      truncated: false,
    })

  test('is asked again, longer than a call is repeated, from the same cursor', async () => {
    const server = await startScriptedServer()
    const overloaded = failure(503, 'overloaded', true, { 'retry-after': '0' })
    server.script(
      page('1.a'),
      hangUp,
      ...Array(5).fill(overloaded),
      json(502, 'a proxy'),
      page('2.b', 'b'),
      page('3.c', 'c'),
    )
    const market = new Marketplace({ baseUrl: server.url, apiKey: 'key', maxRetries: 1 })
    const wanted = { mine: true, types: ['bounty.created', 'bounty.claimed'] as const, project_id: 'proj_1' }
    const stream = market.events.stream({ ...wanted, bounty_id: 'bnt_1' })
    expect((await take(stream, 2)).map(({ id }) => id)).toEqual(['b', 'c'])
    const asked = server.received.map(({ path }) => path)
    const types = 'bounty.created%2Cbounty.claimed'
    const path = `/api/events?limit=100&types=${types}&project_id=proj_1&bounty_id=bnt_1&mine=true`
    expect(asked[0]).toBe(`${path}&wait=0`)
    expect(new Set(asked.slice(1, 9))).toEqual(new Set([`${path}&wait=50&after=1.a`]))
    expect(asked[9]).toContain('after=2.b')
    await server.close()
  })

  test('a late response without a cursor does not undo what another reader has read', async () => {
    const server = await startScriptedServer()
    let respond = () => {}
    server.script(
      hangUp,
      (response, request) => {
        respond = () => page('9.z')(response, request)
      },
      page('1.a'),
      page('3.c', 'b', 'c'),
    )
    const market = new Marketplace({ baseUrl: server.url, apiKey: 'key', maxRetries: 0 })
    const stream = market.events.stream()
    await until(() => server.received.length === 1)
    const started = stream.started()
    await until(() => server.received.length === 2)
    const [first] = await take(stream, 1)
    respond()
    await started
    expect([first?.id, ...(await take(stream, 1)).map(({ id }) => id)]).toEqual(['b', 'c'])
    expect(stream.cursor).toBe('3.c')
    await server.close()
  })

  test('an empty page that comes too early is followed by a pause of a second', async () => {
    const server = await startScriptedServer()
    server.script(page('1.a'), page('1.a'), page('2.b', 'b'))
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const market = new Marketplace({ baseUrl: server.url, apiKey: 'key' })
    await take(market.events.stream(), 1)
    // The pause is a second and a bit. Node's own client has a timer of exactly a second.
    const pauses = timers.mock.calls.filter(([, ms]) => ms && ms > 1000 && ms < 2000)
    timers.mockRestore()
    expect(pauses).toHaveLength(1)
    await server.close()
  })

  test('the client waits longer than the service', async () => {
    const server = await startScriptedServer()
    server.script(page('2.b', 'b'))
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const market = new Marketplace({ baseUrl: server.url, apiKey: 'key', timeoutMs: 1_000 })
    await take(market.events.stream({ after: '1.a' }), 1)
    expect(timers.mock.calls.map(([, ms]) => ms)).toContain(65_000)
    timers.mockRestore()
    await server.close()
  })
})

test('a marketplace in memory responds to a short life as the service does', async () => {
  const real = await shortLife(new Marketplace({ baseUrl: service.baseUrl }), service.pullRequest)
  const inMemory = new Marketplace(memoryMarketplace())
  expect(await shortLife(inMemory, async ({ repo_url }) => `${repo_url}/pull/1`)).toEqual(real)
})
