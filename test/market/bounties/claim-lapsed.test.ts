import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openLapsed } from '../../../server/market/deadlines/store.ts'
import { lapse } from '../../support/deadlines.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import type { ClaimedBounty } from '../../support/scenarios.ts'
import { readRow, setRows } from '../../support/stored.ts'
import { claimsOn } from './support/claims.ts'

const market = await createTestMarket()
const { db } = market
const project = await market.activeProject()
const hour = 3_600_000
/** Hours that a claim of medium difficulty lasts. */
const usualHours = 72

const { act, claim, submit, lapsedBounty, endingsOf, entriesOf, statusOf } = claimsOn(market, project)

/** The terms of the claim, and the hours from now to its end, by the clock of the database. */
async function termsOf(run: () => Promise<unknown>, { id }: { id: string }) {
  const clock = async () =>
    (await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)).rows[0]?.now.getTime() ?? 0
  const before = await clock()
  await run()
  const after = await clock()
  const row = await readRow(db, 'bounties', { id })
  const end = row.claim_expires_at?.getTime() ?? 0
  const isOf = (hours: number) => end >= before + hours * hour && end <= after + hours * hour
  return { isOf, extensions_left: row.extensions_left }
}

describe('taking over', () => {
  test('200 for a claim that has lapsed: the former claim is recorded before the new one', async () => {
    const bounty = await lapsedBounty()
    const other = await market.register()
    const response = await claim(bounty, other)
    expect(response).toMatchObject({
      status: 200,
      body: { bounty: { id: bounty.id, status: 'claimed', claimed_by: other.id } },
    })
    expect(Object.keys(response.body)).toEqual(['bounty'])
    expect(await endingsOf(bounty)).toEqual([{ agent_id: bounty.claimant.id, ending: 'lapsed' }])
    expect(await entriesOf(bounty)).toEqual([
      { type: 'bounty.claimed', agent_id: bounty.claimant.id },
      { type: 'claim.lapsed', agent_id: bounty.claimant.id },
      { type: 'bounty.claimed', agent_id: other.id },
    ])
  })

  test('200 gives the whole time and two extensions', async () => {
    const bounty = await lapsedBounty()
    const other = await market.register()
    const terms = await termsOf(() => claim(bounty, other), bounty)
    expect([terms.isOf(usualHours), terms.extensions_left]).toEqual([true, 2])
  })

  test('409 bounty_not_open shortly before the end', async () => {
    const bounty = await lapsedBounty()
    const other = await market.register()
    await sql`update bounties set claim_expires_at = now() + interval '20 seconds' where id = ${bounty.id}`.execute(
      db,
    )
    expectError(await claim(bounty, other), 'bounty_not_open')
  })

  test('409 bounty_not_open for the holder, who may still submit', async () => {
    const bounty = await lapsedBounty()
    const refused = await claim(bounty, bounty.claimant)
    expectError(refused, 'bounty_not_open')
    expect(refused.body.error.message).toContain('you may still submit')
    expect((await submit(bounty, bounty.claimant)).status).toBe(201)
    expect(await endingsOf(bounty)).toEqual([])
  })

  test('409 active_claim_exists for an agent with another claim on the project, and nothing has lapsed', async () => {
    const bounty = await lapsedBounty()
    const { claimant } = await market.claimedBounty({ project })
    expectError(await claim(bounty, claimant), 'active_claim_exists')
    expect(await statusOf(bounty)).toEqual({ status: 'claimed', claimed_by: bounty.claimant.id })
    expect(await endingsOf(bounty)).toEqual([])
  })

  test('403 founder_cannot_claim, and nothing has lapsed', async () => {
    const bounty = await lapsedBounty()
    expectError(await claim(bounty, bounty.founder), 'founder_cannot_claim')
    expect(await endingsOf(bounty)).toEqual([])
  })
})

describe('after an outage', () => {
  const still = (interval: string) =>
    sql`update heartbeat set beaten_at = now() - ${interval}::interval`.execute(db)

  test('409 bounty_not_open before the heart beats again, and 200 if the gap was short', async () => {
    const bounty = await lapsedBounty()
    const other = await market.register()
    await still('31 seconds')
    expectError(await claim(bounty, other), 'bounty_not_open')
    await still('20 seconds')
    expect((await claim(bounty, other)).status).toBe(200)
  })

  test('409 bounty_not_open until the time is made up for', async () => {
    const bounty = await lapsedBounty()
    const other = await market.register()
    await sql`update heartbeat set nothing_lapses_before = now() + interval '1 minute'`.execute(db)
    expectError(await claim(bounty, other), 'bounty_not_open')
    await sql`update heartbeat set nothing_lapses_before = now()`.execute(db)
    expect((await claim(bounty, other)).status).toBe(200)
  })
})

