import { type Hash, type Hex, keccak256, type PrivateKeyAccount } from 'viem'
import { nodeErrorText } from '../../../config/node-error-text.ts'
import { emitStep } from '../../../loops/crash-steps.ts'
import { nextStepAfter } from '../../chain/rpc-errors.ts'
import type { Tick } from '../lane/context.ts'
import { recordSends } from '../store.ts'
import type { Fees, LaneTransaction, SignedAttempt } from '../types.ts'

/** A tick of a lane whose key the process has. */
export type SigningTick = Tick & { account: PrivateKeyAccount }

/** Signs with a nonce and fees. The bytes may leave the process only after they are stored. */
export async function signAttempt(
  { account, chain, view }: SigningTick,
  transaction: { to: LaneTransaction['to']; data: Hex; nonce: number; gasLimit: bigint },
  fees: Fees,
): Promise<SignedAttempt> {
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: chain.id,
    nonce: transaction.nonce,
    to: transaction.to,
    data: transaction.data,
    gas: transaction.gasLimit,
    maxFeePerGas: fees.maxFeePerGas,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
  })
  return { hash: keccak256(raw), raw, headBlock: view.depth.head, ...fees }
}

/** Stored bytes to be sent, and the entity they are for. */
export interface Offer {
  entityId: string | null
  attempt: { hash: Hash; raw: Hex; sends: number }
}

/** An offer of bytes that were never sent. */
export function firstOffer(entityId: string | null, attempt: SignedAttempt): Offer {
  return { entityId, attempt: { ...attempt, sends: 0 } }
}

/**
 * Sends stored bytes to a node in the order of their nonces and stores its replies. Whether a transaction was mined is
 * read from the chain, never from a reply.
 */
export async function broadcast(tick: Tick, offers: Offer[]): Promise<void> {
  if (offers.length === 0) return
  const sends: { hash: Hash; refusal: string | null }[] = []
  for (const { entityId, attempt } of offers) {
    const refusal = await send(tick, entityId, attempt)
    sends.push({ hash: attempt.hash, refusal })
    emitStep('attempt sent', entityId)
  }
  await recordSends(tick.db, tick.lease, sends)
  for (const { entityId } of offers) emitStep('send recorded', entityId)
}

/** Returns the node's error, or null where it took the bytes. */
async function send(
  tick: Tick,
  entityId: string | null,
  { raw, sends, hash }: Offer['attempt'],
): Promise<string | null> {
  try {
    await tick.chain.send(raw, sends)
    return null
  } catch (error) {
    const refusal = nodeErrorText(error)
    if (nextStepAfter(refusal) !== 'wait')
      tick.log.warn({ entityId, hash, refusal }, 'a node refused a transaction; sending it again later')
    return refusal
  }
}
