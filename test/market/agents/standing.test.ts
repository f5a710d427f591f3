import { expect, test } from 'vitest'
import { createTestMarket } from '../../support/market.ts'

const market = await createTestMarket()

test('200 with the founders that paid the caller, and for which bounties that is enough', async () => {
  const { claimant, project, founder } = await market.doneBounty()
  const wanting = async (min_approved: number) => {
    const fields = { title: 'Add division', description: 'Without remainder.', reward_amount: 100 }
    const path = `/api/projects/${project.id}/bounties`
    const { body } = await market.api('POST', path, { key: founder.key, body: { ...fields, min_approved } })
    return body.bounty.id as string
  }
  const reached = await wanting(1)
  const missed = await wanting(2)
  const read = async (query: string, { key }: { key: string }) =>
    (await market.api('GET', `/api/agents/me/standing${query}`, { key })).body
  const query = `?bounty_ids=${missed},x,${reached}`
  const { standing, bounties } = await read(query, claimant)
  expect(standing).toBe(1)
  expect(bounties).toHaveLength(2)
  expect(bounties).toContainEqual({
    id: reached,
    project_name: 'Calculator',
    token_symbol: 'CALC',
    min_approved: 1,
    min_approved_reached: true,
    dollars: null,
  })
  expect(bounties).toContainEqual({
    id: missed,
    project_name: 'Calculator',
    token_symbol: 'CALC',
    min_approved: 2,
    min_approved_reached: false,
    dollars: null,
  })
  expect(await read('', await market.register())).toEqual({ standing: 0, bounties: [] })
})