describe('claiming again', () => {
  const givingUp: [string, (bounty: ClaimedBounty) => Promise<unknown>][] = [
    ['a release', (bounty) => act(bounty, 'release', bounty.claimant)],
    [
      'a lapse',
      async (bounty) => {
        await lapse(db, bounty)
        await openLapsed(db, 10)
      },
    ],
    ['a retracted submission', retract],
    ['a rejected submission', reject],
  ]
  async function reject(bounty: ClaimedBounty): Promise<void> {
    await submit(bounty, bounty.claimant)
    await act(bounty, 'reject', bounty.founder, { review_notes: 'No.' })
  }
  async function retract(bounty: ClaimedBounty): Promise<void> {
    const { submission } = (await submit(bounty, bounty.claimant)).body
    await market.api('POST', `/api/submissions/${submission.id}/retract`, { key: bounty.claimant.key })
  }

  test.each(givingUp)(
    '200 for a quarter of the time without extensions after %s, and others get the whole',
    async (_, giveUp) => {
      const bounty = await market.claimedBounty({ project })
      await giveUp(bounty)
      const again = await termsOf(() => claim(bounty, bounty.claimant), bounty)
      expect([again.isOf(usualHours / 4), again.extensions_left]).toEqual([true, 0])
      await act(bounty, 'release', bounty.claimant)
      const other = await market.register()
      const others = await termsOf(() => claim(bounty, other), bounty)
      expect([others.isOf(usualHours), others.extensions_left]).toEqual([true, 2])
    },
  )

  test.each(givingUp)(
    '200 for the whole time once that is longer ago than a claim lasts, after %s',
    async (_, giveUp) => {
      const bounty = await market.claimedBounty({ project })
      await giveUp(bounty)
      const ago = sql<Date>`now() - ${`${usualHours} hours`}::interval`
      await db.updateTable('ended_claims').set({ ended_at: ago }).where('bounty_id', '=', bounty.id).execute()
      await setRows(db, 'submissions', { bounty_id: bounty.id }, { reviewed_at: ago })
      const terms = await termsOf(() => claim(bounty, bounty.claimant), bounty)
      expect([terms.isOf(usualHours), terms.extensions_left]).toEqual([true, 2])
    },
  )

  test.each(givingUp)(
    '409 claimed_too_often after %s three times, until the first is longer ago than a claim lasts',
    async (_, giveUp) => {
      const bounty = await market.claimedBounty({ project })
      for (let time = 0; time < 3; time++) {
        if (time > 0) expect((await claim(bounty, bounty.claimant)).status).toBe(200)
        await giveUp(bounty)
      }
      expectError(await claim(bounty, bounty.claimant), 'claimed_too_often')
      const ago = sql<Date>`now() - ${`${usualHours} hours`}::interval`
      for (const [table, column] of [
        ['ended_claims', 'ended_at'],
        ['submissions', 'reviewed_at'],
      ] as const)
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${ago} where ctid in (
          select ctid from ${sql.table(table)} where bounty_id = ${bounty.id} limit 1)`.execute(db)
      expect((await claim(bounty, bounty.claimant)).status).toBe(200)
      await act(bounty, 'release', bounty.claimant)
      expect((await claim(bounty, await market.register())).status).toBe(200)
    },
  )

  test('200 for the whole time of another bounty', async () => {
    const bounty = await market.claimedBounty({ project })
    await act(bounty, 'release', bounty.claimant)
    const next = await market.openBounty({ project })
    const terms = await termsOf(() => claim(next, bounty.claimant), next)
    expect([terms.isOf(usualHours), terms.extensions_left]).toEqual([true, 2])
  })

  test('403 claim_barred permanently after a rejection with `bar`, from this bounty alone and for nobody else', async () => {
    const { id, claimant, founder } = await market.bountyInReview({ project })
    const rejected = await act({ id }, 'reject', founder, { review_notes: 'No.', bar: true })
    expect(rejected.body).toEqual({ bounty_id: id, status: 'open' })
    await sql`update submissions set reviewed_at = reviewed_at - interval '1 year' where bounty_id = ${id}`.execute(
      db,
    )
    expectError(await claim({ id }, claimant), 'claim_barred')
    const read = async (part: string) =>
      (await market.api('GET', `/api/bounties/${id}/${part}`, { key: claimant.key })).body
    expect((await read('preflight')).preflight).toMatchObject({ can_claim: false, reasons: ['claim_barred'] })
    expect((await read('comments')).comments).toMatchObject([{ kind: 'rejected', text: 'No.', bar: true }])
    expect((await claim(await market.openBounty({ project }), claimant)).status).toBe(200)
    expect((await claim({ id }, await market.register())).status).toBe(200)
  })

  test('403 not_claimant for a submission says how the claim ended', async () => {
    const messages = [
      'You released your claim.',
      'Your claim lapsed.',
      'You retracted your submission',
      'was rejected',
    ]
    for (const [which, [, giveUp]] of givingUp.entries()) {
      const bounty = await market.claimedBounty({ project })
      await giveUp(bounty)
      const refused = await submit(bounty, bounty.claimant)
      expectError(refused, 'not_claimant')
      expect(refused.body.error.message).toContain(messages[which])
      expect(refused.body.error.message).toContain('Claim the bounty again first.')
    }
  })
})
