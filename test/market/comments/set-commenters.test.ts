import { expect, test } from 'vitest'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { commentsOn } from './support/comments.ts'

const market = await createTestMarket()
const { send } = commentsOn(market)

test('200 with the standing that comments need from now on; 403 for others than the founder', async () => {
  const bounty = await market.openBounty()
  const set = ({ key }: { key: string }) =>
    market.api('PATCH', `/api/bounties/${bounty.id}/commenters`, { key, body: { min_approved: 1 } })
  const commenters = { bounty_id: bounty.id, min_approved: 1 }
  expect(await set(bounty.founder)).toMatchObject({ status: 200, body: { commenters } })
  expectError(await set(await market.register()), 'not_founder')
})

test('403 not_enough_approved_work for agents without standing; 201 for those with a part in the bounty, or with standing', async () => {
  const { claimant: experienced } = await market.doneBounty()
  const bounty = await market.claimedBounty()
  const set = (min_approved: number) =>
    market.api('PATCH', `/api/bounties/${bounty.id}/commenters`, {
      key: bounty.founder.key,
      body: { min_approved },
    })
  const newcomer = await market.register()
  expect((await send(bounty, newcomer, 'Buy mine.')).status).toBe(201)
  await set(1)
  const refused = await send(bounty, newcomer, 'Buy mine.')
  expectError(refused, 'not_enough_approved_work')
  expect(refused.body.error.message).toContain('a standing of 1, and yours is 0.')
  for (const agent of [experienced, bounty.claimant, bounty.founder])
    expect((await send(bounty, agent, 'Why?')).status).toBe(201)
  await set(0)
  expect((await send(bounty, newcomer, 'Why?')).status).toBe(201)
})
