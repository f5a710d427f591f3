import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createApp } from '../../server/app.ts'
import { createTestMarket, type TestMarket } from '../support/market.ts'
import { until } from '../support/until.ts'
import { connect, post } from './client.ts'

const lines: Record<string, unknown>[] = []
const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
const main = await createTestMarket({ log, settings: { APPROVE_WAIT_SECONDS: '60' } })
const limited = await createTestMarket({
  sharing: main,
  engines: false,
  settings: {
    ...{ RATE_LIMITS: 'on', RATE_LIMIT_WRITES_PER_MINUTE: '2', RATE_LIMIT_READS_PER_MINUTE: '3' },
    MAX_REQUESTS_IN_FLIGHT: '1',
  },
})
afterAll(async () => {
  await limited.close()
  await main.close()
})
const project = await main.activeProject()

const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
const callOf = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
})

/** A second server of the market on which tools have half a second. */
async function hurried({ services }: TestMarket): Promise<string> {
  const app = await createApp(services, { toolSeconds: 0.5 })
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
  const [agent, { id }] = [await main.register(), await main.openBounty({ project })]
  const { use, refused } = await connect(limited.baseUrl, agent.key)
  await use('claim', { bounty_id: id })
  await use('extend', { bounty_id: id })
  expect(await refused('extend', { bounty_id: id })).toMatchObject({
    error: { code: 'rate_limited', retryable: true, retry_after_seconds: expect.any(Number) },
    next_step: expect.stringMatching(/^Call extend again in \d+ seconds\.$/),
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
])('%s counts as a read of the agent', async (_what, message) => {
  const agent = await main.register()
  for (let index = 0; index < 3; index++)
    expect((await post(limited.baseUrl, agent.key, message)).status).toBeLessThan(429)
  const refused = await post(limited.baseUrl, agent.key, message)
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } })
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
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
  const { refused } = await connect(await hurried(main), key)
  const expected = {
    error: { code: 'payout_unconfirmed', retryable: true },
    next_step: expect.stringContaining('call approve again'),
  }
  expect(await refused('approve', { bounty_id: bounty.id })).toMatchObject(expected)
  await until(async () => !(await attached(bounty.submissionId)))
  expect(await refused('approve', { bounty_id: bounty.id })).toMatchObject(expected)
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
  gone.end(JSON.stringify(callOf('approve', { bounty_id: id })))
  await until(() => attached(submissionId))
  gone.destroy()
  await until(async () => !(await attached(submissionId)))
})
