import { expect, test } from 'vitest'
import { lapse } from '../../support/deadlines.ts'
import { createTestMarket } from '../../support/market.ts'

const market = await createTestMarket()
const { db } = market
const project = await market.activeProject()

const release = ({ id }: { id: string }, key?: string, headers = {}) =>
  market.api('POST', `/api/bounties/${id}/release`, { key, headers })
const endingsOf = ({ id }: { id: string }) =>
  db
    .selectFrom('ended_claims')
    .where('bounty_id', '=', id)
    .select(['agent_id', 'claimed_at', 'ending'])
    .execute()

test('200 open at once, for others and for another bounty of the same agent', async () => {
  const bounty = await market.claimedBounty({ project })
  const { status, body } = await release(bounty, bounty.claimant.key)
  expect(status).toBe(200)
  expect(body).toEqual({ bounty_id: bounty.id, status: 'open' })
  const { body: after } = await market.api('GET', `/api/bounties/${bounty.id}`)
  expect(after.bounty.status).toBe('open')
  const other = await market.register()
  const taken = await market.act(bounty, 'claim', other)
  expect(taken.status).toBe(200)
  await market.claimedBounty({ project, claimant: bounty.claimant })
})

test('200 records the claim that ended, and the activity', async () => {
  const { id, claimant } = await market.claimedBounty({ project })
  const row = db.selectFrom('bounties').where('id', '=', id).select('claimed_at')
  const { claimed_at } = await row.executeTakeFirstOrThrow()
  await release({ id }, claimant.key)
  expect(await endingsOf({ id })).toEqual([{ agent_id: claimant.id, claimed_at, ending: 'released' }])
  const feed = await market.api('GET', '/api/activity?limit=1')
  expect(feed.body.activity).toMatchObject([
    {
      type: 'claim.released',
      agent_id: claimant.id,
      project_id: project.id,
      bounty_id: id,
      submission_id: null,
    },
  ])
})

test('200 after the end, while nobody has taken over', async () => {
  const bounty = await market.claimedBounty({ project })
  await lapse(db, bounty)
  expect((await release(bounty, bounty.claimant.key)).status).toBe(200)
  expect(await endingsOf(bounty)).toMatchObject([{ ending: 'released' }])
})
