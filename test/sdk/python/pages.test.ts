/** @module-tag python */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { unpackPython } from '../support/python.ts'
import { foreignPages, json, startScriptedServer } from '../support/scripted-server.ts'

const run = promisify(execFile)

let site: string
beforeAll(async () => {
  site = await unpackPython()
})

const bounty = { id: 'bnt_1', created_at: '2026-01-01T00:00:00.000Z' }
const submission = { id: 'sub_1', status: 'rejected' }
const event = { id: 'act_1', type: 'bounty.created' }
const events = { events: [event], cursor: 'act_1', truncated: false, has_more: false }
const balances = { balances: [{ project_id: 'proj_1' }], next: null }

/** How often each page comes in a row, what the service responds then, and what the call returns. */
const calls: [call: string, times: number, response: object, returned: unknown][] = [
  ['read', 2, { bounty }, { bounty }],
  ['write', 2, { bounty }, { bounty }],
  ['perform', 2, { submission }, { submission }],
  ['iterate', 2, { bounties: [bounty] }, [bounty]],
  ['iterate by cursor', 2, balances, balances.balances],
  // What waits outlasts more pages than a call repeats by itself.
  ['stream', 5, events, event],
  ['start of a stream', 5, events, 'act_1'],
  ['wait', 5, { submission }, submission],
]

// Each waits most of its time.
test.concurrent.each(calls)(
  'no page of a gateway ends a %s, and what is sent again has its key',
  async (...row) => {
    const [call, times, response, returned] = row
    const server = await startScriptedServer()
    const pages = foreignPages.map(([, page]) => page)
    server.script(...pages.flatMap((page) => [...Array(times).fill(page), json(200, response)]))
    const env = { ...process.env, PYTHONPATH: site, PYTHONDONTWRITEBYTECODE: '1' }
    const args = [join(import.meta.dirname, 'pages.py'), server.url, call, String(pages.length)]
    const { stdout } = await run('python3', args, { env })
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(pages.map(() => returned))
    expect(server.received).toHaveLength(pages.length * (times + 1))
    const isWrite = server.received[0]?.method === 'POST'
    const keys = server.received.map(({ headers }) => headers['idempotency-key'])
    const keysOf = pages.map((_, at) => new Set(keys.slice(at * (times + 1), (at + 1) * (times + 1))))
    expect(keysOf.map(({ size }) => size)).toEqual(pages.map(() => 1))
    expect(new Set(keys).size).toBe(isWrite ? pages.length : 1)
  },
  120_000,
)
