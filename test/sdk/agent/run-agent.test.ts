import { Marketplace, type Task } from '@bounty-marketplace/sdk'
import { beforeEach, expect, test } from 'vitest'
import { type AgentMemory, memoryStore, runAgent, type Store } from '../../../sdk/src/agent/index.ts'
import { memoryMarketplace } from '../../../sdk/src/testing/index.ts'
import {
  failure,
  foreignPages,
  hangUp,
  json,
  type Received,
  type Step,
  startScriptedServer,
} from '../support/scripted-server.ts'

const server = await startScriptedServer()
let routes: Record<string, Step>
beforeEach(() => {
  routes = {
    'GET /api/agents/me': json(200, { agent: { id: 'agent_1' } }),
    'GET /api/agents/me/tasks': json(200, { tasks: [] }),
    // An event wakes the agent at once.
    'GET /api/events': json(200, { events: [{ id: 'act_1', type: 'bounty.created' }], cursor: 'act_1' }),
  }
  server.script((response, request) => stepFor(request)?.(response, request))
})
const stepFor = ({ method, path }: Received) => routes[`${method} ${path.split('?')[0]}`]
const writes = () => server.received.filter(({ method }) => method === 'POST')
const keys = () => writes().map(({ headers }) => headers['idempotency-key'])
const client = () => new Marketplace({ baseUrl: server.url, apiKey: 'bmk_1', maxRetries: 0 })
const logger = { info: () => undefined, warn: () => undefined }
const quiet = { logger, events: {}, work: async () => undefined }

/** One step each time. */
const inTurn = (...steps: Step[]): Step => {
  return (response, request) => (steps.length > 1 ? steps.shift() : steps[0])?.(response, request)
}
/** The one before each response of the other. */
const everyOther = (one: Step, other: Step): Step => {
  let calls = 0
  return (response, request) => (calls++ % 2 === 0 ? one : other)(response, request)
}
const gateway: Step = (response) => response.writeHead(502, now).end('<html>Bad Gateway</html>')
const now = { 'retry-after': '0' }
const activation = { route: 'POST /api/projects/proj_1/activate' } as const
const task = (id: string): Task =>
  ({ id, action: 'activate', request: step('activate', id), choices: [step('other', id)] }) as Task
const step = (action: string, id: string) =>
  ({
    action,
    method: 'POST',
    path: `/api/${id}/${action}`,
    body: { id },
    missing: [],
  }) as unknown as Task['request']

/** Posts while the service answers so, one answer a request. */
async function begins(...answers: Step[]): Promise<void> {
  routes['POST /api/projects/proj_1/activate'] = inTurn(...answers)
  const isOver = () => writes().length >= answers.length
  const begin = async () => (isOver() ? undefined : activation)
  const store = memoryStore()
  await runAgent({ ...quiet, market: client(), store, begin, isDone: async () => isOver() })
  expect((await store.load())?.underway).toEqual({})
}

test.each(foreignPages)(
  '%s: nothing ends, and what may be done is sent again with its key',
  async (_, page) => {
    routes['POST /api/agents/register'] = json(200, { agent: { id: 'agent_1', api_key: 'bmk_1' } })
    for (const [route, step] of Object.entries(routes)) routes[route] = everyOther(page, step)
    const store = memoryStore()
    await runAgent({ ...quiet, market: client(), name: 'Ada', store, isDone: async () => true })
    expect(await store.load()).toMatchObject({ agent: { id: 'agent_1' }, cursor: 'act_1' })
    expect(new Set(keys()).size).toBe(1)
    server.received.length = 0
    await begins(page, failure(502, 'payout_unconfirmed', true, now), json(200, { project: {} }))
    expect(keys()).toHaveLength(3)
    expect(new Set(keys()).size).toBe(1)
  },
)

test('what was refused is forgotten, and the next thing has a key of its own', async () => {
  await begins(failure(409, 'bounty_not_open'), json(200, { project: {} }))
  expect(new Set(keys()).size).toBe(2)
})

test('a task that throws, one that is refused and one that stays although it is done do not starve the others', async () => {
  const all = ['a', 'b', 'c', 'd'].map(task)
  routes['GET /api/agents/me/tasks'] = json(200, { tasks: all })
  routes['POST /api/b/other'] = failure(404, 'bounty_not_found')
  for (const id of ['c', 'd']) routes[`POST /api/${id}/activate`] = json(200, { project: {} })
  const sent = () => writes().map(({ path, body }) => [path, body])
  const work = async ({ id }: Task) => {
    if (id === 'a') throw new Error('It cannot be worked on.')
    return id === 'b' ? { choice: 'other', fields: { id: 'mine', more: 1 } } : {}
  }
  const isDone = async () => true
  await runAgent({ ...quiet, market: client(), store: memoryStore(), work, isDone })
  expect(sent().slice(0, 3)).toEqual([
    ['/api/b/other', { id: 'b', more: 1 }],
    ['/api/c/activate', { id: 'c' }],
    ['/api/d/activate', { id: 'd' }],
  ])
})

test('what rests is tried again although no event comes', async () => {
  routes['GET /api/events'] = inTurn(json(200, { events: [], cursor: 'act_1' }), () => undefined)
  let failures = 0
  const begin = async () => {
    if (failures++ === 0) throw new Error('once')
    return undefined
  }
  const agent = { ...quiet, market: client(), store: memoryStore(), begin }
  await runAgent({ ...agent, isDone: async () => failures > 1 })
  expect(failures).toBe(2)
})

