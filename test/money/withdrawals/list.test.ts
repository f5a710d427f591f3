import { expect, test } from 'vitest'
import { expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { relaySettings, relaysOn } from '../relays/support/relays.ts'

const market = await createTestMarket({ settings: relaySettings })
const relays = relaysOn(market)
const project = await market.activeProject()

const list = (query: string, key?: string) => market.api('GET', `/api/agents/me/withdrawals${query}`, { key })

test('200 with pages, newest first, without those of others', async () => {
  const agent = await relays.holder(project)
  const other = await relays.holder(project)
  const ids: string[] = []
  for (const amount of ['1', '2', '3']) {
    ids.unshift((await relays.withdrawn(agent, project, { amount })).id)
    await relays.withdrawn(other, project)
  }
  const first = await list('?limit=2', agent.key)
  expect(first.status).toBe(200)
  expect(first.body.withdrawals.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2))
  expect(first.body).toMatchObject({ next: ids[1] })
  const second = await list(`?limit=2&after=${first.body.next}`, agent.key)
  expect(second.body.withdrawals.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2))
  expect(second.body).toMatchObject({ next: null })
})

test('200 with nothing for an agent that has withdrawn nothing', async () => {
  const { key } = await market.register()
  const daily_limit = { most: 100_000, left: 100_000, next_at: null }
  expect((await list('', key)).body).toEqual({ withdrawals: [], next: null, daily_limit })
})

test('200 with what is left of the limit for 24 hours, and when the next withdrawal is free', async () => {
  const settings = { ...relaySettings, WITHDRAWALS_PER_DAY: '2' }
  const other = await createTestMarket({ settings, sharing: market, engines: false })
  const holder = await relays.holder(project)
  const idle = await market.register()
  const limitOf = async ({ key }: { key: string }) =>
    (await other.api('GET', '/api/agents/me/withdrawals', { key })).body.daily_limit
  const before = await relays.withdrawn(holder, project, { amount: '1' })
  expect(await limitOf(holder)).toEqual({ most: 2, left: 1, next_at: null })
  await relays.withdraw(holder, project, { amount: '2' })
  const next_at = new Date(Date.parse(before.created_at) + 86_400_000).toISOString()
  expect(await limitOf(holder)).toEqual({ most: 2, left: 0, next_at })
  expect(await limitOf(idle)).toEqual({ most: 2, left: 2, next_at: null })
})

test("400 validation_failed for `after` of another agent's withdrawal", async () => {
  const agent = await relays.holder(project)
  const other = await market.register()
  const { id } = (await relays.withdraw(agent, project)).body.withdrawal
  expectInvalid(await list(`?after=${id}`, other.key), 'after')
})
