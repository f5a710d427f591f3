import { type Hash, type Hex, keccak256, type PrivateKeyAccount } from 'viem'
import { nextStepAfter, nodeErrorText } from '../../chain/rpc-errors.ts'
import { reached, workFor } from '../events.ts'
import type { ChainView } from './chain-view.ts'
import { type Fees, raiseFees } from './fees.ts'
import type { LaneContext } from './lane-context.ts'
import { type LaneLease, underLease } from './lane-lease.ts'
import { insertAttempt, recordSends } from './store.ts'
import type { Attempt, LaneTransaction } from './types.ts'

/** Shortest time between two raises that a node's answer asks for. */
const raiseAtMostEverySeconds = 1

/** Signs with a nonce and fees. The bytes may leave the process only after they are stored. */
export async function signAttempt(
  context: { account: PrivateKeyAccount; chain: { id: number } },
  transaction: { to: LaneTransaction['to']; data: Hex; nonce: number; gasLimit: bigint },
  fees: Fees,
  view: ChainView,
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
  return { hash: keccak256(raw), raw, headBlock: view.depth.head, ...fees }
}

/** Stored bytes and whose they are. */
export interface Offer {
  entityId: string | null
  attempt: { hash: Hash; raw: Hex; sends: number }
}

/**
 * Offers stored bytes to a node, one after the other as their nonces go, and notes the answers. What became of them is
 * read from the chain, never from here.
 */
export async function broadcast(context: LaneContext, lease: LaneLease, offers: Offer[]): Promise<void> {
  if (offers.length === 0) return
  const sends: { hash: Hash; refusal: string | null }[] = []
  for (const { entityId, attempt } of offers) {
    sends.push({
      hash: attempt.hash,
      refusal: await workFor(entityId, () => offer(context, entityId, attempt)),
    })
    reached('attempt sent', entityId)
  }
  await recordSends(context.db, lease, sends)
  for (const { entityId } of offers) reached('send recorded', entityId)
}

/** What the node had against it. */
async function offer(
  context: LaneContext,
  entityId: string | null,
  attempt: Offer['attempt'],
): Promise<string | null> {
  try {
    await context.chain.send(attempt.raw, attempt.sends)
    return null
  } catch (error) {
    const refusal = nodeErrorText(error)
    if (nextStepAfter(refusal) !== 'wait')
      context.log.warn(
        { entityId, hash: attempt.hash, refusal },
        'a node refused a transaction; it will be offered again',
      )
    return refusal
  }
}

/**
 * Keeps an unmined transaction alive: first send, same bytes again, or higher fees. Returns the bytes that have to be
 * offered now.
 */
export async function keepAlive(
  context: LaneContext,
  lease: LaneLease,
  view: ChainView,
  transaction: LaneTransaction,
  suggestion: () => Promise<Fees>,
): Promise<Offer | undefined> {
  const { entityId, purpose } = transaction
  const isUnsent = transaction.attempts.every(({ sends }) => sends === 0)
  const isNew = isUnsent && transaction.vanishedHash === null
  if (isNew && purpose !== 'noop' && context.handlers[purpose].maySend === false) return undefined
  const last = transaction.attempts.at(-1)
  if (!last) throw new Error(`transaction ${transaction.id} has a nonce but no attempt`)
  if (!isUnsent && (await wantsHigherFees(context, view, last, suggestion))) {
    const raised = raiseFees(last, await suggestion(), context.limits.maxFeePerGas)
    if (raised && context.account) {
      await replace(context, lease, view, transaction, raised)
      return undefined
    }
    context.alarm({
      kind: raised ? 'key_missing' : 'fees_at_cap',
      lane: lease.address,
      transaction: transaction.id,
      entityId,
      why: raised
        ? 'a transaction needs higher fees and no process has its key'
        : 'fees have reached their cap and the transaction is not mined',
    })
  }
  // Bytes that were mined before are sent again first: an answer may have told their hash.
  const wanted = transaction.attempts.find(({ hash }) => hash === transaction.vanishedHash) ?? last
  const isQuiet = wanted.sends === 0 || wanted.quietSeconds >= context.limits.resendAfterSeconds
  return isQuiet ? { entityId, attempt: wanted } : undefined
}

/**
 * Time alone raises no fees while the chain stands still, because then nobody's are high enough; unless the node
 * meanwhile asks for more than the attempt offers.
 */
async function wantsHigherFees(
  context: LaneContext,
  view: ChainView,
  last: Attempt,
  suggestion: () => Promise<Fees>,
): Promise<boolean> {
  const refusedForFees = last.lastError !== null && nextStepAfter(last.lastError) === 'raise fees'
  if (refusedForFees) return last.ageSeconds >= raiseAtMostEverySeconds
  if (last.ageSeconds < context.limits.replaceAfterSeconds) return false
  return view.depth.head > last.headBlock || (await suggestion()).maxFeePerGas > last.maxFeePerGas
}

async function replace(
  context: LaneContext,
  lease: LaneLease,
  view: ChainView,
  transaction: LaneTransaction,
  fees: Fees,
): Promise<void> {
  const { account } = context
  const { entityId } = transaction
  if (!account) return
  const attempt = await signAttempt({ ...context, account }, transaction, fees, view)
  await underLease(context.db, lease, (trx) => insertAttempt(trx, transaction.id, attempt))
  reached('replacement stored', entityId)
  context.log.info(
    { transaction: transaction.id, entityId, nonce: transaction.nonce, hash: attempt.hash },
    'replaced a transaction with higher fees',
  )
  await broadcast(context, lease, [{ entityId, attempt: { ...attempt, sends: 0 } }])
  reached('replacement sent', entityId)
}
