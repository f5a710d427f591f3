import {
  type Address,
  type Hash,
  type Hex,
  isAddressEqual,
  type Log,
  type PublicClient,
  parseEventLogs,
} from 'viem'
import { depositNonce } from '../chain/authorizations.ts'
import type { Depth } from '../chain/finality.ts'
import { bondingCurve, platformWallet, projectToken } from '../chain/generated/contracts.ts'
import { logWindows, windowsBack } from '../chain/log-windows.ts'
import { canonicalReceipt } from '../transactions/lane/chain-view.ts'
import { isNonceUsed, type NonceOf } from './holdings.ts'
import type { Relay, RelayTerms } from './store.ts'

/** What a signature has done on the chain. */
export interface Effect {
  asEth: boolean
  recipient: Address
  /** Base units. */
  amount: bigint
  /** What a sale has paid out, in wei. */
  ethPaid: bigint | null
  /** Where the platform wallet has locked it for a bounty: the end of the lock, in seconds. */
  lockedUntil: number | null
}

/** The use of a relay's nonce, by any sender. */
export interface Use {
  hash: Hash
  blockNumber: number
  /** Null: the wallet's key has cancelled the nonce. */
  effect: Effect | null
}

/** What identifies the use of an authorization. */
type UseOf = NonceOf & Pick<RelayTerms, 'curve'>

/**
 * Whether a signature has done what a relay asked for, in its form and for its recipient. The amount is what the chain
 * shows: where the database has lost an earlier signature with this nonce, that one may have moved another amount.
 */
export function isAsAsked(
  terms: Pick<RelayTerms, 'kind' | 'asEth' | 'recipient'>,
  effect: Effect | null,
): effect is Effect {
  if (effect?.asEth !== terms.asEth || !isAddressEqual(effect.recipient, terms.recipient)) return false
  return terms.kind !== 'deposit' || effect.lockedUntil !== null
}

/** What a relay has done in one of its own transactions; undefined where the node's receipt does not show that. */
export async function findOwnUse(client: PublicClient, relay: Relay, hash: Hash): Promise<Use | undefined> {
  const receipt = await canonicalReceipt(client, hash)
  if (!receipt) return undefined
  const isSet = relay.kind === 'permit' && approvalsIn(relay, receipt.logs).length > 0
  const effect = isSet ? effectOf(relay) : effectIn(relay, receipt.logs)
  return effect && { hash, blockNumber: Number(receipt.blockNumber), effect }
}

/** What a permit does. */
function effectOf({ asEth, recipient, amount }: RelayTerms): Effect {
  return { asEth, recipient, amount, ethPaid: null, lockedUntil: null }
}

/**
 * What the authorization of a withdrawal or a deposit has done in the transaction with these logs; undefined if they do not show its use. A
 * transaction may hold several uses: the contracts log each one just before what it does.
 */
export function effectIn({ token, curve, wallet, nonce }: UseOf, logs: Log[]): Effect | undefined {
  const used = parseEventLogs({ abi: projectToken.abi, eventName: 'AuthorizationUsed', logs }).find(
    ({ address, args }) =>
      isAddressEqual(address, token) && isAddressEqual(args.authorizer, wallet) && args.nonce === nonce,
  )
  if (!used) return undefined
  const after = logs.filter(({ logIndex }) => Number(logIndex) > Number(used.logIndex))
  const from = (address: Address) => after.filter((log) => isAddressEqual(log.address, address))
  const [transfer] = parseEventLogs({ abi: projectToken.abi, eventName: 'Transfer', logs: from(token) })
  if (!transfer || !isAddressEqual(transfer.args.from, wallet)) return undefined
  const { to, amount } = transfer.args
  if (curve === null || !isAddressEqual(to, curve)) {
    const lockedUntil = lockIn({ nonce, recipient: to, amount }, logs)
    return { asEth: false, recipient: to, amount, ethPaid: null, lockedUntil }
  }
  const [sale] = parseEventLogs({ abi: bondingCurve.abi, eventName: 'Sold', logs: from(curve) })
  if (!sale || !isAddressEqual(sale.args.seller, wallet)) return undefined
  const { recipient, amount: sold, ethOut } = sale.args
  return { asEth: true, recipient, amount: sold, ethPaid: ethOut, lockedUntil: null }
}

