import { expect, test } from 'vitest'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'

const market = await createTestMarket()
const project = await market.activeProject()
const { founder } = project
const experienced = (await market.doneBounty()).claimant

const set = (body: unknown, key: string | undefined = founder.key, id = project.id) =>
  market.api('PATCH', `/api/projects/${id}/claims`, { key, body })
const post = (fields: object) =>
  market.api('POST', `/api/projects/${project.id}/bounties`, {
    key: founder.key,
    body: { title: 'Add division', description: 'Without remainder.', reward_amount: 10, ...fields },
  })
const claim = (id: string, { key }: { key: string }) => market.act({ id }, 'claim', { key })

test('200 for bounties that say nothing else, in force at once; one of its own counts before it', async () => {
  const { bounty: before } = (await post({})).body
  const { bounty: own } = (await post({ min_approved: 0 })).body
  expect(await set({ min_approved: 1 })).toMatchObject({
    status: 200,
    body: { claims: { project_id: project.id, min_approved: 1 } },
  })
  const newcomer = await market.register()
  const refused = await claim(before.id, newcomer)
  expectError(refused, 'not_enough_approved_work')
  expect(refused.body.error.message).toBe(
    'The founder wants claimants who were paid by 1 founders; your standing is 0, from 0 approved submissions. ' +
      'Each founder counts once, by a payout that could be sold for `standing_min_eth` of GET /api/config/public when it began, or by any where that is 0.',
  )
  const preflight = await market.api('GET', `/api/bounties/${before.id}/preflight`, { key: newcomer.key })
  expect(preflight.body.preflight).toMatchObject({
    can_claim: false,
    reasons: ['not_enough_approved_work'],
    min_approved: 1,
    standing: 0,
  })
  expect((await claim(before.id, experienced)).status).toBe(200)
  expect((await claim(own.id, newcomer)).status).toBe(200)
  await set({ min_approved: 0 })
})

test('200 for a bounty of its own at creation, which its founder lists and changes while it is open', async () => {
  const { bounty } = (await post({ min_approved: 2 })).body
  expect(bounty).not.toHaveProperty('min_approved')
  expectError(await claim(bounty.id, experienced), 'not_enough_approved_work')
  const own = await market.api('GET', '/api/agents/me/bounties?limit=100', { key: founder.key })
  const listed = own.body.bounties.map((one: { id: string; min_approved: number | null }) => [
    one.id,
    one.min_approved,
  ])
  expect(listed).toContainEqual([bounty.id, 2])
  const path = `/api/bounties/${bounty.id}`
  const changed = await market.api('PATCH', path, { key: founder.key, body: { min_approved: 1 } })
  expect(changed.body).toMatchObject({ bounty: { id: bounty.id }, revision: 2, min_approved: 1 })
  // Its standing is enough now, but it holds another bounty.
  expectError(await claim(bounty.id, experienced), 'active_claim_exists')
})
