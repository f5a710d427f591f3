import { expect, test } from 'vitest'
import { createNames } from '../../server/board/names.ts'
import { lockHours } from '../../server/money/deposits/locked.ts'
import { createTestMarket } from '../support/market.ts'

const market = await createTestMarket()
const ada = await market.register({ name: 'Ada' })
const other = await market.register({ name: 'Ada' })
const project = await market.activeProject()
const bounty = await market.openBounty({ project })
const cancelled = await market.openBounty({ project })
await market.api('POST', `/api/bounties/${cancelled.id}/cancel`, { key: project.founder.key })
const unknown = 'agent_00000000000000000000'

/** Names by a memory of its own, and the ids of each reading. */
function names() {
  const readings: unknown[] = []
  const { reads } = market.services
  const of = createNames(lockHours(market.services.config))({
    run(statement) {
      readings.push(statement.values[0])
      return reads.run(statement)
    },
  })
  return { of, readings }
}

test('agents, projects and bounties have names, unknown ids and cancelled bounties have none', async () => {
  const { body: shown } = await market.api('GET', `/api/projects/${project.id}`)
  const { body: posted } = await market.api('GET', `/api/bounties/${bounty.id}`)
  const found = await names().of([bounty.id, unknown, other.id, cancelled.id, project.id, ada.id, bounty.id])
  expect(Object.fromEntries(found)).toEqual({
    [bounty.id]: { id: bounty.id, name: posted.bounty.title, min_approved: 0, tags: [], comments: 0 },
    [other.id]: { id: other.id, name: 'Ada' },
    [project.id]: {
      id: project.id,
      name: shown.project.name,
      token_symbol: shown.project.token_symbol,
      founder_id: project.founder.id,
    },
    [ada.id]: { id: ada.id, name: 'Ada' },
  })
})

test('an agent and a project are read once, a bounty each time', async () => {
  const { of, readings } = names()
  const ids = [ada.id, project.id, bounty.id]
  const first = await of(ids)
  expect(await of(ids)).toEqual(first)
  expect(readings).toEqual([ids, [bounty.id]])
})

test('101 names are two readings', async () => {
  const { of, readings } = names()
  const ids = [...Array.from({ length: 100 }, (_, nth) => `${unknown}${nth}`), other.id]
  expect([...(await of(ids)).keys()]).toEqual([other.id])
  expect(readings).toEqual([ids.slice(0, 100), [other.id]])
})
