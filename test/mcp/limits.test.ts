import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { type AppOptions, createApp } from '../../server/app.ts'
import { createTestMarket } from '../support/market.ts'
import { until } from '../support/until.ts'
import { connect, post } from './client.ts'

const lines: Record<string, unknown>[] = []
const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
const main = await createTestMarket({ log, settings: { APPROVE_WAIT_SECONDS: '60' } })
const limited = await createTestMarket({
  sharing: main,
  engines: false,
  settings: {
    RATE_LIMITS: 'on',
    RATE_LIMIT_WRITES_PER_MINUTE: '2',
    RATE_LIMIT_READS_PER_MINUTE: '3',
    MAX_REQUESTS_IN_FLIGHT: '1',
  },
})
const project = await main.activeProject()

const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
const callOf = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
})

/** A second server of the market. */
async function serveBeside(options: AppOptions): Promise<string> {
  const app = await createApp(main.services, options)
  onTestFinished(() => app.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}
/** Whether a request waits for the payout of a submission. */
const attached = async (submissionId: string) => {
  const { rows } = await sql<{ is_held: boolean }>`select served_until > now() as is_held from payouts
    where submission_id = ${submissionId}`.execute(main.db)
  return rows[0]?.is_held === true
}

test('a call that changes something counts as one write, whichever way it comes, and as no read', async () => {
  const agent = await main.register()
  const bounty = await main.openBounty({ project })
  const { id } = bounty
  const { use, refused } = await connect(limited.baseUrl, agent.key)
  await use('claim', { bounty_id: id })
  await main.work({ ...bounty, claimant: agent })
  const extend = { bounty_id: id, action: 'extend' }
  await use('change_claim', extend)
  expect(await refused('change_claim', extend)).toMatchObject({
    error: { code: 'rate_limited', retryable: true, retry_after_seconds: expect.any(Number) },
    next_step: expect.stringMatching(/^Call change_claim again in \d+ seconds\.$/),
  })
  const rest = await limited.api('POST', `/api/bounties/${id}/release`, { key: agent.key })
  expect(rest.status).toBe(429)
  // The connection was one read, so two are left.
  const reads = [
    await post(limited.baseUrl, agent.key, ping(1)),
    await post(limited.baseUrl, agent.key, ping(2)),
  ]
  expect(reads.map(({ status }) => status)).toEqual([200, 200])
})

test.each([
  ['a message', ping(1)],
  ['an unknown tool', callOf('withdraw', {})],
  ['a body that is no JSON', '{'],
  ['a call with an unknown argument', callOf('claim', { bounty_id: 'bnt_1', x: 1 })],
  ['a call without a required argument', callOf('claim', {})],
  ['a call whose arguments are no object', callOf('claim', 'x' as never)],
  ['a notification', { ...callOf('find_bounties', {}), id: undefined }],
  ['a call without jsonrpc', { ...callOf('find_bounties', {}), jsonrpc: undefined }],
  ['a call with a long id', callOf('get_bounty', { bounty_id: 'x'.repeat(5000) })],
])('%s counts as a read of the agent', async (_what, message) => {
  const agent = await main.register()
  for (let index = 0; index < 3; index++)
    expect((await post(limited.baseUrl, agent.key, message)).status).toBeLessThan(429)
  const refused = await post(limited.baseUrl, agent.key, message)
  expect(refused).toMatchObject({ status: 429, body: { error: { data: { code: 'rate_limited' } } } })
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
})

test.each([
  ['a message', ping(1)],
  ['a call', callOf('find_bounties', {})],
  ['a body that is no JSON', '{'],
])('%s without a key counts as a public read of its address', async (_what, message) => {
  const app = await createTestMarket({
    sharing: main,
    engines: false,
    settings: { RATE_LIMITS: 'on', RATE_LIMIT_READS_PER_MINUTE: '2', RATE_LIMIT_REGISTRATIONS_PER_HOUR: '1' },
  })
  onTestFinished(app.close)
  const send = () => post(app.baseUrl, undefined, message)
  for (let index = 0; index < 2; index++) expect((await send()).status).toBeLessThan(429)
  expect(JSON.stringify((await send()).body)).toContain('rate_limited')
  // Registrations are counted as such.
  const register = () =>
    post(app.baseUrl, undefined, callOf('register', { name: 'Ada', idempotency_key: randomUUID() }))
  await register()
  const { body } = await register()
  expect(body.result.content[0].text).toMatch(/rate_limited.*Call register again in \d+ seconds/)
})

test('create_project counts as two writes', async () => {
  const agent = await main.register()
  const fields = { name: 'Two', description: 'Writes.', token_symbol: 'TWO', token_supply: 1000 }
  const { call, refused } = await connect(limited.baseUrl, agent.key)
  await call('create_project', { ...fields, idempotency_key: 'two-writes' })
  expect(await refused('claim', { bounty_id: 'bnt_1' })).toMatchObject({ error: { code: 'rate_limited' } })
})

test('a call of a tool is measured once, as its operation; another message as mcp', async () => {
  const measured: (string | undefined)[] = []
  const url = await serveBeside({ onResponse: ({ operation }) => measured.push(operation) })
  const { key } = await main.register()
  const { id } = await main.claimedBounty({ project })
  await post(url, key, callOf('find_bounties', {}))
  await post(url, key, callOf('get_bounty', { bounty_id: id }))
  await post(url, key, ping(1))
  await until(() => measured.length >= 8)
  const ofBounty = [
    'bounties.get',
    'comments.list',
    'bounties.revisions',
    'projects.get',
    'bounties.getClaim',
  ]
  expect(measured.toSorted()).toEqual(['bounties.list', ...ofBounty, 'agents.standing', 'mcp'].toSorted())
})

test('a request that is injected, but not by a tool, is not logged as via MCP', async () => {
  const app = await createApp(main.services)
  onTestFinished(() => app.close())
  lines.length = 0
  await app.inject({ url: '/api/bounties' })
  const seen = lines.find(({ operation }) => operation === 'bounties.list')
  expect(seen).toBeDefined()
  expect(seen).not.toHaveProperty('via')
})

test.each([
  ['find_bounties', {}, /^Call find_bounties again/],
  ['claim', { bounty_id: 'bnt_1' }, /Call next_actions before you call claim again/],
  [
    'create_bounty',
    {
      project_id: 'prj_1',
      title: 'A',
      description: 'B',
      reward_amount: 1,
      idempotency_key: 'a-key-of-ones-own',
    },
    /^Call create_bounty again with the same idempotency_key/,
  ],
] as const)('%s that does not end in time says how to go on', async (name, args, next_step) => {
  const { key } = await main.register()
  const { refused } = await connect(await serveBeside({ toolSeconds: 0.2 }), key)
  await main.db.transaction().execute(async (trx) => {
    await sql`lock table bounties, projects`.execute(trx)
    expect(await refused(name, args)).toMatchObject({
      error: { code: 'unavailable' },
      next_step: expect.stringMatching(next_step),
    })
  })
})

test('a call needs no place besides that of its operation', async () => {
  const agent = await main.register()
  const { call } = await connect(limited.baseUrl, agent.key)
  const all = await Promise.all([call('find_bounties'), call('find_bounties'), call('find_bounties')])
  expect(all.map(({ isError }) => isError)).toEqual([false, false, false])
})

test('the access log names the operation, the agent and MCP, under the id of the request', async () => {
  const agent = await main.register()
  lines.length = 0
  const { headers } = await post(main.baseUrl, agent.key, callOf('find_bounties', {}))
  const request_id = headers.get('x-request-id')
  await until(() => lines.filter((line) => line.request_id === request_id).length === 2)
  expect(lines.filter((line) => line.request_id === request_id)).toMatchObject([
    {
      operation: 'bounties.list',
      via: 'mcp',
      method: 'GET',
      path: '/api/bounties',
      status: 200,
      ip: '127.0.0.1',
    },
    { operation: 'mcp', method: 'POST', path: '/mcp', status: 200, agent_id: agent.id },
  ])
})

test('approve that does not end in time says so, and lets the next approval join', async () => {
  await main.stopEngines()
  onTestFinished(async () => main.startEngines())
  const bounty = await main.bountyInReview({ project })
  const { key } = bounty.founder
  const { refused } = await connect(await serveBeside({ toolSeconds: 2 }), key)
  const expected = {
    error: { code: 'payout_unconfirmed', retryable: true },
    next_step: expect.stringContaining('Call approve again'),
  }
  const { body } = await main.api('GET', `/api/submissions/${bounty.submissionId}/pull-request`, { key })
  const args = {
    bounty_id: bounty.id,
    submission_id: bounty.submissionId,
    expected_head_sha: body.pull_request.head_sha,
  }
  expect(await refused('approve', args)).toMatchObject(expected)
  await until(async () => !(await attached(bounty.submissionId)))
  expect(await refused('approve', args)).toMatchObject(expected)
  expect(await refused('approve', { ...args, expected_head_sha: 'f'.repeat(40) })).toMatchObject({
    error: { code: 'pull_request_changed', message: expect.stringContaining(args.expected_head_sha) },
  })
})

test('a client that is gone leaves its approval to the next one', async () => {
  await main.stopEngines()
  onTestFinished(async () => main.startEngines())
  const { id, founder, submissionId } = await main.bountyInReview({ project })
  const gone = request(new URL('/mcp', main.baseUrl), {
    agent: false,
    method: 'POST',
    headers: { authorization: `Bearer ${founder.key}`, 'content-type': 'application/json' },
  })
  gone.on('error', () => undefined)
  const { body } = await main.api('GET', `/api/submissions/${submissionId}/pull-request`, {
    key: founder.key,
  })
  const { head_sha: expected_head_sha } = body.pull_request
  gone.end(
    JSON.stringify(callOf('approve', { bounty_id: id, submission_id: submissionId, expected_head_sha })),
  )
  await until(() => attached(submissionId))
  gone.destroy()
  await until(async () => !(await attached(submissionId)))
})
