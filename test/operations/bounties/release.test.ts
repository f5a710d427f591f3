import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { lapse } from '../../support/deadlines.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'

const market = await createTestMarket()
afterAll(market.close)
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
  const taken = await market.api('POST', `/api/bounties/${bounty.id}/claim`, { key: other.key })
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

test('200 keeps the counters right', async () => {
  const bounty = await market.claimedBounty({ project })
  const stats = async () => (await market.api('GET', '/api/dashboard/stats')).body.stats.bounties
  const before = await stats()
  await release(bounty, bounty.claimant.key)
  expect(await stats()).toEqual({ ...before, open: before.open + 1, claimed: before.claimed - 1 })
})

test('200 after the end, while nobody has taken over', async () => {
  const bounty = await market.claimedBounty({ project })
  await lapse(db, bounty)
  expect((await release(bounty, bounty.claimant.key)).status).toBe(200)
  expect(await endingsOf(bounty)).toMatchObject([{ ending: 'released' }])
})

test('200 again with the same Idempotency-Key, also when another agent has claimed it', async () => {
  const bounty = await market.claimedBounty({ project })
  const headers = { 'idempotency-key': randomUUID() }
  const first = await release(bounty, bounty.claimant.key, headers)
  const { key } = await market.register()
  await market.api('POST', `/api/bounties/${bounty.id}/claim`, { key })
  const again = await release(bounty, bounty.claimant.key, headers)
  expect([again.status, again.body]).toEqual([200, first.body])
  expect(await endingsOf(bounty)).toHaveLength(1)
})

test('200 for one of ten at once, 403 not_claimant for the others', async () => {
  const bounty = await market.claimedBounty({ project })
  const responses = await Promise.all(Array.from({ length: 10 }, () => release(bounty, bounty.claimant.key)))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const response of responses.filter(({ status }) => status !== 200)) {
    expectError(response, 'not_claimant')
    expect(response.body.error.message).toContain('You released your claim.')
  }
  expect(await endingsOf(bounty)).toHaveLength(1)
})