/** The end of the lock for which a platform wallet has used a deposit's authorization; null if none of these logs shows it. */
function lockIn(
  { nonce, recipient, amount }: { nonce: Hex; recipient: Address; amount: bigint },
  logs: Log[],
): number | null {
  const found = parseEventLogs({ abi: platformWallet.abi, eventName: 'Funded', logs }).find(
    ({ address, args: { payoutId, token, dollars } }) =>
      isAddressEqual(address, recipient) &&
      dollars === amount &&
      depositNonce({ payoutId, projectToken: token }) === nonce,
  )
  return found ? Number(found.args.lockedUntil) : null
}

/** The approvals among these logs by which a permit can have set the platform wallet's allowance. */
function approvalsIn(relay: RelayTerms, logs: Log[]) {
  return parseEventLogs({ abi: projectToken.abi, eventName: 'Approval', logs }).filter(
    ({ address, args }) =>
      isAddressEqual(address, relay.token) &&
      isAddressEqual(args.owner, relay.wallet) &&
      isAddressEqual(args.spender, relay.recipient) &&
      args.amount === relay.amount,
  )
}

/**
 * The use of a relay's nonce on the canonical chain, by any sender, up to the block `head`. Of a permit only the approval
 * that it was signed for is found: another permit leaves no event with its nonce.
 */
export async function findUse(
  client: PublicClient,
  relay: UseOf & Pick<Relay, 'usableSince'>,
  head: number,
): Promise<Use | undefined> {
  const read = (from: number, to: number) => useBetween(client, relay, BigInt(from), BigInt(to))
  for await (const { found } of windowsBack(client, read, head, relay.usableSince)) if (found) return found
  return undefined
}

async function useBetween(
  client: PublicClient,
  of: UseOf,
  fromBlock: bigint,
  toBlock: bigint,
): Promise<Use | undefined> {
  const token = { abi: projectToken.abi, address: of.token, fromBlock, toBlock, strict: true } as const
  const args = { authorizer: of.wallet, nonce: of.nonce }
  const [[used], [cancelled]] = await Promise.all([
    client.getContractEvents({ ...token, eventName: 'AuthorizationUsed', args }),
    client.getContractEvents({ ...token, eventName: 'AuthorizationCanceled', args }),
  ])
  if (cancelled) return { ...placeOf(cancelled), effect: null }
  if (!used) return undefined
  const receipt = await canonicalReceipt(client, used.transactionHash)
  const effect = receipt && effectIn(of, receipt.logs)
  if (!effect)
    throw new Error(`the node has no receipt of ${used.transactionHash}, which used an authorization`)
  return { ...placeOf(used), effect }
}

/** The approval of a permit. */
export async function findApproval(
  client: PublicClient,
  relay: Relay,
  { head, final }: Depth,
): Promise<Use | undefined> {
  const { token, wallet: owner, recipient: spender } = relay
  const read = async (from: number, to: number) =>
    approvalsIn(
      relay,
      await client.getContractEvents({
        abi: projectToken.abi,
        address: token,
        eventName: 'Approval',
        args: { owner, spender },
        fromBlock: BigInt(from),
        toBlock: BigInt(to),
        strict: true,
      }),
    )
  // A reorganisation may have made the chain shorter than it was when the permit was signed.
  const first = Math.max(0, relay.headBlock + 1 - (head - final))
  for await (const { found } of logWindows(client, read, first, head))
    for (const approval of found) {
      const isLater = Number(approval.blockNumber) > relay.headBlock
      // Of the blocks before, an earlier approval may have set as much.
      if (isLater || (await isNonceUsed(client, relay, approval.blockNumber)))
        return { ...placeOf(approval), effect: effectOf(relay) }
    }
  return undefined
}

function placeOf(event: { transactionHash: Hash; blockNumber: bigint }) {
  return { hash: event.transactionHash, blockNumber: Number(event.blockNumber) }
}
