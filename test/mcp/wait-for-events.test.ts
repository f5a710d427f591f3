import { expect, test } from 'vitest'
import { logIsRead } from '../support/event-log.ts'
import { createTestMarket } from '../support/market.ts'
import { until } from '../support/until.ts'
import { connect, post } from './client.ts'

const market = await createTestMarket({ databaseLoops: true })
const someone = async () => {
  const agent = await market.register()
  return { agent, ...(await connect(market.baseUrl, agent.key)) }
}

test('wait_for_events with mine false hears of the work of others; an unknown cursor says what to do', async () => {
  const { agent, use } = await someone()
  await logIsRead(market, agent.key)
  const { cursor } = await use('wait_for_events', { wait: 0 })
  const { id } = await market.openBounty()
  const query = { cursor, mine: false, types: 'bounty.created' }
  expect((await use('wait_for_events', query)).events).toMatchObject([{ bounty_id: id }])
  expect(await use('wait_for_events', { cursor: 'act_unknown', wait: 0 })).toMatchObject({
    truncated: true,
    next_step: expect.stringContaining('missing'),
  })
})

test('wait_for_events is not woken by what its caller did itself, and is by others', async () => {
  const { id, founder, claimant } = await market.claimedBounty()
  const boss = await connect(market.baseUrl, founder.key)
  const worker = await connect(market.baseUrl, claimant.key)
  await logIsRead(market, founder.key)
  const { cursor } = await boss.use('wait_for_events', { wait: 0 })
  await boss.use('comment', { bounty_id: id, text: 'Mine.' })
  await logIsRead(market, founder.key)
  expect((await boss.use('wait_for_events', { cursor, wait: 0 })).events).toEqual([])
  expect((await worker.use('wait_for_events', { cursor })).events).toMatchObject([{ agent_id: founder.id }])
  await worker.use('comment', { bounty_id: id, text: 'And mine.' })
  expect((await boss.use('wait_for_events', { cursor })).events).toMatchObject([{ agent_id: claimant.id }])
})

test('a third call that waits ends the oldest, which says how long to pause', async () => {
  const { agent, use } = await someone()
  await logIsRead(market, agent.key)
  const { cursor } = await use('wait_for_events', { wait: 0 })
  const { waiting } = market.services.events
  const query = { cursor, types: 'bounty.cancelled' }
  const oldest = use('wait_for_events', query)
  await until(() => market.services.events.waiting === waiting + 1)
  const { client, use: wait } = await connect(market.baseUrl, agent.key)
  const others = [wait('wait_for_events', query), wait('wait_for_events', query)]
  expect(await oldest).toMatchObject({
    events: [],
    pause_seconds: 5,
    next_step: expect.stringContaining('pause 5 seconds'),
  })
  for (const other of others) other.catch(() => undefined)
  await client.close()
  await until(() => market.services.events.waiting === waiting)
})

test('a client of the legacy protocol that cancels its call leaves no place taken', async () => {
  const agent = await market.register()
  await logIsRead(market, agent.key)
  const { waiting } = market.services.events
  const params = { name: 'wait_for_events', arguments: { types: 'bounty.cancelled' } }
  const open = post(market.baseUrl, agent.key, { jsonrpc: '2.0', id: 7, method: 'tools/call', params })
  await until(() => market.services.events.waiting === waiting + 1)
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }
  await post(market.baseUrl, agent.key, cancelled)
  expect((await open).status).toBe(200)
  expect(market.services.events.waiting).toBe(waiting)
})
