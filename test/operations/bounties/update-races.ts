import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tokenUnit } from '../../../server/chain/units.ts'
import { reviewsOn } from '../../engines/payouts/support/reviews.ts'
import type { ApiResponse } from '../../support/api.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket, type TestMarket } from '../../support/market.ts'
import { createRandom, type Random } from '../../support/random.ts'
import type { ActiveProject, SubmittedBounty, TestBounty } from '../../support/scenarios.ts'
import { until } from '../../support/until.ts'

let market: TestMarket
let project: ActiveProject
let steps: ReturnType<typeof stepsOn>

/** What agents do to a bounty, by name. */
function stepsOn({ api, register }: TestMarket) {
  const { approve, cancel } = reviewsOn(market)
  return {
    approve,
    cancel,
    change: ({ id, founder: { key } }: TestBounty, body: unknown) =>
      api('PATCH', `/api/bounties/${id}`, { key, body }),
    claim: async ({ id }: TestBounty, revision?: number) =>
      api('POST', `/api/bounties/${id}/claim`, { key: (await register()).key, body: { revision } }),
  }
}

/** Declares the tests, the last one with so many random rounds. */
export function testUpdateRaces(rounds: number): void {
  beforeAll(async () => {
    market = await createTestMarket()
    project = await market.activeProject({ token_supply: 1_000_000_000 })
    steps = stepsOn(market)
  })
  afterAll(() => market.close())

  describe('a change and another step, in the order in which they get the lock', () => {
    test('409 bounty_changed for a claim behind a change of the revision that it names', async () => {
      const bounty = await market.openBounty({ project })
      const [changed, claimed] = await inThisOrder(
        bounty,
        () => steps.change(bounty, { title: 'Another' }),
        () => steps.claim(bounty, 1),
      )
      expect(changed.body.revision).toBe(2)
      expectError(claimed, 'bounty_changed')
    })

    test('409 bounty_not_open for a change behind a claim', async () => {
      const bounty = await market.openBounty({ project })
      const [claimed, changed] = await inThisOrder(
        bounty,
        () => steps.claim(bounty, 1),
        () => steps.change(bounty, { title: 'Another' }),
      )
      expect(claimed.status).toBe(200)
      expectError(changed, 'bounty_not_open')
    })

    test('404 bounty_cancelled for a change behind a cancellation, and what was committed is free', async () => {
      const before = await committed()
      const bounty = await market.openBounty({ project })
      const [cancelled, changed] = await inThisOrder(
        bounty,
        () => steps.cancel(bounty),
        () => steps.change(bounty, { reward_amount: 10 }),
      )
      expect(cancelled.status).toBe(200)
      expectError(changed, 'bounty_cancelled')
      expect(await committed()).toBe(before)
    })

    test('409 approval_in_progress for a raise behind an approval', async () => {
      const bounty = await market.bountyInReview({ project })
      const [approved, raised] = await inThisOrder(
        bounty,
        () => steps.approve(bounty),
        () => steps.change(bounty, { reward_amount: 200 }),
      )
      expect(approved.status).toBe(200)
      expectError(raised, 'approval_in_progress')
      await expectPaid(bounty)
    })

    test('200 for an approval behind a raise that it has not read, and the raised reward is paid', async () => {
      const bounty = await market.bountyInReview({ project })
      const raise = sql`update bounties set reward_amount = 200 where id = ${bounty.id}`
      const [approved] = await inThisOrder(bounty, () => steps.approve(bounty), raise)
      expect(approved.status).toBe(200)
      expect(await expectPaid(bounty)).toBe(200n)
    })

    test('200 for a change behind another one, which rises from what that has made of the reward', async () => {
      const bounty = await market.openBounty({ project })
      const [lowered, raised] = await inThisOrder(
        bounty,
        () => steps.change(bounty, { reward_amount: 50 }),
        () => steps.change(bounty, { reward_amount: 90 }),
      )
      expect([lowered.body.revision, raised.body.revision]).toEqual([2, 3])
    })
  })

  test(
    'whatever happens at once, changes are revisions in order, and payments and what is committed follow them',
    async () => {
      for (let seed = 1; seed <= rounds; seed++) await playRound(createRandom(seed), `seed ${seed}`)
    },
    60_000 + rounds * 5000,
  )
}

/** Lets requests queue for the lock of a bounty, in this order, before the first of them gets it. */
async function inThisOrder(
  { id }: { id: string },
  ...queue: ((() => Promise<ApiResponse>) | ReturnType<typeof sql>)[]
): Promise<[ApiResponse, ApiResponse]> {
  const answers: Promise<ApiResponse>[] = []
  await market.db.transaction().execute(async (trx) => {
    await sql`select from bounties where id = ${id} for no key update`.execute(trx)
    for (const next of queue) {
      // A statement is done by whoever holds the lock.
      if (typeof next !== 'function') await next.execute(trx)
      else {
        answers.push(next())
        await until(async () => (await waitingForBounty()) === answers.length)
      }
    }
  })
  return (await Promise.all(answers)) as [ApiResponse, ApiResponse]
}

