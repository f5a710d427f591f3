import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../../server/errors.ts'
import { claimHours } from '../../../server/lifecycle/deadlines.ts'
import { edges } from '../../../server/lifecycle/edges.ts'
import { move } from '../../../server/lifecycle/move.ts'
import { openLapsedIn } from '../../../server/market/deadlines/store.ts'
import { reviewsOn } from '../../money/payouts/support/reviews.ts'
import type { ApiResponse } from '../../support/api.ts'
import { beatHeart } from '../../support/deadlines.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { whileUncommitted } from '../../support/row-locks.ts'
import type { SubmittedBounty } from '../../support/scenarios.ts'
import { setRows } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { claimsOn } from './support/claims.ts'

// Requests that meet at the lock of a bounty.

const market = await createTestMarket()
const { db } = market
const project = await market.activeProject({ token_supply: 1_000_000_000 })
const { approve, cancel, endings } = reviewsOn(market)
const { act, claim, submit, lapsedBounty, endingsOf, statusOf } = claimsOn(market, project)
type Take = (bounty: SubmittedBounty) => Promise<ApiResponse>
const change =
  (body: object): Take =>
  ({ id, founder: { key } }) =>
    market.api('PATCH', `/api/bounties/${id}`, { key, body })
const anotherClaims: Take = async (bounty) => claim(bounty, await market.register())

/** Bounties with which something happens. A claim that has lapsed is still its claimant's. */
const made = {
  open: () => market.openBounty({ project }),
  lapsed: lapsedBounty,
  'in review': () => market.bountyInReview({ project }),
}
type From = keyof typeof made
const make = async (from: From) => (await made[from]()) as SubmittedBounty

/** What happens to a bounty, the statuses of it and its submission after that, and what its feed has of it. */
const steps = {
  cancel: [cancel, 'cancelled', ['bounty.cancelled']],
  change: [change({ title: 'Another' }), 'open', ['bounty.updated']],
  claim: [anotherClaims, 'claimed', ['bounty.claimed']],
  'claim of revision 1': [
    async (bounty) => act(bounty, 'claim', await market.register(), { revision: 1 }),
    'claimed',
    ['bounty.claimed'],
  ],
  'take over': [anotherClaims, 'claimed', ['claim.lapsed', 'bounty.claimed']],
  release: [(bounty) => act(bounty, 'release', bounty.claimant), 'open', ['claim.released']],
  dismiss: [
    (bounty) => act(bounty, 'dismiss', bounty.founder, { review_notes: 'No.' }),
    'open',
    ['claim.dismissed'],
  ],
  submit: [(bounty) => submit(bounty, bounty.claimant), 'in_review pending', ['submission.created']],
  raise: [change({ reward_amount: 200 }), 'in_review pending', ['bounty.updated']],
  approve: [approve, 'done approved', ['submission.approved', 'payout.confirmed']],
  reject: [endings.rejected, 'open rejected', ['submission.rejected']],
  'request changes': [
    endings.changes_requested,
    'claimed changes_requested',
    ['submission.changes_requested'],
  ],
  retract: [endings.retracted, 'open retracted', ['submission.retracted']],
} satisfies Record<string, [take: Take, after: string, tells: string[]]>
type Step = keyof typeof steps

const feedOf = async ({ id }: SubmittedBounty) => {
  const entries = db.selectFrom('activity').where('bounty_id', '=', id).select('type').orderBy('seq')
  return (await entries.execute()).map(({ type }) => type)
}

/** Only this step was taken since the feed was read: it alone has left a trace, and the chain has paid for an approval. */
async function expectTaken(bounty: SubmittedBounty, feed: string[], taken: Step): Promise<void> {
  const rows = await db
    .selectFrom('bounties')
    .leftJoin('submissions', 'bounty_id', 'bounties.id')
    .where('bounties.id', '=', bounty.id)
    .select(['bounties.status', 'submissions.status as submission', 'reward_amount'])
    .execute()
  const statuses = rows.map(({ status, submission }) => [status, submission].filter(Boolean).join(' '))
  expect(statuses).toEqual([steps[taken][1]])
  const told = (await feedOf(bounty)).slice(feed.length)
  expect(told).toEqual(steps[taken][2])
  const { wallet_address } = bounty.claimant ?? {}
  if (!wallet_address) return
  const paid = await market.chain.balanceOf(project.token_address, wallet_address)
  const reward = BigInt(rows[0]?.reward_amount ?? 0) * 10n ** 18n
  expect(paid).toBe(taken === 'approve' ? (reward * 95n) / 100n : 0n)
}

