import type { Hash, PublicClient } from 'viem'
import type { Depth } from '../../chain/finality.ts'
import { projectToken } from '../../chain/generated/contracts.ts'
import { findApproval, findUse, isExact } from './evidence.ts'
import type { RelayFailure } from './failures.ts'
import { isNonceUsed, quoteSale, readHolding } from './holdings.ts'
import type { Relay, RelayTerms } from './store.ts'

/** The final outcome of a relay. */
export type Settlement = ({ status: 'confirmed' } & Confirmation) | { status: 'failed'; code: RelayFailure }

/** How the chain has made a relay. */
export interface Confirmation {
  /** Null where only the allowance shows that a permit was made. */
  hash: Hash | null
  /** Base units. */
  amount: bigint
  /** What a sale has paid out, in wei. */
  ethPaid: bigint | null
}

const failed = (code: RelayFailure): Settlement => ({ status: 'failed', code })

/**
 * The final outcome of a relay; undefined while that is open. A used nonce counts when the block of its use is final.
 * An unused one is dead when a final block is past `validBefore`: every later block is too, and no earlier one can change.
 * It is therefore enough to find it unused at the head, which needs no state of old blocks.
 * @param finalTime time of the block `depth.final`, in seconds
 */
export async function findSettlement(
  client: PublicClient,
  relay: Relay,
  depth: Depth,
  finalTime: number,
): Promise<Settlement | undefined> {
  const head = BigInt(depth.head)
  const isExpired = finalTime >= relay.validBefore
  const isUsed = await isNonceUsed(client, relay, head)
  if (!isUsed && !isExpired) return undefined
  if (!isUsed) return failed(relay.refusal ?? (await explainExpiry(client, relay, head)))
  const use = await (relay.kind === 'permit'
    ? findApproval(client, relay, depth)
    : findUse(client, relay, depth.head))
  if (use && use.blockNumber > depth.final) return undefined
  if (use && isExact(relay, use.effect))
    return { status: 'confirmed', hash: use.hash, amount: use.effect.amount, ethPaid: use.effect.ethPaid }
  if (use?.effect === null) return failed('authorization_cancelled')
  if (use) return failed('authorization_replaced')
  if (relay.kind === 'withdrawal') throw new Error('the node has no event of an authorization that was used')
  // Another permit has used the nonce, or the node's reply lacks the approval; which of them is certain at the end.
  if (!isExpired) return undefined
  return (await hasAllowance(client, relay, BigInt(depth.final)))
    ? { status: 'confirmed', hash: null, amount: relay.amount, ethPaid: null }
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

async function explainExpiry(client: PublicClient, relay: Relay, head: bigint): Promise<RelayFailure> {
  const code = await explainRefusal(client, relay, head)
  return code && code !== 'recipient_refused' ? code : 'authorization_expired'
}

/** Why the transaction of a relay reverted in the block `minedIn`; undefined if the chain shows no reason. */
export async function explainRevert(
  client: PublicClient,
  relay: RelayTerms,
  minedIn: bigint,
  head: bigint,
): Promise<RelayFailure | undefined> {
  const { timestamp } = await client.getBlock({ blockNumber: minedIn })
  if (timestamp >= relay.validBefore) return 'authorization_expired'
  return explainRefusal(client, relay, head)
}

/** Why the chain refuses a relay that was not used, as of a block; undefined if it shows no reason. */
async function explainRefusal(
  client: PublicClient,
  relay: RelayTerms,
  blockNumber: bigint,
): Promise<RelayFailure | undefined> {
  if (relay.kind === 'permit') return undefined
  const { withdrawable } = await readHolding(client, relay, blockNumber)
  if (withdrawable < relay.amount) return 'insufficient_balance'
  if (!relay.asEth) return undefined
  const paid = await quoteSale(client, relay.curve, relay.amount, blockNumber)
  return paid === 0n || paid < relay.minEth ? 'min_eth_not_met' : 'recipient_refused'
}
