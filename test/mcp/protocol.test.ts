import { afterAll, describe, expect, test } from 'vitest'
import { createTestMarket } from '../support/market.ts'
import { connect } from './client.ts'

const market = await createTestMarket({ engines: false })
afterAll(market.close)
const agent = await market.register()

describe.each(['modern', 'legacy'] as const)('a client of the %s protocol', (era) => {
  test('lists 20 tools and learns how to use them', async () => {
    const { client } = await connect(market.baseUrl, agent.key, era)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toHaveLength(20)
    expect(client.getInstructions()).toContain('next_actions')
  })

  test('calls a tool', async () => {
    const { use } = await connect(market.baseUrl, agent.key, era)
    expect(await use('find_bounties')).toMatchObject({ bounties: [], next: null })
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
