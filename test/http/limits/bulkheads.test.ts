import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { agentProcedure, type BulkheadName, createRouter, publicProcedure } from '../../../server/trpc.ts'
import { expectError } from '../../support/errors.ts'
import { until } from '../../support/until.ts'
import { serve } from '../serve.ts'

/** Serves one operation in each bulkhead. Each waits until the test calls `open`. */
async function serveBulkheads({ places = 2, procedure = publicProcedure as typeof agentProcedure } = {}) {
  const reached: string[] = []
  let open = () => {}
  const opened = new Promise<void>((done) => {
    open = done
  })
  const waiting = (name: string, bulkhead: BulkheadName) =>
    procedure({
      method: 'POST',
      path: `/api/${name}`,
      summary: 'Wait',
      description: 'Wait.',
      bulkhead,
    })
      .input(z.strictObject({}))
      .output(z.object({ done: z.boolean() }))
      .mutation(async () => {
        reached.push(name)
        await opened
        return { done: true }
      })
  const operations = createRouter({
    claim: waiting('claim', 'default'),
    approve: waiting('approve', 'approvals'),
    activate: waiting('activate', 'activations'),
    submit: waiting('submit', 'external'),
    deliver: waiting('deliver', 'submissions'),
    create: waiting('create', 'challenge'),
    register: waiting('register', 'hashing'),
    page: waiting('page', 'visitors'),
  })
  const shed: string[] = []
  const settings = { MAX_REQUESTS_IN_FLIGHT: String(places) }
  const served = await serve({ operations, settings, onShed: (operation) => shed.push(operation) })
  const post = (name: string, key?: string) =>
    served.api('POST', `/api/${name}`, { body: {}, ...(key !== undefined && { key }) })
  /** Sends requests one after the other, so that they are queued in order. Nothing outside shows a queued request. */
  async function fill(name: string, places: number, atOnce = 2) {
    const answers: ReturnType<typeof post>[] = []
    for (let place = 0; place < places; place++) {
      const arrived = once(served.app.server, 'request')
      answers.push(post(name))
      await arrived
    }
    await until(() => reached.filter((each) => each === name).length === Math.min(places, atOnce))
    // This response comes after the server has handled every request that arrived before.
    await served.api('GET', '/healthz')
    return answers
  }
  return { served, reached, shed, post, fill, open }
}

afterEach(() => vi.restoreAllMocks())

test('503 overloaded with Retry-After once all places and the queue are taken; accepted requests get their responses', async () => {
  const { served, reached, shed, post, fill, open } = await serveBulkheads()
  const accepted = await fill('claim', 6)
  const refused = await post('claim')
  expectError(refused, 'overloaded')
  expect(refused.headers.get('retry-after')).toBe('1')
  expect({ reached, shed }).toEqual({ reached: ['claim', 'claim'], shed: ['claim'] })
  open()
  expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  expect((await post('claim')).status).toBe(200)
  expect(served.lines.filter((line) => line.includes('shedding load'))).toHaveLength(1)
})

test('health responds while everything else is shed', async () => {
  const { served, fill, post, open } = await serveBulkheads()
  const accepted = await fill('claim', 6)
  expectError(await post('claim'), 'overloaded')
  expect((await served.api('GET', '/healthz')).status).toBe(200)
  expect((await served.api('GET', '/readyz')).status).toBe(200)
  open()
  await Promise.all(accepted)
})

test('a full bulkhead takes no place from the others', async () => {
  const { reached, fill, post, open } = await serveBulkheads()
  const waiting = await fill('approve', 2)
  const refused = await post('approve')
  expectError(refused, 'overloaded')
  expect(refused.headers.get('retry-after')).toBe('5')
  const rest = ['activate', 'submit', 'create', 'register', 'claim']
  const others: (typeof waiting)[] = []
  for (const name of rest) others.push(await fill(name, 2))
  expect(reached).toEqual(['approve', ...rest].flatMap((name) => [name, name]))
  open()
  for (const { status } of await Promise.all([...waiting, ...others.flat()])) expect(status).toBe(200)
})

test('429 for an agent that has its share of all approvals or activations; another agent gets its place', async () => {
  const { served, reached, post, open } = await serveBulkheads({ places: 14, procedure: agentProcedure })
  const ada = await served.agent()
  const eve = await served.agent()
  const waiting = ['approve', 'activate'].flatMap((name) => [post(name, ada.key), post(name, ada.key)])
  await until(() => reached.length === 4)
  for (const name of ['approve', 'activate']) {
    const refused = await post(name, ada.key)
    expectError(refused, 'rate_limited')
    expect(refused.headers.get('retry-after')).toBe('5')
    waiting.push(post(name, eve.key))
  }
  await until(() => reached.length === 6)
  open()
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(200)
  expect((await post('approve', ada.key)).status).toBe(200)
})

test('of the submissions of one agent three are read at once, so many wait, and others get their places; more are 429', async () => {
  const { served, reached, post, open } = await serveBulkheads({ places: 100, procedure: agentProcedure })
  const ada = await served.agent()
  const eve = await served.agent()
  const ofAda = Array.from({ length: 51 }, () => post('deliver', ada.key))
  expectError(await Promise.race(ofAda), 'rate_limited')
  const ofEve = post('deliver', eve.key)
  await until(() => reached.length === 4)
  open()
  expect((await ofEve).status).toBe(200)
  const statuses = (await Promise.all(ofAda)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(50)
})

test('pages of the board get a quarter of the places, and full ones leave submit alone', async () => {
  const { reached, fill, post, open } = await serveBulkheads()
  const pages = await fill('page', 3, 1)
  expectError(await post('page'), 'overloaded')
  const submits = await fill('submit', 2)
  expect(reached).toEqual(['page', 'submit', 'submit'])
  open()
  for (const { status } of await Promise.all([...pages, ...submits])) expect(status).toBe(200)
})

test('503 overloaded once the first queued request has waited too long', async () => {
  const { fill, post, open } = await serveBulkheads()
  const accepted = await fill('claim', 3)
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 2001)
  expectError(await post('claim'), 'overloaded')
  open()
  for (const { status } of await Promise.all(accepted)) expect(status).toBe(200)
  expect((await post('claim')).status).toBe(200)
})

test('a queued request is not served if its client disconnects', async () => {
  const { served, reached, fill, open } = await serveBulkheads()
  const accepted = await fill('claim', 2)
  const socket = connect(served.port, '127.0.0.1')
  const arrived = once(served.app.server, 'request')
  socket.write('POST /api/claim HTTP/1.1\r\nHost: x\r\n\r\n')
  const [request] = await arrived
  await served.api('GET', '/healthz')
  socket.destroy()
  await until(() => request.socket.destroyed)
  open()
  await Promise.all(accepted)
  await served.close()
  expect(reached).toEqual(['claim', 'claim'])
})
