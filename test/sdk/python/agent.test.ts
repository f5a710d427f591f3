/** @module-tag python */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { unpackPython } from '../support/python.ts'
import {
  failure,
  foreignPages,
  json,
  type ScriptedServer,
  type Step,
  startScriptedServer,
} from '../support/scripted-server.ts'

let site: string
let server: ScriptedServer
beforeAll(async () => {
  site = await unpackPython()
  server = await startScriptedServer()
})

let routes: Record<string, Step>
let store: string
beforeEach(async () => {
  store = join(await mkdtemp(join(site, 'agent-')), 'agent.db')
  routes = {
    'GET /api/agents/me': json(200, { agent: { id: 'agent_1' } }),
    'GET /api/agents/me/tasks': json(200, { tasks: [] }),
    // An event wakes the agent at once.
    'GET /api/events': json(200, { events: [{ id: 'act_1', type: 'a' }], cursor: 'act_1', truncated: false }),
  }
  server.script((response, request) => {
    routes[`${request.method} ${request.path.split('?')[0]}`]?.(response, request)
  })
})
const writes = () => server.received.filter(({ method }) => method === 'POST')
const keys = () => writes().map(({ headers }) => headers['idempotency-key'])
/** One step each time. */
const inTurn = (...steps: Step[]): Step => {
  return (response, request) => (steps.length > 1 ? steps.shift() : steps[0])?.(response, request)
}
const pages = foreignPages.map(([, page]) => page)
/** One that says success, and a refusal. */
const [maintenance, , , blocked] = pages as [Step, Step, Step, Step]
const done = json(200, { project: {} })
const now = { 'retry-after': '0' }
const step = (action: string, id: string) => ({
  action,
  method: 'POST',
  path: `/api/${id}/${action}`,
  body: { id },
  missing: action === 'lacking' ? ['pr_url'] : [],
})
const task = (id: string) => {
  return { id, request: step('activate', id), choices: [step('other', id), step('lacking', id)] }
}

interface Agent {
  /** By the id of the task. */
  choices?: Record<string, object | 'raise'>
  begun?: { route: string; body?: object }
  /** How often it goes on when there is nothing to do. */
  looks?: number
}

function start({ choices = {}, begun, looks = 0 }: Agent): ChildProcess {
  const env = {
    ...process.env,
    PYTHONPATH: site,
    PYTHONDONTWRITEBYTECODE: '1',
    WORDS: JSON.stringify([choices, begun, looks]),
  }
  const child = spawn('python3', [join(import.meta.dirname, 'agent.py'), server.url, store], { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function run(agent: Agent): Promise<string> {
  const { stdout, stderr } = start(agent)
  const [printed, faults] = await Promise.all(
    [stdout, stderr].map((out) => text(out as NodeJS.ReadableStream)),
  )
  expect(faults).toBe('')
  return String(printed)
}

test('pages of a gateway end nothing at any step, and what may be done is sent again with its key', async () => {
  for (const route of Object.keys(routes)) routes[route] = inTurn(maintenance, blocked, routes[route] as Step)
  routes['GET /api/agents/me/tasks'] = inTurn(
    blocked,
    json(200, { status: 'ok' }, now),
    json(200, { tasks: [task('a')] }),
    json(200, { tasks: [] }),
  )
  routes['POST /api/a/activate'] = inTurn(...pages, failure(502, 'payout_unconfirmed', true, now), done)
  expect(await run({ choices: { a: {} } })).toMatch(/done\n$/)
  expect(keys()).toHaveLength(pages.length + 2)
  expect(new Set(keys()).size).toBe(1)
}, 60_000)

test.each([
  ['a refused credential', failure(401, 'unauthorized')],
  ['a token that may not do it', failure(403, 'scope_missing')],
])('%s ends the agent with the error', async (_, refusal) => {
  routes['GET /api/agents/me/tasks'] = json(200, { tasks: [task('a')] })
  routes['POST /api/a/activate'] = refusal
  expect(await run({ choices: { a: {} } })).toMatch(/ended by (unauthorized|scope_missing)\n$/)
  routes['GET /api/agents/me/tasks'] = refusal
  expect(await run({})).toMatch(/ended by (unauthorized|scope_missing)\n$/)
})

test('tasks that raise, that lack a field, that are refused or that stay although they are done do not starve the others', async () => {
  routes['GET /api/agents/me/tasks'] = json(200, { tasks: ['a', 'b', 'c', 'd', 'e'].map(task) })
  routes['POST /api/b/lacking'] = done
  routes['POST /api/c/other'] = failure(404, 'bounty_not_found')
  for (const id of ['d', 'e'])
    routes[`POST /api/${id}/activate`] = inTurn(...Array(5).fill(done), failure(401, 'unauthorized'))
  const other = { choice: 'other', fields: { id: 'mine', more: 1 } }
  const choices = { a: 'raise' as const, b: { choice: 'lacking' }, c: other, d: {}, e: {} }
  const printed = await run({ choices })
  expect(printed).toMatch(/^a failed, .*cannot be worked on/m)
  expect(printed).toMatch(/^b failed, .*lacking needs pr_url/m)
  expect(writes().slice(0, 3)).toMatchObject([
    { path: '/api/c/other', body: { id: 'c', more: 1 } },
    { path: '/api/d/activate', body: { id: 'd' } },
    { path: '/api/e/activate', body: { id: 'e' } },
  ])
})

test('what begin returns again is not done a third time without a pause', async () => {
  routes['POST /api/projects'] = inTurn(done, done, failure(401, 'unauthorized'))
  const printed = await run({ begun: { route: 'POST /api/projects', body: { name: 'A' } } })
  expect(printed).toContain('begin has returned the same request again')
  expect(writes()).toHaveLength(2)
})

test('a killed agent sends what was under way again with its key, and no other agent gets its store before', async () => {
  const begun = { route: 'POST /api/bounties/bnt_1/claim', body: { revision: 1 } }
  const sent = new Promise<void>((resolve) => {
    routes['POST /api/bounties/bnt_1/claim'] = inTurn(() => resolve(), done)
  })
  const first = start({ begun })
  await sent
  expect(await run({ begun })).toMatch(
    /^ended by .*agent\.db cannot be used: database is locked\. If another/,
  )
  first.kill('SIGKILL')
  await once(first, 'close')
  await run({})
  expect(writes().map(({ body }) => body)).toEqual([begun.body, begun.body])
  expect(new Set(keys()).size).toBe(1)
})