/** Statements that wait for the lock of a bounty. */
async function waitingForBounty(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query ~ 'bounties'`.execute(db)
  return rows[0]?.count ?? 0
}

/** Lets the steps queue for the lock of a bounty, in this order, before the first of them gets it. */
async function inThisOrder(bounty: SubmittedBounty, first: Step, second: Step) {
  const responses: Promise<ApiResponse>[] = []
  await db.transaction().execute(async (trx) => {
    await sql`select from bounties where id = ${bounty.id} for no key update`.execute(trx)
    for (const step of [first, second]) {
      responses.push(steps[step][0](bounty))
      await until(async () => (await waitingForBounty()) === responses.length)
    }
  })
  return (await Promise.all(responses)) as [ApiResponse, ApiResponse]
}

test.each<[From, Step, Step, ErrorCode]>([
  ['open', 'cancel', 'claim', 'bounty_cancelled'],
  ['open', 'claim', 'cancel', 'bounty_not_open'],
  ['open', 'change', 'claim of revision 1', 'bounty_changed'],
  ['open', 'claim of revision 1', 'change', 'bounty_not_open'],
  ['open', 'cancel', 'change', 'bounty_cancelled'],
  ['lapsed', 'take over', 'submit', 'not_claimant'],
  ['lapsed', 'submit', 'take over', 'bounty_not_open'],
  ['lapsed', 'release', 'submit', 'not_claimant'],
  ['lapsed', 'submit', 'release', 'bounty_not_claimed'],
  ['lapsed', 'dismiss', 'submit', 'not_claimant'],
  ['lapsed', 'submit', 'dismiss', 'bounty_not_claimed'],
  ['in review', 'approve', 'retract', 'approval_in_progress'],
  ['in review', 'retract', 'approve', 'bounty_not_in_review'],
  ['in review', 'approve', 'request changes', 'approval_in_progress'],
  ['in review', 'request changes', 'approve', 'bounty_not_in_review'],
  ['in review', 'retract', 'request changes', 'bounty_not_in_review'],
  ['in review', 'request changes', 'retract', 'submission_not_pending'],
  ['in review', 'retract', 'reject', 'bounty_not_in_review'],
  ['in review', 'reject', 'retract', 'submission_not_pending'],
  ['in review', 'request changes', 'reject', 'bounty_not_in_review'],
  ['in review', 'approve', 'raise', 'approval_in_progress'],
])(
  '%s: after %s, which is 200, %s is refused as %s and leaves no trace',
  async (from, first, second, code) => {
    const bounty = await make(from)
    const feed = await feedOf(bounty)
    const [one, other] = await inThisOrder(bounty, first, second)
    expect(one.status).toBeLessThan(300)
    expectError(other, code)
    await expectTaken(bounty, feed, first)
  },
)

test('an approval behind a raise that it has not read pays the raised reward', async () => {
  const bounty = await make('in review')
  const feed = await feedOf(bounty)
  const approved = await whileUncommitted(
    db,
    (trx) => setRows(trx, 'bounties', { id: bounty.id }, { reward_amount: 200 }),
    () => approve(bounty),
  )
  expect(approved.status).toBe(200)
  await expectTaken(bounty, feed, 'approve')
})

test.each<[From, Step[]]>([
  ['open', ['cancel', 'claim']],
  ['lapsed', ['take over', 'submit']],
  ['lapsed', ['submit', 'release', 'dismiss']],
  ['in review', ['approve', 'reject', 'request changes', 'retract']],
])('%s: of %j at once exactly one is taken, and the others leave no trace', async (from, names) => {
  for (let round = 0; round < 5; round++) {
    const bounty = await make(from)
    const feed = await feedOf(bounty)
    // Each round begins with another step.
    const turned = names.map((_, index) => names[(index + round) % names.length] as Step)
    const responses = await Promise.all(turned.map((step) => steps[step][0](bounty)))
    const taken = turned.filter((_, index) => (responses[index]?.status ?? 500) < 300)
    expect(taken).toHaveLength(1)
    await expectTaken(bounty, feed, taken[0] as Step)
  }
})

test.each<[From, Step, ErrorCode]>([
  ['open', 'cancel', 'bounty_cancelled'],
  ['open', 'claim', 'bounty_not_open'],
  ['lapsed', 'take over', 'bounty_not_open'],
  ['lapsed', 'release', 'not_claimant'],
  ['lapsed', 'submit', 'bounty_not_claimed'],
  ['in review', 'approve', 'approval_in_progress'],
  ['in review', 'reject', 'bounty_not_in_review'],
  ['in review', 'request changes', 'bounty_not_in_review'],
  ['in review', 'retract', 'submission_not_pending'],
])('%s: of ten at once to %s one is taken, and the others are refused as %s', async (from, step, code) => {
  const bounty = await make(from)
  const feed = await feedOf(bounty)
  const responses = await Promise.all(Array.from({ length: 10 }, () => steps[step][0](bounty)))
  const refused = responses.filter(({ status }) => status >= 300)
  expect(refused).toHaveLength(9)
  for (const response of refused) expectError(response, code)
  await expectTaken(bounty, feed, step)
})

describe('a claim that lapses', () => {
  test('by the sweep, then a submission: 403 not_claimant', async () => {
    const bounty = await lapsedBounty()
    const sweep = whileUncommitted(
      db,
      (trx) => openLapsedIn(trx, 10),
      () => submit(bounty, bounty.claimant),
    )
    expectError(await sweep, 'not_claimant')
    expect(await endingsOf(bounty)).toHaveLength(1)
  })

  test('by the sweep, then a takeover: 200, and it lapses once', async () => {
    const bounty = await make('lapsed')
    const feed = await feedOf(bounty)
    const taken = await whileUncommitted(
      db,
      (trx) => openLapsedIn(trx, 10),
      () => anotherClaims(bounty),
    )
    expect(taken.status).toBe(200)
    await expectTaken(bounty, feed, 'take over')
  })

  test('unless it is extended in the last moment: 409 bounty_not_open for a takeover', async () => {
    const bounty = await market.claimedBounty({ project })
    const { id, claimant } = bounty
    const hours = claimHours(market.services.config)
    const other = await market.register()
    await beatHeart(db)
    const refused = await whileUncommitted(
      db,
      async (trx) => {
        await sql`select now()`.execute(trx)
        // After the time of the transaction that extends, and before that of the one that takes over.
        await sql`update bounties set claim_expires_at = clock_timestamp() where id = ${id}`.execute(db)
        await move(trx, edges.extend, { id, caller: claimant.id, hours, head: 'a'.repeat(40) })
      },
      () => claim(bounty, other),
    )
    expectError(refused, 'bounty_not_open')
    expect(await statusOf(bounty)).toEqual({ status: 'claimed', claimed_by: claimant.id })
  })
})
