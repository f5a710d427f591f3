/** @module-tag pip */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createMarketWithoutGit } from '../examples/support.ts'
import type { TestMarket } from '../support/market.ts'
import { startServer } from '../support/server.ts'
import { root } from './support/package.ts'
import { installPython } from './support/python.ts'
import {
  failure,
  foreignPages,
  hangUp,
  json,
  type Step,
  startScriptedServer,
} from './support/scripted-server.ts'

const run = promisify(execFile)

let market: TestMarket
let site: string
beforeAll(async () => {
  market = await createMarketWithoutGit()
  site = await installPython(market.baseUrl)
}, 120_000)

const python = (name: string, args: string[], words: string[] = []) => ({
  args: [join(import.meta.dirname, 'python', name), ...args],
  options: {
    env: { ...process.env, PYTHONPATH: site, PYTHONDONTWRITEBYTECODE: '1', WORDS: JSON.stringify(words) },
  },
})

/** What call.py prints. */
async function call(address: string, what: string, ...words: string[]): Promise<string> {
  const { args, options } = python('call.py', [address, what], words)
  return (await run('python3', args, options)).stdout
}

test('pip refuses bytes that are not those of /sdk.json', async () => {
  const url = `${market.baseUrl}/sdk-python.tgz#sha512=${'0'.repeat(128)}`
  const refused = run('python3', ['-m', 'pip', 'download', '--no-index', '--no-cache-dir', '-d', site, url])
  await expect(refused).rejects.toThrow(/HASH/i)
})

test('the snippets of the README run as one program', async () => {
  const readme = await readFile(join(root, 'sdk/python/README.md'), 'utf8')
  const snippets = [...readme.matchAll(/^```python\n(.*?)^```$/gms)].map(([, code]) => code)
  const program = snippets
    .join('\n')
    .replaceAll('http://127.0.0.1:3000', market.baseUrl)
    .replace('begin=begin)', 'begin=begin, is_done=lambda agent: True)')
  const env = { ...process.env, PYTHONPATH: site, PYTHONDONTWRITEBYTECODE: '1' }
  const cwd = await mkdtemp(join(site, 'readme-'))
  const { stdout } = await run('python3', ['-c', program], { env, cwd })
  expect(stdout).toMatch(/^bounty_not_found 404 False req_\w+\n$/)
  expect(snippets).toHaveLength(4)
  if (process.platform !== 'win32') expect((await stat(join(cwd, 'grace.key'))).mode & 0o777).toBe(0o600)
})

test('a process that is killed in the middle of a write and started again with its key has done it once', async () => {
  const { key } = await market.register()
  let python3: ChildProcess | undefined
  const keys: unknown[] = []
  // The service has done the work, and the response is on its way.
  const gateway = await startServer(async (request, response) => {
    keys.push(request.headers['idempotency-key'])
    const { authorization = '', 'idempotency-key': key = '' } = request.headers
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': String(key) }
    const { method, url } = request
    const done = await fetch(market.baseUrl + url, { method, headers, body: await text(request) })
    const body = await done.text()
    if (python3?.kill('SIGKILL')) return
    response.writeHead(done.status).end(body)
  })
  onTestFinished(() => gateway.close())
  const project = { name: 'Once', description: 'Not twice.', token_symbol: 'ONCE', token_supply: 1000 }
  const words = [key, 'stored-before-the-first-attempt', JSON.stringify(project)]
  const { args, options } = python('call.py', [gateway.url, 'create'], words)
  python3 = spawn('python3', args, options)
  expect(await once(python3, 'exit')).toEqual([null, 'SIGKILL'])
  python3 = undefined
  const id = (await call(gateway.url, 'create', ...words)).trim()
  expect(keys).toEqual(Array(2).fill('stored-before-the-first-attempt'))
  const { body } = await market.api('GET', '/api/agents/me/projects', { key })
  expect(body.projects.map((one: { id: string }) => one.id)).toEqual([id])
}, 60_000)

