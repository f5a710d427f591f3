import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  type Hash,
  isAddressEqual,
  type Log,
  type PublicClient,
  parseEventLogs,
} from 'viem'
import type { Depth } from '../../chain/finality.ts'
import { bondingCurve, projectToken } from '../../chain/generated/contracts.ts'
import { windowsBack, windowsForward } from '../../chain/log-windows.ts'
import { canonicalReceipt } from '../transactions/receipts/chain-view.ts'
import type { Relay, RelayFailure, RelayTerms } from './store.ts'

/** What a signature has done on the chain. */
export interface Effect {
  asEth: boolean
  recipient: Address
  /** Base units. */
  amount: bigint
  /** What a sale has paid out, in wei. */
  ethPaid: bigint | null
}

/** The use of a relay's nonce, by any sender. */
export interface Use {
  hash: Hash
  blockNumber: number
  /** Null: the wallet's key has cancelled the nonce. */
  effect: Effect | null
}

/** Identifies a nonce of a wallet. */
export type NonceOf = Pick<RelayTerms, 'kind' | 'token' | 'curve' | 'wallet' | 'nonce'>

/** Whether the chain has used a relay's nonce, as of a block. Once used, it stays used. */
export async function isNonceUsed(client: PublicClient, of: NonceOf, blockNumber: bigint): Promise<boolean> {
  const token = { abi: projectToken.abi, address: of.token, blockNumber } as const
  if (of.kind === 'withdrawal')
    return client.readContract({ ...token, functionName: 'authorizationState', args: [of.wallet, of.nonce] })
  return (
    (await client.readContract({ ...token, functionName: 'nonces', args: [of.wallet] })) > BigInt(of.nonce)
  )
}

/** Whether a signature has done what a relay was signed for. */
export function isExact(
  terms: Pick<RelayTerms, 'asEth' | 'recipient' | 'amount'>,
  effect: Effect | null | undefined,
): effect is Effect {
  return (
    effect?.asEth === terms.asEth &&
    isAddressEqual(effect.recipient, terms.recipient) &&
    effect.amount === terms.amount
  )
}

/**
 * What a withdrawal's authorization has done in the transaction with these logs; undefined if they do not show its use. A
 * transaction may hold several uses: the contracts log each one just before what it does.
 */
export function effectIn({ token, curve, wallet, nonce }: NonceOf, logs: Log[]): Effect | undefined {
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
  if (!isAddressEqual(to, curve)) return { asEth: false, recipient: to, amount, ethPaid: null }
  const [sale] = parseEventLogs({ abi: bondingCurve.abi, eventName: 'Sold', logs: from(curve) })
  if (!sale || !isAddressEqual(sale.args.seller, wallet)) return undefined
  return { asEth: true, recipient: sale.args.recipient, amount: sale.args.amount, ethPaid: sale.args.ethOut }
}

/** The approval by which a permit has set the platform wallet's allowance, if these logs hold it. */
export function approvalIn<Entry extends Log>(relay: RelayTerms, logs: Entry[]): Entry | undefined {
  return parseEventLogs({ abi: projectToken.abi, eventName: 'Approval', logs }).find(
    ({ address, args }) =>
      isAddressEqual(address, relay.token) &&
      isAddressEqual(args.owner, relay.wallet) &&
      isAddressEqual(args.spender, relay.recipient) &&
      args.amount === relay.amount,
  ) as Entry | undefined
}

/**
 * The use of a relay's nonce on the canonical chain, by any sender, up to the block `head`. Of a permit only the approval
 * that it was signed for is found: another permit leaves no event with its nonce.
 */
export async function findUse(
  client: PublicClient,
  relay: NonceOf & Pick<Relay, 'usableSince'>,
  head: number,
): Promise<Use | undefined> {
  const read = (from: number, to: number) => useBetween(client, relay, BigInt(from), BigInt(to))
  for await (const { found } of windowsBack(client, read, head, relay.usableSince)) if (found) return found
  return undefined
}

