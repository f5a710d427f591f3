import type { Hash, PublicClient } from 'viem'
import type { Depth } from '../chain/finality.ts'
import { projectToken } from '../chain/generated/contracts.ts'
import { type Effect, findApproval, findOwnUse, findUse, isAsAsked } from './evidence.ts'
import type { RelayFailure } from './failures.ts'
import { isNonceUsed } from './holdings.ts'
import type { Relay, RelayTerms } from './store.ts'

/** What has become of a relay. */
export type Settlement = ({ status: 'confirmed' } & Confirmation) | { status: 'failed'; code: RelayFailure }

/** How the chain has made a relay. */
export interface Confirmation {
  /** Null where only the allowance shows that a permit was made. */
  hash: Hash | null
  /** Base units. */
  amount: bigint
  /** What a sale has paid out, in wei. */
  ethPaid: bigint | null
  /** Of a deposit: the end of its lock, in seconds. */
  lockedUntil?: number | null
  /** Whether a lane watches the transaction until it is final, and takes the relay up again if the chain takes it back. */
  isWatched: boolean
}

const failed = (code: RelayFailure): Settlement => ({ status: 'failed', code })
const confirmed = (
  hash: Hash | null,
  { amount, ethPaid, lockedUntil }: Pick<Effect, 'amount' | 'ethPaid' | 'lockedUntil'>,
  isWatched = false,
): Settlement => ({ status: 'confirmed', hash, amount, ethPaid, lockedUntil, isWatched })

/**
 * What has become of a relay; undefined while that is open. A use of its nonce by our own transaction counts at the depth at
 * which receipts do, because the transaction's lane watches it until it is final. Nobody watches others, so they count when
 * their block is final. An unused nonce is dead when a final block is past `validBefore`: every later block is too, and no
 * earlier one can change. It is therefore enough to find it unused at the head, which needs no state of old blocks.
 * @param finalTime time of the block `depth.final`, in seconds
 */
export async function findSettlement(
  client: PublicClient,
  relay: Relay,
  depth: Depth,
  finalTime: number,
): Promise<Settlement | undefined> {
  const own = relay.ownHash && (await findOwnUse(client, relay, relay.ownHash))
  if (own && own.blockNumber <= depth.counted && isAsAsked(relay, own.effect))
    return confirmed(own.hash, own.effect, true)
  const isExpired = finalTime >= relay.validBefore
  const isUsed = await isNonceUsed(client, relay, BigInt(depth.head))
  if (!isUsed && !isExpired) return undefined
  if (!isUsed) return failed(relay.refusal ?? 'authorization_expired')
  const use = await (relay.kind === 'permit'
    ? findApproval(client, relay, depth)
    : findUse(client, relay, depth.head))
  if (use && use.blockNumber > depth.final) return undefined
  if (use && isAsAsked(relay, use.effect)) return confirmed(use.hash, use.effect)
  if (use?.effect === null) return failed('authorization_cancelled')
  if (use) return failed('authorization_replaced')
  if (relay.kind !== 'permit') throw new Error('the node has no event of an authorization that was used')
  // Another permit has used the nonce, or the node's reply lacks the approval; which of them is certain at the end.
  if (!isExpired) return undefined
  return (await hasAllowance(client, relay, BigInt(depth.final)))
    ? confirmed(null, { amount: relay.amount, ethPaid: null, lockedUntil: null })
    : failed('authorization_replaced')
}

/** Whether, as of a final block, the platform wallet's allowance is what a permit asked for, and no later one has set it. */
async function hasAllowance(client: PublicClient, relay: RelayTerms, blockNumber: bigint): Promise<boolean> {
  const token = { abi: projectToken.abi, address: relay.token, blockNumber } as const
  const [nonce, allowance] = await Promise.all([
    client.readContract({ ...token, functionName: 'nonces', args: [relay.wallet] }),
    client.readContract({ ...token, functionName: 'allowance', args: [relay.wallet, relay.recipient] }),
  ])
  return nonce === BigInt(relay.nonce) + 1n && allowance === relay.amount
}
