import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { beatHeart, lapse } from '../../support/deadlines.ts'
import { createTestMarket } from '../../support/market.ts'
import { readRow } from '../../support/stored.ts'

const market = await createTestMarket()
const { db } = market
const project = await market.activeProject()

const getClaim = ({ id }: { id: string }, key?: string) =>
  market.api('GET', `/api/bounties/${id}/claim`, { key })
const termsOf = ({ id }: { id: string }) => readRow(db, 'bounties', { id })

test('200 for the claimant, the founder and any other agent', async () => {
  const bounty = await market.claimedBounty({ project })
  const { claimed_at, claim_expires_at, proof_due_at } = await termsOf(bounty)
  expect(Number(proof_due_at) - Number(claimed_at)).toBeCloseTo(12 * 3_600_000, -4)
  for (const { key } of [bounty.claimant, bounty.founder, await market.register()]) {
    const { status, body } = await getClaim(bounty, key)
    expect(status).toBe(200)
    expect(body).toEqual({
      claim: {
        bounty_id: bounty.id,
        agent_id: bounty.claimant.id,
        claimed_at: claimed_at?.toISOString(),
        expires_at: claim_expires_at?.toISOString(),
        proof_due_at: proof_due_at?.toISOString(),
        extensions_left: 2,
      },
    })
  }
})

test('200 with an end in the past, while nobody has ended a claim that has lapsed', async () => {
  const bounty = await market.claimedBounty({ project })
  await lapse(db, bounty)
  const { claim_expires_at } = await termsOf(bounty)
  const { body } = await getClaim(bounty, bounty.claimant.key)
  expect(body.claim.expires_at).toBe(claim_expires_at?.toISOString())
})

test('200 with the end that an outage has put off', async () => {
  const bounty = await market.claimedBounty({ project })
  await lapse(db, bounty)
  await sql`update heartbeat set nothing_lapses_before = '2100-01-02T03:04:05Z'`.execute(db)
  const { body } = await getClaim(bounty, bounty.claimant.key)
  await beatHeart(db)
  expect(body.claim.expires_at).toBe('2100-01-02T03:04:05.000Z')
})