test('an outage behind a gateway and truncated events are outlasted at every step', async () => {
  const outage = [gateway, hangUp, gateway]
  const ready = json(200, { tasks: [task('a')] })
  routes['GET /api/agents/me/tasks'] = inTurn(...outage, ready, json(200, { tasks: [] }))
  routes['POST /api/a/activate'] = inTurn(...outage, json(200, { project: {} }))
  const gone = json(200, { events: [], cursor: 'act_9', truncated: true })
  const woken = json(200, { events: [{ id: 'act_10', type: 'x' }], cursor: 'act_10' })
  const place = json(200, { events: [], cursor: 'act_0' })
  routes['GET /api/events'] = inTurn(...outage, place, ...outage, gone, place, woken)
  const store = memoryStore()
  let looks = 0
  const isDone = async () => ++looks > 8
  await runAgent({ ...quiet, market: client(), store, work: async () => ({}), isDone })
  expect(new Set(keys()).size).toBe(1)
  expect(keys()).toHaveLength(4)
  expect(await store.load()).toEqual({ cursor: 'act_10', underway: {} })
})

test('a store of one’s own: each request is in it before it is sent, and what a crash left is finished first', async () => {
  const saved: AgentMemory[] = []
  const store: Store = {
    lock: async () => () => undefined,
    load: async () => structuredClone(saved.at(-1)),
    save: async (memory) => void saved.push(structuredClone(memory)),
  }
  const run = () => {
    // A crash is a service that is never heard of again.
    const stop = new AbortController()
    const crash: Step = (response) => {
      response.socket?.destroy()
      stop.abort()
    }
    return { crash, options: { ...quiet, market: client(), name: 'Ada', store, signal: stop.signal } }
  }
  const first = run()
  routes['POST /api/agents/register'] = first.crash
  await runAgent(first.options)
  expect(saved).toEqual([{ registrationKey: keys()[0], underway: {} }])

  const second = run()
  routes['POST /api/agents/register'] = json(200, { agent: { id: 'agent_1', api_key: 'bmk_2' } })
  routes['POST /api/projects/proj_1/activate'] = second.crash
  await runAgent({ ...second.options, begin: async () => activation })
  expect(keys()[1]).toBe(keys()[0])
  expect(saved.at(-1)?.underway).toMatchObject({ begin: { ...activation, key: keys()[2] } })

  routes['POST /api/projects/proj_1/activate'] = json(200, { project: {} })
  await runAgent({ ...run().options, isDone: async () => true })
  expect(keys()[3]).toBe(keys()[2])
  expect(writes()[3]?.headers.authorization).toBe('Bearer bmk_2')
  expect(saved.at(-1)).toEqual({ agent: { id: 'agent_1', apiKey: 'bmk_2' }, cursor: 'act_1', underway: {} })
})

test.each([
  ['a refused credential', failure(401, 'unauthorized')],
  ['a token that may not do it', failure(403, 'scope_missing')],
])('%s ends the agent with the error, and gives the store back', async (_, refusal) => {
  routes['POST /api/a/activate'] = refusal
  routes['GET /api/agents/me/tasks'] = json(200, { tasks: [task('a')] })
  const store = memoryStore()
  const running = runAgent({ ...quiet, market: client(), store, work: async () => ({}) })
  await expect(store.lock()).rejects.toThrow('Another agent uses this store')
  await expect(running).rejects.toMatchObject({ code: expect.stringMatching(/unauthorized|scope_missing/) })
  await (await store.lock())()
})

test('an abort ends an agent that waits, without an error', async () => {
  const stop = new AbortController()
  routes['GET /api/events'] = (response, request) => {
    if (request.path.includes('after=')) stop.abort()
    else json(200, { events: [], cursor: 'act_0' })(response, request)
  }
  await runAgent({ ...quiet, market: client(), store: memoryStore(), signal: stop.signal })
})

test('perform sends a step as the task gives it, and nothing that the task does not have', async () => {
  routes['POST /api/a/other'] = json(200, { project: {} })
  const market = client()
  const { request } = task('a')
  const lacking = { request: { ...request, missing: ['pr_url'] }, choices: [step('other', 'a')] }
  await expect(market.perform(lacking)).rejects.toThrow('activate needs pr_url')
  await expect(market.perform(lacking, {}, { choice: 'merge' })).rejects.toThrow(
    'The task has no step merge. It has: activate, other.',
  )
  expect(
    await market.perform<object>(lacking, { id: 'b' }, { choice: 'other', idempotencyKey: 'k' }),
  ).toEqual({ project: {} })
  expect(server.received).toMatchObject([{ body: { id: 'a' }, headers: { 'idempotency-key': 'k' } }])
})

test('what begins again and again is not done without a pause', async () => {
  const memory = memoryMarketplace()
  const stop = new AbortController()
  const body = { name: 'A', description: 'B', token_symbol: 'C', token_supply: 1000 }
  const warn = (line: string) => line.includes('the same request again') && stop.abort()
  await runAgent({
    market: new Marketplace(memory),
    name: 'Founder',
    store: memoryStore(),
    signal: stop.signal,
    logger: { ...logger, warn },
    work: async () => undefined,
    begin: async () => ({ route: 'POST /api/projects', body }),
  })
  expect(memory.calls.filter(({ operation }) => operation === 'projects.create')).toHaveLength(2)
})
