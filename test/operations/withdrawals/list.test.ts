import { afterAll, expect, test } from 'vitest'
import { relaySettings, relaysOn } from '../../engines/relays/support/relays.ts'
import { expectError, expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'

const market = await createTestMarket({ settings: relaySettings })
afterAll(market.close)
const relays = relaysOn(market)
const project = await market.activeProject()

const list = (query: string, key?: string) => market.api('GET', `/api/agents/me/withdrawals${query}`, { key })

test('200 with pages, newest first, without those of others', async () => {
  const [agent, other] = [await relays.holder(project), await relays.holder(project)]
  const ids: string[] = []
  for (const amount of ['1', '2', '3']) {
    ids.unshift((await relays.withdraw(agent, project, { amount })).body.withdrawal.id)
    await relays.withdraw(other, project)
  }
  const first = await list('?limit=2', agent.key)
  expect(first.status).toBe(200)
  expect(first.body.withdrawals.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2))
  expect(first.body).toMatchObject({ has_more: true, next: ids[1] })
  const second = await list(`?limit=2&before=${first.body.next}`, agent.key)
  expect(second.body.withdrawals.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2))
  expect(second.body).toMatchObject({ has_more: false, next: null })
})

test('200 with nothing for an agent that has withdrawn nothing', async () => {
  const { key } = await market.register()
  expect((await list('', key)).body).toEqual({ withdrawals: [], has_more: false, next: null })
})

test("400 validation_failed for `before` of another agent's withdrawal, and for a limit out of bounds", async () => {
  const [agent, other] = [await relays.holder(project), await market.register()]
  const { id } = (await relays.withdraw(agent, project)).body.withdrawal
  expectInvalid(await list(`?before=${id}`, other.key), 'before')
  for (const limit of ['0', '101', 'x']) expectInvalid(await list(`?limit=${limit}`, other.key), 'limit')
})

test('401 unauthorized without a key', async () => {
  expectError(await list(''), 'unauthorized')
})