async function useBetween(
  client: PublicClient,
  of: NonceOf,
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

/** The approval of a permit, made after it was signed. */
async function findApproval(client: PublicClient, relay: Relay, head: number): Promise<Use | undefined> {
  const { token, wallet: owner, recipient: spender, amount, asEth } = relay
  const read = async (from: number, to: number) =>
    approvalIn(
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
  for await (const { found } of windowsForward(read, relay.headBlock + 1, head))
    if (found) return { ...placeOf(found), effect: { asEth, recipient: spender, amount, ethPaid: null } }
  return undefined
}

function placeOf(event: { transactionHash: Hash; blockNumber: bigint }) {
  return { hash: event.transactionHash, blockNumber: Number(event.blockNumber) }
}

/** What has become of a relay for good. */
export type Settlement =
  | { status: 'confirmed'; hash: Hash; ethPaid: bigint | null }
  | ({ status: 'failed' } & RelayFailure)

/**
 * What has become of a relay for good; undefined while that is open. A used nonce counts when the block of its use is final.
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
  const isExpired = finalTime >= relay.validBefore
  const isUsed = await isNonceUsed(client, relay, BigInt(depth.head))
  if (!isUsed && !isExpired) return undefined
  if (!isUsed) return { status: 'failed', ...(relay.refusal ?? (await explainExpiry(client, relay, depth))) }
  const use = await (relay.kind === 'permit' ? findApproval : findUse)(client, relay, depth.head)
  if (use && use.blockNumber > depth.final) return undefined
  if (isExact(relay, use?.effect)) return { status: 'confirmed', hash: use.hash, ethPaid: use.effect.ethPaid }
  if (use?.effect === null) return { status: 'failed', ...failures.authorization_cancelled }
  if (use) return { status: 'failed', ...failures.authorization_replaced }
  if (relay.kind === 'withdrawal') throw new Error('the node has no event of an authorization that was used')
  // Another permit has used the nonce, or the node's reply lacks the approval; which of them is certain at the end.
  return isExpired ? { status: 'failed', ...failures.authorization_replaced } : undefined
}

async function explainExpiry(client: PublicClient, relay: Relay, { head }: Depth): Promise<RelayFailure> {
  const why = await explainRefusal(client, relay, BigInt(head))
  return why && why.code !== 'recipient_refused' ? why : failures.authorization_expired
}

/** Why the transaction of a relay reverted in the block `minedIn`; undefined if the chain shows no reason. */
export async function explainRevert(
  client: PublicClient,
  relay: RelayTerms,
  minedIn: bigint,
  head: bigint,
): Promise<RelayFailure | undefined> {
  const { timestamp } = await client.getBlock({ blockNumber: minedIn })
  if (timestamp >= relay.validBefore) return failures.authorization_expired
  return explainRefusal(client, relay, head)
}

/** Why the chain refuses a relay that was not used, as of a block; undefined if it shows no reason. */
async function explainRefusal(
  client: PublicClient,
  relay: RelayTerms,
  blockNumber: bigint,
): Promise<RelayFailure | undefined> {
  if (relay.kind === 'permit') return undefined
  if ((await readWithdrawable(client, relay, blockNumber)) < relay.amount)
    return failures.insufficient_balance
  if (!relay.asEth) return undefined
  const paid = await quoteSale(client, relay.curve, relay.amount, blockNumber)
  return paid === 0n || paid < relay.minEth ? failures.min_eth_not_met : failures.recipient_refused
}

/** Base units that a wallet can move, as of a block: its balance without what is left of the founder's bounty reserve. */
export async function readWithdrawable(
  client: PublicClient,
  { token: address, wallet }: Pick<RelayTerms, 'token' | 'wallet'>,
  blockNumber: bigint,
): Promise<bigint> {
  const token = { abi: projectToken.abi, address, blockNumber } as const
  const [balance, founder, reserve] = await Promise.all([
    client.readContract({ ...token, functionName: 'balanceOf', args: [wallet] }),
    client.readContract({ ...token, functionName: 'founder' }),
    client.readContract({ ...token, functionName: 'bountyReserve' }),
  ])
  return isAddressEqual(founder, wallet) ? balance - reserve : balance
}

/** What a curve pays for `amount` base units, in wei, as of a block; 0 where it refuses the sale. */
export async function quoteSale(
  client: PublicClient,
  curve: Address,
  amount: bigint,
  blockNumber: bigint,
): Promise<bigint> {
  try {
    const sale = { functionName: 'quoteSell', args: [amount], blockNumber } as const
    const [ethOut] = await client.readContract({ abi: bondingCurve.abi, address: curve, ...sale })
    return ethOut
  } catch (error) {
    const isRefusal =
      error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionRevertedError)
    if (isRefusal) return 0n
    throw error
  }
}

const unmoved = 'Nothing has left the wallet.'
const failures = Object.fromEntries(
  Object.entries({
    authorization_expired: `It could not be sent in time, and nobody can send it any more. ${unmoved} Ask again with a new Idempotency-Key.`,
    authorization_cancelled: `The key of the wallet has cancelled it. ${unmoved}`,
    authorization_replaced:
      'Its nonce was used by another signature of the wallet: by an earlier request with the same Idempotency-Key that the service has lost, or by anybody who has the exported key.',
    insufficient_balance: `The wallet holds less than the amount. ${unmoved} Ask again for less, with a new Idempotency-Key.`,
    min_eth_not_met: `The curve pays less than min_eth. ${unmoved} Ask again with a lower min_eth and a new Idempotency-Key.`,
    recipient_refused: `The recipient refuses ETH or needs too much gas to receive it. ${unmoved} Ask again with another address and a new Idempotency-Key.`,
  }).map(([code, message]) => [code, { code, message }]),
) as Record<RelayFailure['code'], RelayFailure>