describe('against a server that does what the test says', () => {
  async function scripted(...steps: Step[]) {
    const server = await startScriptedServer()
    onTestFinished(() => server.close())
    server.script(...steps)
    return server
  }
  const gateway =
    (status: number): Step =>
    (response) =>
      response.writeHead(status).end('<html>a gateway</html>')
  const done = json(201, { project: { id: 'proj_1' } })
  const create = (url: string) => call(url, 'create', 'bmk_own', '', '{}')

  test('a write is repeated with one key while it fails for a reason that passes', async () => {
    const busy = failure(409, 'idempotency_in_progress', true, { 'retry-after': '0' })
    const server = await scripted(
      hangUp,
      gateway(502),
      failure(503, 'overloaded', true, { 'retry-after': '0' }),
      busy,
      busy,
      done,
    )
    expect(await create(server.url)).toBe('proj_1\n')
    expect(server.received).toHaveLength(6)
    const keys = server.received.map(({ headers }) => String(headers['idempotency-key']))
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[\w-]{32,}$/)
    expect(server.received[0]?.headers['user-agent']).toMatch(/^bounty-marketplace-python\/\d/)
  }, 30_000)

  test.each(foreignPages)('%s loses no write, which is repeated with its key', async (_, page) => {
    const server = await scripted(page, page, done)
    expect(await create(server.url)).toBe('proj_1\n')
    expect(new Set(server.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  test('request() takes any JSON object for a success, unless a member is expected', async () => {
    const state = json(200, { status: 'ok' })
    expect(await call((await scripted(state)).url, 'request', 'bmk_own', '')).toBe('{"status": "ok"}\n')
    const server = await scripted(state, json(200, { queued: 1 }))
    expect(await call(server.url, 'request', 'bmk_own', 'queued')).toBe('{"queued": 1}\n')
  })

  test.each<[string, Step, string]>([
    [
      'that cannot succeed later',
      failure(403, 'not_founder'),
      'not_founder It is not_founder. (not_founder, 403, req_test)',
    ],
    ['that conflicts', failure(409, 'chain_busy', true), 'chain_busy It is chain_busy.'],
    [
      'whose Retry-After is too long',
      failure(429, 'rate_limited', true, { 'retry-after': '3600' }),
      'rate_limited',
    ],
  ])('it does not repeat a request %s', async (_, step, printed) => {
    const server = await scripted(step)
    expect(await create(server.url)).toContain(printed)
    expect(server.received).toHaveLength(1)
  })

  test('a stream gives each event once, through outages, and says what it missed', async () => {
    const page = (ids: string[], cursor: string, truncated = false) =>
      json(200, {
        events: ids.map((id) => ({ id, type: 'agent.registered' })),
        cursor,
        truncated,
        has_more: true,
      })
    const server = await scripted(
      gateway(502),
      page([], 'act_0'),
      page(['act_1', 'act_2'], 'act_3'),
      hangUp,
      page([], 'act_8', true),
      page(['act_9'], 'act_9'),
    )
    expect((await call(server.url, 'stream', 'bmk_own', '4')).split('\n')).toEqual([
      'act_1 act_1',
      'act_2 act_3',
      'missed act_8',
      'act_9 act_9',
      '',
    ])
    const after = server.received.map(({ path }) => new URL(path, server.url).searchParams.get('after'))
    expect(after).toEqual([null, null, 'act_0', 'act_3', 'act_3', 'act_8'])
  }, 30_000)

  test('an iterator gives each bounty once while others enter and leave the list', async () => {
    // Numbers count down with time. After the first page three enter in front, after the second one 20 leave.
    const bounty = (number: number) => ({
      id: `bnt_${number}`,
      created_at: new Date(number * 1000).toISOString(),
    })
    let present = Array.from({ length: 250 }, (_, at) => 1000 - at)
    const changes = [
      () => present.unshift(1003, 1002, 1001),
      () => {
        present = present.filter((number) => number > 990 || number <= 970)
      },
    ]
    const server = await scripted((response, request) => {
      const { searchParams } = new URL(request.path, 'http://localhost')
      const from = Number(searchParams.get('offset'))
      json(200, { bounties: present.slice(from, from + 100).map(bounty) })(response, request)
      changes.shift()?.()
    })
    const given = (await call(server.url, 'iterate', '')).trim().split(' ')
    expect(given).toEqual(Array.from({ length: 250 }, (_, at) => `bnt_${1000 - at}`))
  })

  test('an iterator by cursor reads page after page', async () => {
    const page = (ids: string[], next: string | null) =>
      json(200, { balances: ids.map((project_id) => ({ project_id })), next })
    const server = await scripted(page(['p3', 'p2'], 'p2'), page(['p1'], null))
    expect(await call(server.url, 'balances', 'bmk_own')).toBe('p3 p2 p1\n')
    expect(server.received[1]?.path).toContain('after=p2')
  })
})
