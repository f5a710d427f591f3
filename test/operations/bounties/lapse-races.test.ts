import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { Database } from '../../../server/db/client.ts'
import { openLapsed, openLapsedIn } from '../../../server/engines/deadlines/store.ts'
import { newId } from '../../../server/ids.ts'
import { claimHours } from '../../../server/lifecycle/deadlines.ts'
import { edges } from '../../../server/lifecycle/edges.ts'
import { move } from '../../../server/lifecycle/move.ts'
import { beatHeart } from '../../support/deadlines.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { whileUncommitted } from '../../support/row-locks.ts'
import type { ClaimedBounty } from '../../support/scenarios.ts'
import { claimsOn } from './support/claims.ts'

const market = await createTestMarket()
afterAll(market.close)
const { db } = market
const project = await market.activeProject()
const { post, claim, submit, lapsedBounty, endingsOf, entriesOf, statusOf } = claimsOn(market, project)

const hours = claimHours(market.services.config)
let pulls = 100
const taking = (trx: Database, { id }: { id: string }, agent: { id: string }) =>
  move(trx, edges.claim, { id, caller: agent.id, hours })
const submitting = (trx: Database, { id, claimant }: ClaimedBounty) => {
  const review = { head_sha: 'a'.repeat(40), review_due_at: new Date(), is_attributed: false }
  const submission = {
    ...review,
    id: newId('submission'),
    pr_url: `https://example.org/pull/${++pulls}`,
  }
  return move(trx, edges.submit, { id, caller: claimant.id }, { submission })
}

test('a lapse by the sweep, then a submission: 403 not_claimant', async () => {
  const bounty = await lapsedBounty()
  const refused = await whileUncommitted(
    db,
    (trx) => openLapsedIn(trx, 10),
    () => submit(bounty, bounty.claimant),
  )
  expectError(refused, 'not_claimant')
  expect(refused.body.error.message).toBe('Your claim lapsed. Claim the bounty again first.')
  expect(await endingsOf(bounty)).toHaveLength(1)
})

test('a submission, then the sweep, which leaves the bounty out: nothing lapses', async () => {
  const bounty = await lapsedBounty()
  await db.transaction().execute(async (trx) => {
    await submitting(trx, bounty)
    expect(await openLapsed(db, 10)).toEqual([])
  })
  expect(await openLapsed(db, 10)).toEqual([])
  expect(await statusOf(bounty)).toEqual({ status: 'in_review', claimed_by: bounty.claimant.id })
  expect(await endingsOf(bounty)).toEqual([])
})

test('a takeover, then a submission: 403 not_claimant', async () => {
  const [bounty, other] = [await lapsedBounty(), await market.register()]
  const refused = await whileUncommitted(
    db,
    (trx) => taking(trx, bounty, other),
    () => submit(bounty, bounty.claimant),
  )
  expectError(refused, 'not_claimant')
  expect(refused.body.error.message).toBe('Your claim lapsed. Another agent has claimed the bounty since.')
})

test('a submission, then a takeover: 409 bounty_not_open', async () => {
  const [bounty, other] = [await lapsedBounty(), await market.register()]
  const refused = await whileUncommitted(
    db,
    (trx) => submitting(trx, bounty),
    () => claim(bounty, other),
  )
  expectError(refused, 'bounty_not_open')
  expect(await statusOf(bounty)).toEqual({ status: 'in_review', claimed_by: bounty.claimant.id })
  expect(await endingsOf(bounty)).toEqual([])
})

test('an extension in the last moment, then a takeover: 409 bounty_not_open', async () => {
  const [bounty, other] = [await market.claimedBounty({ project }), await market.register()]
  await beatHeart(db)
  const refused = await whileUncommitted(
    db,
    async (trx) => {
      await sql`select now()`.execute(trx)
      // After the time of the transaction that extends, and before that of the one that takes over.
      await sql`update bounties set claim_expires_at = clock_timestamp() where id = ${bounty.id}`.execute(db)
      const asked = { id: bounty.id, caller: bounty.claimant.id, hours }
      const extended = await move(trx, edges.extend, asked, { head: 'a'.repeat(40) })
      expect(extended).toMatchObject({ extensions_left: 1 })
    },
    () => claim(bounty, other),
  )
  expectError(refused, 'bounty_not_open')
  expect(await statusOf(bounty)).toEqual({ status: 'claimed', claimed_by: bounty.claimant.id })
  expect(await endingsOf(bounty)).toEqual([])
})

test('a release, then a submission: 403 not_claimant', async () => {
  const bounty = await market.claimedBounty({ project })
  const refused = await whileUncommitted(
    db,
    (trx) => move(trx, edges.release, { id: bounty.id, caller: bounty.claimant.id }),
    () => submit(bounty, bounty.claimant),
  )
  expectError(refused, 'not_claimant')
})

test('a submission, then a release: 400 bounty_not_claimed', async () => {
  const bounty = await market.claimedBounty({ project })
  const refused = await whileUncommitted(
    db,
    (trx) => submitting(trx, bounty),
    () => post(bounty, 'release', bounty.claimant.key),
  )
  expectError(refused, 'bounty_not_claimed')
  expect(await endingsOf(bounty)).toEqual([])
})

test('the sweep, then a takeover: 200, and the claim lapses once', async () => {
  const [bounty, other] = [await lapsedBounty(), await market.register()]
  const response = await whileUncommitted(
    db,
    (trx) => openLapsedIn(trx, 10),
    () => claim(bounty, other),
  )
  expect(response.status).toBe(200)
  expect(await endingsOf(bounty)).toEqual([{ agent_id: bounty.claimant.id, ending: 'lapsed' }])
  expect((await entriesOf(bounty)).map(({ type }) => type)).toEqual([
    'bounty.claimed',
    'claim.lapsed',
    'bounty.claimed',
  ])
})

test('a takeover, then the sweep, which leaves the bounty out', async () => {
  const [bounty, other] = [await lapsedBounty(), await market.register()]
  await db.transaction().execute(async (trx) => {
    await taking(trx, bounty, other)
    expect(await openLapsed(db, 10)).toEqual([])
  })
  expect(await openLapsed(db, 10)).toEqual([])
  expect(await endingsOf(bounty)).toHaveLength(1)
})

test('a takeover and the submission, extension and release of the holder at once: one of them wins', async () => {
  for (const verb of ['submit', 'release'] as const) {
    const [bounty, other] = [await lapsedBounty(), await market.register()]
    const body = verb === 'submit' ? { pr_url: await market.pullRequest(project) } : undefined
    const [taken, own] = await Promise.all([
      claim(bounty, other),
      post(bounty, verb, bounty.claimant.key, body),
      post(bounty, 'extend', bounty.claimant.key),
    ])
    const after = await statusOf(bounty)
    const endings = (await endingsOf(bounty)).map(({ ending }) => ending)
    if (own.status >= 300) {
      expectError(own, 'not_claimant')
      expect([taken.status, after?.claimed_by, endings]).toEqual([200, other.id, ['lapsed']])
    } else if (verb === 'submit') {
      expectError(taken, 'bounty_not_open')
      expect([after?.status, endings]).toEqual(['in_review', []])
    } else expect(endings).toEqual(['released'])
  }
})
