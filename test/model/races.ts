import fc from 'fast-check'
import { parseAbiItem } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { tokenUnit } from '../../server/money/chain/units.ts'
import { createTestMarket, type TestMarket } from '../support/market.ts'
import type { TestAgent, TestBounty } from '../support/scenarios.ts'

let market: TestMarket

interface Step {
  kind: 'claim' | 'release' | 'submit' | 'approve' | 'reject' | 'request-changes' | 'retract' | 'change'
  bounty: number
  /** To which a change sets it. */
  reward?: number
}
interface Told extends Step {
  status: number
  /** Which the bounty has after a change. */
  revision?: number
}
/** The data of an entry about a change. */
interface Change {
  revision: number
  old_reward: string
  new_reward: string
}

const bountyCount = 4
const bounty = fc.nat(bountyCount - 1)
const review = fc.record({
  kind: fc.constantFrom('approve', 'reject', 'reject', 'request-changes', 'change'),
  bounty,
  reward: fc.integer({ min: 60, max: 200 }),
})
/** A contributor tries to submit what it has just tried to claim, and sometimes to retract that. */
const work = fc.tuple(bounty, fc.nat(2)).map(([each, dice]): Step[] => [
  { kind: 'claim', bounty: each },
  { kind: 'submit', bounty: each },
  ...(dice === 0 ? [{ kind: 'retract', bounty: each } as const] : []),
  // A claim is given back where the submission did not come to be.
  { kind: 'release', bounty: each },
])
/** What all do at the same time, each one step after the other. Founders have two hands, whose reviews meet. */
const plans = fc.record({
  hands: fc.array(fc.array(review, { minLength: 60, maxLength: 60 }), { minLength: 2, maxLength: 2 }),
  contributors: fc.array(fc.array(work, { minLength: 20, maxLength: 20 }), { minLength: 5, maxLength: 5 }),
})

/** Declares the test with so many plans, of some 320 steps each. */
export function testRaces(numRuns: number): void {
  beforeAll(async () => {
    market = await createTestMarket()
  })

  test(
    'whatever agents do side by side, nothing is lost, done twice or paid twice',
    async () => {
      const property = fc.asyncProperty(plans, async ({ hands, contributors }) => {
        const project = await market.activeProject()
        const bounties = await Promise.all(
          Array.from({ length: bountyCount }, () => market.openBounty({ project })),
        )
        const pr_url = await market.pullRequest(project)
        const told = await Promise.all([
          ...hands.map((plan) => play(project.founder, plan, bounties, pr_url)),
          ...contributors.map(async (plan) => play(await market.register(), plan.flat(), bounties, pr_url)),
        ])
        await Promise.all(bounties.map((bounty, index) => expectHistory(bounty, index, told.flat())))
        await expectMoney(project, bounties)
      })
      await fc.assert(property, { numRuns })
    },
    60_000 + numRuns * 60_000,
  )
}

/** Takes the steps and notes their statuses. */
async function play(agent: TestAgent, plan: Step[], bounties: TestBounty[], pr_url: string): Promise<Told[]> {
  const reasons = { review_notes: 'No.' }
  const bodies = { claim: undefined, release: undefined, submit: { pr_url }, approve: {}, retract: {} }
  const reviews = { reject: reasons, 'request-changes': reasons }
  const told: Told[] = []
  const nothing = 'sub_00000000000000000000'
  let submitted = nothing
  for (const step of plan) {
    const on = step.kind === 'retract' ? `submissions/${submitted}` : `bounties/${bounties[step.bounty]?.id}`
    const isChange = step.kind === 'change'
    const path = isChange ? `/api/${on}` : `/api/${on}/${step.kind}`
    const change = { reward_amount: step.reward }
    const { status, body } = await market.api(isChange ? 'PATCH' : 'POST', path, {
      key: agent.key,
      body: { ...bodies, ...reviews, change }[step.kind],
    })
    expect({ ...body.error, status }).toMatchObject({
      status: expect.toBeOneOf([200, 201, 400, 403, 404, 409]),
    })
    if (step.kind === 'submit') submitted = status === 201 ? body.submission.id : nothing
    told.push({ ...step, status, ...(isChange && { revision: body.revision }) })
  }
  return told
}

