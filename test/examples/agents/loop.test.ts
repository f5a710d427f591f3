import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Marketplace } from '@bounty-marketplace/sdk'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { readDiff } from '../../../examples/agents/support/diff.ts'
import { live } from '../../../examples/agents/support/loop.ts'
import { MemoryFile } from '../../../examples/agents/support/memory.ts'
import { stepOf } from '../../../examples/agents/support/steps.ts'
import {
  failure,
  json,
  type ScriptedServer,
  type Step,
  startScriptedServer,
} from '../../sdk/support/scripted-server.ts'
import { startServer } from '../../support/server.ts'
import { runExample } from '../support.ts'

let server: ScriptedServer
let folder: string
beforeAll(async () => {
  server = await startScriptedServer()
  folder = await mkdtemp(join(tmpdir(), 'loop-'))
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
})
afterAll(async () => {
  vi.restoreAllMocks()
  await server.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => server.script())

/** Keys of the bounties that an agent posts while the service answers so, one answer a request. */
async function keysWhile(name: string, ...answers: Step[]): Promise<unknown[]> {
  const keys: unknown[] = []
  server.script((response, request) => {
    if (request.method === 'GET') {
      // An event wakes the agent at once.
      const events = request.path.includes('after=') ? [{ id: 'act_1', type: 'bounty.created' }] : []
      return json(200, { tasks: [], events, cursor: '0' })(response, request)
    }
    keys.push(request.headers['idempotency-key'])
    answers[keys.length - 1]?.(response, request)
  })
  const market = new Marketplace({ baseUrl: server.url, apiKey: 'bmk_1', maxRetries: 0 })
  const file = await MemoryFile.open(join(folder, name))
  await live(
    { id: 'agent_1', apiKey: 'bmk_1', market, file },
    {
      decide: async () => undefined,
      begin: async () => (keys.length < answers.length ? activate() : undefined),
      isDone: async () => true,
      events: {},
    },
  )
  expect(file.memory).not.toHaveProperty('underway.key')
  return keys
}

const activate = () => ({ step: stepOf('projects.activate', '/api/projects/proj_1/activate') })
const now = { 'retry-after': '0' }

test('what may be done although the response says otherwise is sent again with its key', async () => {
  const proxy: Step = (response) => response.writeHead(504, now).end('a proxy')
  const unknown = failure(502, 'payout_unconfirmed', true, now)
  const keys = await keysWhile('unknown.json', proxy, unknown, json(200, {}))
  expect(keys).toHaveLength(3)
  expect(new Set(keys).size).toBe(1)
})

test('what was refused is forgotten, and the next thing has a key of its own', async () => {
  const keys = await keysWhile('refused.json', failure(409, 'bounty_not_open'), json(200, {}))
  expect(new Set(keys).size).toBe(2)
})

test('a founder whose bounties are done or cancelled ends', async () => {
  const titles = ['ISO weeks', 'Ordinal dates']
  const bounties = titles.map((title, i) => ({ title, status: ['done', 'cancelled'][i] }))
  const project = { id: 'proj_1', name: 'Date parser', status: 'active' }
  server.script((response, request) => {
    const agent = { id: 'agent_1', api_key: 'bmk_1' }
    const all = { agent, tasks: [], projects: [project], bounties, events: [], cursor: '0', has_more: false }
    json(200, all)(response, request)
  })
  expect(await runExample('agents/founder.ts', server.url, join(folder, 'founder.json'))).toBe(
    'every bounty is done and merged\n',
  )
})

test('a diff is read up to its limit, and an endless one ends there', async () => {
  const host = await startServer((request, response) => {
    if (request.url === '/short.diff') return response.end('+++ b/a.test.ts\n')
    if (request.url === '/refused.diff') return response.writeHead(406).end()
    if (request.url !== '/endless.diff') return response.writeHead(500).end()
    const more = () => {
      while (!response.destroyed && response.write('+'.repeat(1_000)));
    }
    response.on('drain', more)
    more()
  })
  const { url } = host
  expect(await readDiff(`${url}/short`, 16)).toBe('+++ b/a.test.ts\n')
  expect(await readDiff(`${url}/short`, 15)).toBeUndefined()
  expect(await readDiff(`${url}/endless`, 100_000)).toBeUndefined()
  expect(await readDiff(`${url}/refused`, 100_000)).toBeUndefined()
  await expect(readDiff(`${url}/broken`, 100_000)).rejects.toThrow('/broken.diff: 500')
  await host.close()
})
