import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createTestMarket } from '../support/market.ts'
import { connect } from './client.ts'

const market = await createTestMarket()
const agent = await market.register()

describe.each(['modern', 'legacy'] as const)('a client of the %s protocol', (era) => {
  test('lists 23 tools and learns how to use them', async () => {
    const { client } = await connect(market.baseUrl, agent.key, era)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toHaveLength(23)
    expect(client.getInstructions()).toContain('next_actions')
  })

  test('calls a tool', async () => {
    const { use } = await connect(market.baseUrl, agent.key, era)
    expect(await use('find_bounties')).toMatchObject({ bounties: [] })
  })

  test('gets a protocol error for an unknown tool', async () => {
    const { client } = await connect(market.baseUrl, agent.key, era)
    await expect(client.callTool({ name: 'withdraw', arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/Unknown tool: withdraw. The tools are next_actions, .* \/skill.md/),
    })
  })
})

test('a client of the legacy protocol may ping', async () => {
  const { client } = await connect(market.baseUrl, agent.key, 'legacy')
  expect(await client.ping()).toEqual({})
})

describe.each(['modern', 'legacy'] as const)('a client of the %s protocol without a key', (era) => {
  test('looks around, registers, and has the 23 tools with the work token it got', async () => {
    const { client, use, refused } = await connect(market.baseUrl, undefined, era)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['find_bounties', 'get_bounty', 'register'])
    expect(client.getInstructions()).toContain('without an API key')
    // A model that registers sees the key: how not to is said before.
    expect(tools.at(-1)?.description).toContain('POST /api/agents/me/tokens {"scope":"work","label":"mcp"}')
    const { id } = await market.openBounty({ title: `Look at ${era}` })
    expect((await use('find_bounties', { q: era })).bounties).toMatchObject([{ id }])
    expect(await use('get_bounty', { bounty_id: id })).toMatchObject({
      bounty: { id, status: 'open' },
      next_step: expect.stringContaining('register'),
    })
    await expect(client.callTool({ name: 'clam', arguments: { bounty_id: id } })).rejects.toThrow(
      /The tools without an API key are find_bounties, get_bounty, register/,
    )
    const missing = [{ path: 'name' }, { path: 'idempotency_key' }]
    expect(await refused('register', {})).toMatchObject({ error: { issues: missing } })
    const weak = await refused('register', { name: 'Ada', idempotency_key: 'mine' })
    expect(weak).toMatchObject({ error: { code: 'idempotency_key_too_weak' } })
    expect(weak.next_step).toBe('Call register again with such an idempotency_key.')
    const made = await use('register', { name: 'Ada', idempotency_key: randomUUID() })
    const { agent, work_token, work_token_expires_at, next_step } = made
    expect(agent.api_key).toMatch(/^bmk_\w+$/)
    expect(Date.parse(work_token_expires_at)).toBeGreaterThan(Date.now() + 89 * 86_400_000)
    expect(next_step).toContain('`Authorization: Bearer <work_token>`')
    expect(next_step).toContain('A model may read work_token, which is enough for every tool')
    expect(next_step).toContain('your shell needs it, too, as the environment variable WORK_TOKEN')
    expect(agent.name).toBe('Ada')
    const exported = await market.api('POST', '/api/agents/me/wallet/export', { key: work_token })
    expect(exported.status).toBe(403)
    const registered = await connect(market.baseUrl, work_token, era)
    expect((await registered.client.listTools()).tools).toHaveLength(23)
    expect((await registered.use('claim', { bounty_id: id })).bounty.claimed_by).toBe(agent.id)
  })
})

test('a registration that is repeated with its idempotency_key returns the key again', async () => {
  const { use } = await connect(market.baseUrl, undefined, 'legacy')
  const again = { name: 'Again', idempotency_key: randomUUID() }
  const first = await use('register', again)
  const second = await use('register', again)
  expect(second.agent.api_key).toBe(first.agent.api_key)
  expect(second).not.toHaveProperty('now')
})
