import { type Hash, type Hex, keccak256, type PrivateKeyAccount } from 'viem'
import { reached } from '../steps.ts'
import { nextStepAfter, nodeErrorText } from './answers.ts'
import { type Fees, raiseFees } from './fees.ts'
import type { LaneContext } from './lane.ts'
import { type LaneLease, underLease } from './lease.ts'
import type { View } from './node.ts'
import { insertAttempt, recordSend } from './store.ts'
import type { Attempt, LaneTransaction } from './types.ts'

/** Shortest time between two raises that a node's answer asks for. */
const raiseAtMostEverySeconds = 1

/** Signs with a nonce and fees. The bytes may leave the process only after they are stored. */
export async function signAttempt(
  context: { account: PrivateKeyAccount; chain: { id: number } },
  transaction: { to: LaneTransaction['to']; data: Hex; nonce: number; gasLimit: bigint },
  fees: Fees,
  view: View,
) {
  const raw = await context.account.signTransaction({
    type: 'eip1559',
    chainId: context.chain.id,
    nonce: transaction.nonce,
    to: transaction.to,
    data: transaction.data,
    gas: transaction.gasLimit,
    maxFeePerGas: fees.maxFeePerGas,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
  })
  return { hash: keccak256(raw), raw, headBlock: view.headNumber, ...fees }
}

/** Offers stored bytes to a node and notes the answer. What became of them is read from the chain, never from here. */
export async function broadcast(
  context: LaneContext,
  lease: LaneLease,
  attempt: { hash: Hash; raw: Hex; sends: number },
): Promise<void> {
  let refusal: string | null = null
  try {
    await context.chain.send(attempt.raw, attempt.sends)
  } catch (error) {
    refusal = nodeErrorText(error)
  }
  if (refusal !== null && nextStepAfter(refusal) !== 'wait')
    context.log.warn(
      { hash: attempt.hash, refusal },
      'a node refused a transaction; it will be offered again',
    )
  reached('attempt sent', null)
  await underLease(context.db, lease, (trx) => recordSend(trx, attempt.hash, refusal))
  reached('send recorded', null)
}

/** Keeps an unmined transaction alive: first send, same bytes again, or higher fees. */
export async function keepAlive(
  context: LaneContext,
  lease: LaneLease,
  view: View,
  transaction: LaneTransaction,
  suggestion: () => Promise<Fees>,
): Promise<void> {
  const last = transaction.attempts.at(-1)
  if (!last) throw new Error(`transaction ${transaction.id} has a nonce but no attempt`)
  if (last.sends > 0 && (await wantsHigherFees(context, view, last, suggestion))) {
    const raised = raiseFees(last, await suggestion())
    if (raised && context.account) return replace(context, lease, view, transaction, raised)
    context.alarm({
      kind: raised ? 'key_missing' : 'fees_at_cap',
      lane: lease.address,
      transaction: transaction.id,
      subject: transaction.subject,
      why: raised
        ? 'a transaction needs higher fees and no process has its key'
        : 'fees have reached their cap and the transaction is not mined',
    })
  }
  if (last.sends === 0 || last.quietSeconds >= context.limits.resendAfterSeconds)
    await broadcast(context, lease, last)
}

/**
 * Time alone raises no fees while the chain stands still, because then nobody's are high enough; unless the node
 * meanwhile asks for more than the attempt offers.
 */
async function wantsHigherFees(
  context: LaneContext,
  view: View,
  last: Attempt,
  suggestion: () => Promise<Fees>,
): Promise<boolean> {
  const refusedForFees = last.lastError !== null && nextStepAfter(last.lastError) === 'raise fees'
  if (refusedForFees) return last.ageSeconds >= raiseAtMostEverySeconds
  if (last.ageSeconds < context.limits.replaceAfterSeconds) return false
  return view.headNumber > last.headBlock || (await suggestion()).maxFeePerGas > last.maxFeePerGas
}

async function replace(
  context: LaneContext,
  lease: LaneLease,
  view: View,
  transaction: LaneTransaction,
  fees: Fees,
): Promise<void> {
  const { account } = context
  if (!account) return
  const attempt = await signAttempt({ ...context, account }, transaction, fees, view)
  await underLease(context.db, lease, (trx) => insertAttempt(trx, transaction.id, attempt))
  reached('replacement stored', transaction.subject)
  context.log.info(
    { transaction: transaction.id, nonce: transaction.nonce, hash: attempt.hash },
    'replaced a transaction with higher fees',
  )
  await broadcast(context, lease, { ...attempt, sends: 0 })
  reached('replacement sent', transaction.subject)
}