async function waitingForBounty(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query ~ 'bounties'`.execute(market.db)
  return rows[0]?.count ?? 0
}

async function committed(): Promise<number> {
  const path = `/api/projects/${project.id}/approval-status`
  return Number((await market.api('GET', path, { key: project.founder.key })).body.committed)
}

/** Takes random steps at once on a bounty that is open, claimed or in review. */
async function playRound(random: Random, seed: string): Promise<void> {
  const stage = random.pick(['open', 'claimed', 'in_review'] as const)
  const bounty =
    stage === 'open'
      ? await market.openBounty({ project })
      : stage === 'claimed'
        ? await market.claimedBounty({ project })
        : await market.bountyInReview({ project })
  const change = () => {
    const reward_amount = random.int(60, 200)
    return random.pick([
      { title: `Title ${random.below(5)}` },
      { reward_amount },
      { reward_amount, tags: ['a'] },
    ])
  }
  const changes = Array.from({ length: random.int(1, 4) }, change)
  const taken: (() => Promise<ApiResponse>)[] = changes.map((body) => () => steps.change(bounty, body))
  const naming: (number | undefined)[] = []
  if (stage === 'open') {
    naming.push(random.pick([undefined, 1, 2]), random.pick([undefined, 1]))
    taken.push(...naming.map((revision) => () => steps.claim(bounty, revision)))
    if (random.chance(0.4)) taken.push(() => steps.cancel(bounty))
  }
  if (stage === 'in_review') taken.push(() => steps.approve(bounty as SubmittedBounty))
  const order = taken.map((step) => ({ step, at: random.next() })).sort((one, other) => one.at - other.at)
  const answers = await Promise.all(order.map(({ step }) => step()))
  for (const { status, body } of answers)
    expect({ seed, status, error: body.error }).toMatchObject({ status: expect.toBeOneOf([200, 404, 409]) })
  const revisions = answers.flatMap(({ body }) =>
    body.revision === undefined ? [] : [Number(body.revision)],
  )
  await expectRevisions(bounty, revisions, seed)
  if (stage === 'in_review') await expectPaid(bounty as SubmittedBounty)
  const { rows } = await sql<{ sum: string }>`select coalesce(sum(reward_amount), 0) as sum from bounties
    where project_id = ${project.id} and status not in ('done', 'cancelled')`.execute(market.db)
  expect({ seed, committed: await committed() }).toEqual({ seed, committed: Number(rows[0]?.sum) })
}

/** The log has each revision once and in order, and a claim came while the revision was the newest that it names. */
async function expectRevisions({ id }: TestBounty, returned: number[], seed: string): Promise<void> {
  const key = project.founder.key
  const entries = await market.db
    .selectFrom('activity')
    .where('bounty_id', '=', id)
    .where('type', 'in', ['bounty.updated', 'bounty.claimed', 'bounty.cancelled'])
    .select(['type', 'data'])
    .orderBy('seq')
    .execute()
  type Change = { changed: string[]; revision: number; old_reward: string; new_reward: string }
  const changes = entries.filter(({ type }) => type === 'bounty.updated').map(({ data }) => data as Change)
  expect(changes.map(({ revision }) => revision)).toEqual(changes.map((_, nth) => nth + 2))
  // A request that changed nothing names the present revision.
  expect({ seed, lost: changes.filter(({ revision }) => !returned.includes(revision)) }).toEqual({
    seed,
    lost: [],
  })
  for (const [nth, { old_reward }] of changes.entries())
    expect({ seed, old_reward }).toEqual({ seed, old_reward: changes[nth - 1]?.new_reward ?? '100' })
  // Once it is claimed only raises follow, and once it is cancelled nothing.
  const end = entries.findIndex(({ type }) => type !== 'bounty.updated')
  if (end >= 0)
    for (const { type, data } of entries.slice(end + 1)) {
      const { changed, old_reward, new_reward } = data as Change
      expect({
        seed,
        type,
        changed,
        isRaise: Number(new_reward) > Number(old_reward),
        after: entries[end]?.type,
      }).toEqual({
        ...{
          seed,
          type: 'bounty.updated',
          changed: ['reward_amount'],
          isRaise: true,
          after: 'bounty.claimed',
        },
      })
    }
  const response = await market.api('GET', `/api/bounties/${id}/revisions`, { key })
  if (entries[end]?.type === 'bounty.cancelled') return expectError(response, 'bounty_cancelled')
  const kept = response.body.revisions.toReversed()
  expect(kept.map(({ revision }: Change) => revision)).toEqual([
    1,
    ...changes.map(({ revision }) => revision),
  ])
  expect(kept.map((each: { reward_amount: number }) => each.reward_amount)).toEqual([
    100,
    ...changes.map(({ new_reward }) => Number(new_reward)),
  ])
}

/** It is done, and the chain has paid the reward that the bounty had when the approval was stored; returns that. */
async function expectPaid({ id, submissionId, claimant }: SubmittedBounty): Promise<bigint> {
  const payout = await market.db
    .selectFrom('payouts')
    .innerJoin('bounties', (join) => join.on('bounties.id', '=', id))
    .where('submission_id', '=', submissionId)
    .select(['amount', 'fee', 'payouts.created_at', 'bounties.status', 'bounties.reward_amount'])
    .executeTakeFirstOrThrow()
  const reward = (BigInt(payout.amount) + BigInt(payout.fee)) / tokenUnit
  expect(payout).toMatchObject({ status: 'done', reward_amount: Number(reward) })
  const later = market.db
    .selectFrom('bounty_revisions')
    .where('bounty_id', '=', id)
    .where('created_at', '>', payout.created_at)
  expect(await later.select('revision').execute()).toEqual([])
  const received = await market.chain.balanceOf(project.token_address, claimant.wallet_address as string)
  expect(received).toBe(BigInt(payout.amount))
  return reward
}
