import { registerContributor } from '../support/contributor.ts'
import { ask, type FounderAnswer } from '../support/founder.ts'
import { findPayment } from '../support/payments.ts'
import type { Stage } from '../support/stage.ts'
import { approveAll, payoutIs, until } from './helpers.ts'
import type { Scene } from './run.ts'

/** What happens once everything else has come to its end and the service is idle. */
export type Finale =
  /** The chain takes back a payment, so many blocks after it was settled. */
  | { what: 'settled payment reorganised'; heads: number }
  /** The database falls back to where it began; founders reject what is paid and approve it again, in turn. */
  | { what: 'database fallen back' }

/** Pays the last of the ground's submissions, so that there is something to lose, and loses it. */
export async function playFinale(scene: Scene, finale: Finale, confirmations: number): Promise<void> {
  const { stage } = scene
  const last = stage.ground.submissions.length - 1
  if (finale.what === 'settled payment reorganised') {
    await settleByHand(scene, last, confirmations)
    await reorganiseSettled(scene, last, finale.heads)
    return
  }
  approveAll(scene, [last])
  await payoutIs(stage, last, 'settled')
  const paid = await paidSubmissions(stage)
  await stage.fallBack()
  // The service may find the payments before the founders ask.
  for (const submission of paid) stage.mayBeOver.add(stage.ground.submissions[submission]!.id)
  for (const [index, submission] of paid.reverse().entries())
    if (index % 2 === 0) scene.errand(() => payAnother(scene, submission))
    else approveAll(scene, [submission], false)
}

/** Has a submission paid with no block more than its confirmations need: the payment is not final yet. */
export async function settleByHand(scene: Scene, submission: number, confirmations: number): Promise<void> {
  const { stage } = scene
  const { id } = stage.ground.submissions[submission]!
  stage.miner.speed(never)
  // What the founder is told is true then, and not when the chain has taken it back.
  approveAll(scene, [submission], false)
  await until('the payment is mined', async () => {
    if (await findPayment(stage, id)) return true
    if ((await stage.node.getTxpoolStatus()).pending > 0) await stage.node.mine({ blocks: 1 })
    return false
  })
  if (confirmations > 1) await stage.node.mine({ blocks: confirmations - 1 })
  await until('the founder is told', async () => stage.told.has(id))
}

/** Between two blocks, in ms, where the test alone makes them. */
const never = 1e9

/**
 * Takes back the block of a settled payment after `heads` more blocks, each of which the service has seen: an engine that
 * has stopped looking by then does not notice.
 */
export async function reorganiseSettled({ stage }: Scene, submission: number, heads: number): Promise<void> {
  const { node, ground } = stage
  const payment = await findPayment(stage, ground.submissions[submission]!.id)
  if (!payment) throw new Error('there is no payment that the chain could take back')
  for (let head = 0; head < heads; head++) {
    await node.mine({ blocks: 1 })
    await everyLaneLooks(stage)
  }
  // A transaction of somebody else may bring one more block meanwhile.
  const isTaken = async () =>
    (await node.getBlock({ blockNumber: payment.blockNumber })).hash !== payment.blockHash
  while (!(await isTaken())) {
    const depth = (await node.getBlockNumber()) - payment.blockNumber + 1n
    await node.reorganise(Number(depth))
  }
}

/** Waits until each lane that a process holds has been looked at, from beginning to end. */
async function everyLaneLooks({ db }: Stage): Promise<void> {
  const read = () =>
    db.selectFrom('lanes').select(['address', 'lease_until']).where('lease_owner', 'is not', null).execute()
  // A lane's lease is prolonged when a look begins: the second one has seen the block, and the third one comes after it.
  for (let look = 0; look < 3; look++) {
    const before = await read()
    await until('every lane is looked at', async () => {
      const now = new Map((await read()).map((lane) => [lane.address, lane.lease_until.getTime()]))
      return before.every(({ address, lease_until }) => now.get(address) !== lease_until.getTime())
    })
  }
}

/** Positions of the submissions that the chain has paid. */
async function paidSubmissions(stage: Stage): Promise<number[]> {
  const payments = await Promise.all(stage.ground.submissions.map(({ id }) => findPayment(stage, id)))
  return payments.flatMap((payment, index) => (payment ? [index] : []))
}

/**
 * The founder rejects what is paid already. Where the service lets that pass, another contributor does the work again
 * and the founder approves it. `between` happens after the rejection.
 */
export async function payAnother(
  scene: Scene,
  submission: number,
  between: () => Promise<void> = async () => undefined,
): Promise<void> {
  const { stage, random } = scene
  const paid = stage.ground.submissions[submission]!
  const { founderKey } = stage.ground.projects[paid.project]!
  const bounty = `/api/bounties/${paid.bountyId}`
  const rejected = await askUntilOver(scene, paid.id, () =>
    ask(stage, random, { path: `${bounty}/reject`, founderKey }, { body: { review_notes: 'No.' } }),
  )
  await between()
  if (rejected.status !== 200) return
  const second = await registerContributor(stage, random, paid)
  if (!second) return
  stage.added.push(second)
  await askUntilOver(scene, second.id, () => ask(stage, random, { path: `${bounty}/approve`, founderKey }))
}

/** Asks again until the response is final, or a person has been called for the payout. */
async function askUntilOver(
  { stage, heard }: Scene,
  submissionId: string,
  askOnce: () => Promise<FounderAnswer>,
): Promise<FounderAnswer> {
  let response: FounderAnswer = { status: 0, body: null }
  await until(`there is a final response for ${submissionId}`, async () => {
    response = await askOnce()
    const { status, body } = response
    heard.push({ path: submissionId, status, code: body?.error?.code ?? null })
    const isFinal = status === 200 || body?.error?.retryable === false
    return isFinal || waitsForOperator(stage, submissionId)
  })
  return response
}

async function waitsForOperator({ db }: Stage, submissionId: string): Promise<boolean> {
  const payout = await db
    .selectFrom('payouts')
    .select('status')
    .where('submission_id', '=', submissionId)
    .executeTakeFirst()
  return payout?.status === 'needs_operator'
}
