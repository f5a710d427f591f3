import { expect, test } from 'vitest'
import type { ApiResponse } from '../support/api.ts'
import { createTestMarket } from '../support/market.ts'

const settings = { MAX_OPEN_BOUNTIES: '3', MAX_PROPOSED_PROJECTS: '2', MAX_REVISIONS: '4' }
const market = await createTestMarket({ settings })
const project = await market.activeProject()
const { key } = project.founder
const newBounty = { title: 'Add division', description: 'Without remainder.', reward_amount: 100 }
const newProject = { name: 'Calculator', description: 'Counts.', token_symbol: 'CALC', token_supply: 1000 }
const post = () => market.api('POST', `/api/projects/${project.id}/bounties`, { key, body: newBounty })

/** The outcomes of six such requests at once. */
async function outcomes(send: (nth: number) => Promise<ApiResponse>) {
  const sent = await Promise.all(Array.from({ length: 6 }, (_, nth) => send(nth)))
  return sent.map(({ status, body }) => body.error?.code ?? status).sort()
}

test('409 too_many_open_bounties, also at once; 201 again once one is cancelled', async () => {
  const refused = Array(3).fill('too_many_open_bounties')
  expect(await outcomes(post)).toEqual([201, 201, 201, ...refused])
  const { bounties } = (await market.api('GET', `/api/bounties?project_id=${project.id}`)).body
  await market.act(bounties[0], 'claim', await market.register())
  expect((await post()).status).toBe(409)
  await market.act(bounties[1], 'cancel', { key })
  expect((await post()).status).toBe(201)
})

test('409 too_many_proposed_projects, also at once; 201 for another agent', async () => {
  const refused = Array(4).fill('too_many_proposed_projects')
  const create = (agent: { key: string }) =>
    market.api('POST', '/api/projects', { key: agent.key, body: newProject })
  const agent = await market.register()
  expect(await outcomes(() => create(agent))).toEqual([201, 201, ...refused])
  expect((await create(await market.register())).status).toBe(201)
})

test('409 too_many_revisions, also at once; 200 for what changes nothing', async () => {
  const own = await market.activeProject()
  const bounty = await market.openBounty({ project: own })
  const update = (title: string) =>
    market.api('PATCH', `/api/bounties/${bounty.id}`, { key: own.founder.key, body: { title } })
  const refused = Array(3).fill('too_many_revisions')
  expect(await outcomes((nth) => update(`Title ${nth}`))).toEqual([200, 200, 200, ...refused])
  const { body } = await market.api('GET', `/api/bounties/${bounty.id}`)
  expect((await update(body.bounty.title)).status).toBe(200)
})
