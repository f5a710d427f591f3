import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../../server/errors.ts'
import { reviewsOn } from '../../engines/payouts/support/reviews.ts'
import type { ApiResponse } from '../../support/api.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import type { SubmittedBounty, TestBounty } from '../../support/scenarios.ts'
import { until } from '../../support/until.ts'

const market = await createTestMarket()
afterAll(market.close)
const project = await market.activeProject()
const { approve, endings, cancel, stateOf } = reviewsOn(market)
const { rejected: reject, changes_requested: requestChanges, retracted: retract } = endings
const claimants = await Promise.all(Array.from({ length: 2 }, () => market.register()))
const claim = ({ id }: TestBounty, which = 0) =>
  market.api('POST', `/api/bounties/${id}/claim`, { key: claimants[which]?.key })

/** Statements that wait for the lock of a bounty. */
async function waitingForBounty(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query ~ 'bounties'`.execute(market.db)
  return rows[0]?.count ?? 0
}

/** Lets requests queue for the lock of a bounty, in this order, before the first of them gets it. */
async function inThisOrder(
  { id }: { id: string },
  ...requests: (() => Promise<ApiResponse>)[]
): Promise<ApiResponse[]> {
  const answers: Promise<ApiResponse>[] = []
  await market.db.transaction().execute(async (trx) => {
    await sql`select from bounties where id = ${id} for no key update`.execute(trx)
    for (const request of requests) {
      answers.push(request())
      await until(async () => (await waitingForBounty()) === answers.length)
    }
  })
  return Promise.all(answers)
}

type Step = [name: string, take: (bounty: SubmittedBounty) => Promise<ApiResponse>]

/** Two steps of which only one is taken, the code for the second one, and the state after the first. */
const pairs: [first: Step, second: Step, code: ErrorCode, bounty: string, submission: string][] = [
  [['approve', approve], ['retract', retract], 'approval_in_progress', 'done', 'approved'],
  [['retract', retract], ['approve', approve], 'bounty_not_in_review', 'open', 'retracted'],
  [['approve', approve], ['request changes', requestChanges], 'approval_in_progress', 'done', 'approved'],
  [
    ['request changes', requestChanges],
    ['approve', approve],
    'bounty_not_in_review',
    'claimed',
    'changes_requested',
  ],
  [['retract', retract], ['request changes', requestChanges], 'bounty_not_in_review', 'open', 'retracted'],
  [
    ['request changes', requestChanges],
    ['retract', retract],
    'submission_not_pending',
    'claimed',
    'changes_requested',
  ],
  [['retract', retract], ['reject', reject], 'bounty_not_in_review', 'open', 'retracted'],
  [['reject', reject], ['retract', retract], 'submission_not_pending', 'open', 'rejected'],
  [
    ['request changes', requestChanges],
    ['reject', reject],
    'bounty_not_in_review',
    'claimed',
    'changes_requested',
  ],
]

describe.each(pairs)('%s before %s', ([, first], [, second], code, bountyStatus, submissionStatus) => {
  test(`200 for the first, ${code} for the second, and only the first has left a trace`, async () => {
    const bounty = await market.bountyInReview({ project })
    const [one, other] = await inThisOrder(
      bounty,
      () => first(bounty),
      () => second(bounty),
    )
    expect(one?.status).toBe(200)
    expectError(other as ApiResponse, code)
    await expectEnd(bounty, bountyStatus, submissionStatus)
  })
})

/** The bounty is so, its feed tells of this end alone, and the chain has paid where it is done. */
async function expectEnd(bounty: SubmittedBounty, status: string, submission: string): Promise<void> {
  expect(await stateOf(bounty)).toEqual({ bounty: status, submissions: [submission] })
  const feed = await market.db
    .selectFrom('activity')
    .where('submission_id', '=', bounty.submissionId)
    .where('type', '!=', 'submission.created')
    .select('type')
    .orderBy('seq')
    .execute()
  expect(feed.map(({ type }) => type)).toEqual([
    `submission.${submission}`,
    ...(status === 'done' ? ['payout.confirmed'] : []),
  ])
  const paid = await market.chain.balanceOf(project.token_address, bounty.claimant.wallet_address as string)
  expect(paid).toBe(status === 'done' ? 95n * 10n ** 18n : 0n)
}

test('200 for one of three ends and an approval at once, and the others leave no trace', async () => {
  for (let round = 0; round < 5; round++) {
    const bounty = await market.bountyInReview({ project })
    const steps = [approve, reject, requestChanges, retract]
    // Each round begins with another step.
    const turned = [...steps.slice(round % 4), ...steps.slice(0, round % 4)]
    const answers = await Promise.all(turned.map((step) => step(bounty)))
    const taken = turned.filter((_, index) => answers[index]?.status === 200)
    expect(taken).toHaveLength(1)
    const [status, submission] = new Map([
      [approve, ['done', 'approved']],
      [reject, ['open', 'rejected']],
      [requestChanges, ['claimed', 'changes_requested']],
      [retract, ['open', 'retracted']],
    ]).get(taken[0] as typeof approve) as [string, string]
    await expectEnd(bounty, status, submission)
  }
})

describe('a cancellation and a claim', () => {
  test('404 bounty_cancelled for a claim that waits behind the cancellation', async () => {
    const bounty = await market.openBounty({ project })
    const [cancelled, claimed] = await inThisOrder(
      bounty,
      () => cancel(bounty),
      () => claim(bounty),
    )
    expect(cancelled?.status).toBe(200)
    expectError(claimed as ApiResponse, 'bounty_cancelled')
  })

  test('409 bounty_not_open for a cancellation that waits behind the claim', async () => {
    const bounty = await market.openBounty({ project })
    const [claimed, cancelled] = await inThisOrder(
      bounty,
      () => claim(bounty, 1),
      () => cancel(bounty),
    )
    expect(claimed?.status).toBe(200)
    expectError(cancelled as ApiResponse, 'bounty_not_open')
    expect(await stateOf(bounty)).toEqual({ bounty: 'claimed', submissions: [] })
  })

  test('200 for exactly one of them at once', async () => {
    for (let round = 0; round < 8; round++) {
      const own = await market.register()
      const bounty = await market.openBounty({ project })
      const steps = [
        () => cancel(bounty),
        () => market.api('POST', `/api/bounties/${bounty.id}/claim`, { key: own.key }),
      ]
      const answers = await Promise.all((round % 2 ? steps.reverse() : steps).map((step) => step()))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const feed = await market.db
        .selectFrom('activity')
        .where('bounty_id', '=', bounty.id)
        .where('type', '!=', 'bounty.created')
        .select('type')
        .execute()
      expect(feed).toHaveLength(1)
    }
  })
})