/** Every step that was answered with success has left its trace, and no other has. */
async function expectHistory({ id }: TestBounty, index: number, told: Told[]): Promise<void> {
  const { body } = await market.api('GET', `/api/bounties/${id}`)
  const { status, submissions, reward_amount } = body.bounty
  const count = (kind: Step['kind']) =>
    told.filter((step) => step.bounty === index && step.kind === kind && step.status < 300).length
  const submitted = (state: string) =>
    submissions.filter((submission: { status: string }) => submission.status === state).length
  expect({
    submitted: submissions.length,
    claimed: count('claim') + count('request-changes'),
    rejected: submitted('rejected'),
    changesRequested: submitted('changes_requested'),
    retracted: submitted('retracted'),
    approved: submitted('approved'),
    pending: submitted('pending'),
  }).toEqual({
    submitted: count('submit'),
    claimed: count('submit') + count('release') + (status === 'claimed' ? 1 : 0),
    rejected: count('reject'),
    changesRequested: count('request-changes'),
    retracted: count('retract'),
    approved: count('approve'),
    pending: status === 'in_review' ? 1 : 0,
  })
  expect(submitted('approved')).toBe(status === 'done' ? 1 : 0)
  const entries = market.db.selectFrom('activity').where('bounty_id', '=', id).orderBy('seq')
  const feed = await entries.select(['type', 'data']).execute()
  const written = (type: string) => feed.filter((entry) => entry.type === type).length
  expect(written('bounty.claimed')).toBe(count('claim'))
  expect(written('submission.created')).toBe(count('submit'))
  expect(written('submission.rejected')).toBe(count('reject'))
  expect(written('submission.changes_requested')).toBe(count('request-changes'))
  expect(written('claim.released')).toBe(count('release'))
  expect(written('submission.retracted')).toBe(count('retract'))
  expect(written('submission.approved')).toBe(count('approve'))
  expect(written('payout.confirmed')).toBe(count('approve'))
  // Changes are revisions in order, each from the reward that the one before has made, and each was a response.
  const changes = feed
    .filter(({ type }) => type === 'bounty.updated')
    .map(({ data }) => data as unknown as Change)
  const returned = told.filter((step) => step.bounty === index).map(({ revision }) => revision)
  expect(changes.map(({ revision }) => revision)).toEqual(changes.map((_, nth) => nth + 2))
  expect(returned).toEqual(expect.arrayContaining(changes.map(({ revision }) => revision)))
  expect([...changes.map(({ old_reward }) => old_reward), String(reward_amount)]).toEqual([
    '100',
    ...changes.map(({ new_reward }) => new_reward),
  ])
  expectRaises(feed)
}

/** While somebody holds the bounty or waits for its review its reward only rises. */
function expectRaises(feed: { type: string; data: unknown }[]): void {
  let isHeld = false
  for (const { type, data } of feed) {
    const { old_reward, new_reward } = data as Change
    if (type === 'bounty.updated' && isHeld) expect(Number(new_reward)).toBeGreaterThan(Number(old_reward))
    if (type === 'bounty.claimed') isHeld = true
    if (['claim.released', 'submission.rejected', 'submission.retracted'].includes(type)) isHeld = false
  }
}

/** The rewards of the bounties done were paid, each once, and nothing else has left the founder's wallet. */
async function expectMoney(
  project: { id: string; token_address: string; founder: TestAgent },
  bounties: TestBounty[],
): Promise<void> {
  const rows = await market.db
    .selectFrom('bounties')
    .where(
      'id',
      'in',
      bounties.map(({ id }) => id),
    )
    .select(['status', 'reward_amount'])
    .execute()
  const rewards = (isDone: boolean) =>
    rows
      .filter(({ status }) => (status === 'done') === isDone)
      .map(({ reward_amount }) => BigInt(reward_amount))
  const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
  const payments = await market.chain.node.getLogs({
    address: market.chain.platformWallet,
    event: parseAbiItem(
      'event Paid(bytes32 indexed payoutId, address indexed token, address indexed from, address to, uint256 amount, uint256 fee)',
    ),
    args: { token: project.token_address as `0x${string}` },
    fromBlock: 0n,
  })
  const paid = payments.map(({ args: { amount = 0n, fee = 0n } }) => (amount + fee) / tokenUnit)
  expect(paid.map(Number).toSorted()).toEqual(rewards(true).map(Number).toSorted())
  const left = await market.chain.balanceOf(project.token_address, project.founder.wallet_address as string)
  expect(left).toBe((100_000n - sum(rewards(true))) * tokenUnit)
  const path = `/api/projects/${project.id}/approval-status`
  const { body } = await market.api('GET', path, { key: project.founder.key })
  expect(body.committed).toBe(String(sum(rewards(false))))
}
