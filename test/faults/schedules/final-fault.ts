import { registerContributor, submitAgain } from '../support/contributor.ts'
import type { Environment } from '../support/environment.ts'
import { ask, endReview, type FounderResponse } from '../support/founder.ts'
import { findPayment } from '../support/oracle/payments.ts'
import { isMade } from '../support/oracle/withdrawals.ts'
import { approveAll, payoutIs, until } from './helpers.ts'
import { type Ending, endingOf } from './plan.ts'
import type { Scenario } from './run.ts'
import { lastIsConfirmed, repeatAll, takeOut } from './withdrawing.ts'

/** The fault that comes last, when all others are over and the service is idle. */
export type FinalFault =
  /** The chain takes back a payment and a withdrawal, so many blocks after they were settled. */
  | { what: 'settled payment reorganised'; heads: number }
  /**
   * The database falls back to where it began; reviews of what is paid end without a payment and are approved again, in turn, and agents
   * repeat their withdrawals with the same keys.
   */
  | { what: 'database fallen back' }

/** Pays the fixture's last submission, makes a withdrawal, and then injects the final fault, which takes both away. */
export async function injectFinalFault(
  scenario: Scenario,
  finalFault: FinalFault,
  confirmations: number,
): Promise<void> {
  const { environment } = scenario
  const last = environment.fixture.submissions.length - 1
  if (finalFault.what === 'settled payment reorganised') {
    await settleByHand(scenario, last, confirmations)
    await withdrawByHand(scenario, confirmations)
    await reorganiseSettled(scenario, last, finalFault.heads)
    return
  }
  approveAll(scenario, [last])
  takeOut(scenario, { tokens: 41, as: 'eth' })
  await payoutIs(environment, last, 'settled')
  await lastIsConfirmed(environment)
  const paid = await paidSubmissions(environment)
  await environment.fallBack()
  // The service may find the payments before the founders ask.
  for (const submission of paid) environment.mayBeOver.add(environment.fixture.submissions[submission]!.id)
  for (const [index, submission] of paid.reverse().entries())
    if (index % 2 === 0) scenario.inBackground(() => payAnother(scenario, submission, endingOf(submission)))
    else approveAll(scenario, [submission], false)
  repeatAll(scenario)
}

/** Pays a submission with exactly the blocks that its confirmations need, so that the payment is not final yet. */
export async function settleByHand(
  scenario: Scenario,
  submission: number,
  confirmations: number,
): Promise<void> {
  const { environment } = scenario
  const { id } = environment.fixture.submissions[submission]!
  environment.miner.speed(never)
  // The response is true when it arrives, and false once the chain takes the payment back.
  approveAll(scenario, [submission], false)
  await until('the payment is mined', async () => {
    if (await findPayment(environment, id)) return true
    if ((await environment.node.getTxpoolStatus()).pending > 0) await environment.node.mine({ blocks: 1 })
    return false
  })
  if (confirmations > 1) await environment.node.mine({ blocks: confirmations - 1 })
  await until('the founder has the response', async () => environment.reported.has(id))
}

/** Makes a withdrawal with exactly the blocks that its confirmations need. */
async function withdrawByHand(scenario: Scenario, confirmations: number): Promise<void> {
  const { environment } = scenario
  takeOut(scenario, { tokens: 41, strict: false })
  const request = environment.withdrawals.at(-1)!
  await until('the withdrawal is mined', async () => {
    if (await isMade(environment, request)) return true
    if ((await environment.node.getTxpoolStatus()).pending > 0) await environment.node.mine({ blocks: 1 })
    return false
  })
  if (confirmations > 1) await environment.node.mine({ blocks: confirmations - 1 })
  await lastIsConfirmed(environment)
}

/** Time between two blocks, in ms, while only the test makes them. */
const never = 1e9

/**
 * Takes back the block of a settled payment after `heads` more blocks, each of which the service has seen. An engine that
 * no longer checks the payment does not notice.
 */
export async function reorganiseSettled(
  { environment }: Scenario,
  submission: number,
  heads: number,
): Promise<void> {
  const { node, fixture } = environment
  const payment = await findPayment(environment, fixture.submissions[submission]!.id)
  if (!payment) throw new Error('there is no payment that the chain could take back')
  for (let head = 0; head < heads; head++) {
    await node.mine({ blocks: 1 })
    await everyLaneTicks(environment)
  }
  // An external caller's transaction may add a block meanwhile.
  const isTaken = async () =>
    (await node.getBlock({ blockNumber: payment.blockNumber })).hash !== payment.blockHash
  while (!(await isTaken())) {
    const depth = (await node.getBlockNumber()) - payment.blockNumber + 1n
    await node.reorganise(Number(depth))
  }
}

/** Waits until each held lane has done one whole tick. */
async function everyLaneTicks({ db }: Environment): Promise<void> {
  const read = () =>
    db.selectFrom('lanes').select(['address', 'lease_until']).where('lease_owner', 'is not', null).execute()
  // A tick begins with the renewal of the lease: the second tick has seen the block, the third comes after it.
  for (let tick = 0; tick < 3; tick++) {
    const before = await read()
    await until('every lane has ticked', async () => {
      const now = new Map((await read()).map((lane) => [lane.address, lane.lease_until.getTime()]))
      return before.every(({ address, lease_until }) => now.get(address) !== lease_until.getTime())
    })
  }
}

/** Positions of the submissions that the chain has paid. */
async function paidSubmissions(environment: Environment): Promise<number[]> {
  const payments = await Promise.all(
    environment.fixture.submissions.map(({ id }) => findPayment(environment, id)),
  )
  return payments.flatMap((payment, index) => (payment ? [index] : []))
}

/**
 * The review of a paid submission ends without a payment. If the service accepts that, the work is done again, by the same
 * contributor where changes were requested and by another one otherwise, and the founder approves it. `between` runs after
 * the end of the review.
 */
export async function payAnother(
  scenario: Scenario,
  submission: number,
  how: Ending,
  between: () => Promise<void> = async () => undefined,
): Promise<void> {
  const { environment, random } = scenario
  const paid = environment.fixture.submissions[submission]!
  const { founderKey } = environment.fixture.projects[paid.project]!
  const ended = await askUntilOver(scenario, paid.id, () => endReview(environment, random, paid, how))
  await between()
  if (ended.status !== 200) return
  const next = how === 'changes_requested' ? submitAgain : registerContributor
  const second = await next(environment, random, paid)
  if (!second) return
  environment.added.push(second)
  const path = `/api/bounties/${paid.bountyId}/approve`
  await askUntilOver(scenario, second.id, () => ask(environment, random, { path, founderKey }))
}

/** Repeats a request until its response is final or the payout waits for an operator. */
async function askUntilOver(
  { environment, responses }: Scenario,
  submissionId: string,
  askOnce: () => Promise<FounderResponse>,
): Promise<FounderResponse> {
  let response: FounderResponse = { status: 0, body: null }
  await until(`there is a final response for ${submissionId}`, async () => {
    response = await askOnce()
    const { status, body } = response
    responses.push({ path: submissionId, status, code: body?.error?.code ?? null })
    const isFinal = status === 200 || body?.error?.retryable === false
    return isFinal || waitsForOperator(environment, submissionId)
  })
  return response
}

async function waitsForOperator({ db }: Environment, submissionId: string): Promise<boolean> {
  const payout = await db
    .selectFrom('payouts')
    .select('status')
    .where('submission_id', '=', submissionId)
    .executeTakeFirst()
  return payout?.status === 'needs_operator'
}
