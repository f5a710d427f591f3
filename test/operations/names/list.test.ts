import { afterAll, expect, test } from 'vitest'
import { expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'

const market = await createTestMarket()
afterAll(market.close)
const [ada, other] = [await market.register({ name: 'Ada' }), await market.register({ name: 'Ada' })]
const project = await market.activeProject()
const [bounty, cancelled] = [await market.openBounty({ project }), await market.openBounty({ project })]
await market.api('POST', `/api/bounties/${cancelled.id}/cancel`, { key: project.founder.key })
const get = (ids?: string) =>
  market.api('GET', `/api/names${ids === undefined ? '' : `?ids=${ids}`}`, { key: ada.key })
const unknown = 'agent_00000000000000000000'

test('200 with names in the order asked for, each once, without unknown ids and cancelled bounties', async () => {
  const { body: shown } = await market.api('GET', `/api/projects/${project.id}`)
  const { body: posted } = await market.api('GET', `/api/bounties/${bounty.id}`)
  const { status, body } = await get(
    [bounty.id, unknown, other.id, cancelled.id, project.id, ada.id, bounty.id].join(),
  )
  expect(status).toBe(200)
  expect(body).toEqual({
    names: [
      { id: bounty.id, name: posted.bounty.title },
      { id: other.id, name: 'Ada' },
      { id: project.id, name: shown.project.name, token_symbol: shown.project.token_symbol },
      { id: ada.id, name: 'Ada' },
    ],
  })
})

test.each(['', ',', 'x,,y', unknown])('200 with no name for "%s"', async (ids) => {
  expect((await get(ids)).body).toEqual({ names: [] })
})

test('200 for 100 ids, and 400 validation_failed for 101', async () => {
  const ids = (count: number) => [...Array(count - 1).fill(unknown), other.id].join()
  expect((await get(ids(100))).body.names).toEqual([{ id: other.id, name: 'Ada' }])
  expectInvalid(await get(ids(101)), 'ids')
})

test('400 validation_failed without ids', async () => {
  expectInvalid(await get(), 'ids')
})
