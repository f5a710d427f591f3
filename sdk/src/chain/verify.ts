import {
  type Address,
  BlockNotFoundError,
  ContractFunctionExecutionError,
  ContractFunctionZeroDataError,
  createPublicClient,
  encodeAbiParameters,
  formatUnits,
  type Hash,
  http,
  isAddressEqual,
  keccak256,
  type Log,
  type PublicClient,
  parseEventLogs,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import { platformWalletAbi, projectTokenAbi } from '../generated/contracts.ts'
import type { Payout } from '../generated/schema.ts'
import { formatTokens } from './units.ts'

/** Where the chain shows a transaction. */
export interface PayoutPlace {
  hash: Hash
  blockNumber: bigint
  /** Blocks from that of the transaction to the newest, both included. */
  confirmations: number
  /** Whether the block is at or below the chain's `finalized` block; `undefined` if the node knows no such block. */
  isFinal: boolean | undefined
}

/** A field of a receipt for which the chain shows something else. */
export interface PayoutDifference {
  /**
   * `transfers`: the transfers of the token in the transaction, which must be those of the payout and no others;
   * `dollar_transfers`: those of the coin.
   */
  field: keyof Payout | 'transfers' | 'dollar_transfers'
  receipt: string
  /** Undefined if the chain shows nothing in its place. */
  chain: string | undefined
}

/** What a node shows of a payout. */
export type PayoutVerification =
  /**
   * Exactly the payout, once: net to the contributor and the fee to the treasury, and no other transfer of the token; and exactly its
   * dollars, if it has any.
   */
  | ({ status: 'paid' } & PayoutPlace)
  /** The transaction succeeded, but is not what the receipt says. */
  | ({ status: 'differs'; differences: PayoutDifference[] } & PayoutPlace)
  /** The transaction failed, so it moved nothing. */
  | ({ status: 'reverted' } & PayoutPlace)
  /** The node has no such transaction in its chain: it is not mined, its block was replaced, or the node is behind or on another chain. */
  | { status: 'not_found'; hash: Hash }
  /** The receipt names no transaction yet. */
  | { status: 'unsent' }

/**
 * Checks a payout against the chain, by a node of your choice and without the marketplace. Believed are the node and the code of the
 * token's contract; so compare `to` with your wallet, and `token_address` with the token that you know. The token names the platform
 * wallet, whose code pays an id once, and the id is computed from the bounty: one payment is no receipt of two bounties.
 *
 * @param payout as `market.payouts.get(submissionId)` and `list` return it
 * @param node its RPC address, or viem's client of it
 * @throws viem's errors if the node does not respond
 */
export async function verifyPayout(payout: Payout, node: string | PublicClient): Promise<PayoutVerification> {
  if (payout.tx_hash === null) return { status: 'unsent' }
  const hash = payout.tx_hash as Hash
  const client = typeof node === 'string' ? createPublicClient({ transport: http(node) }) : node
  const receipt = await absent(client.getTransactionReceipt({ hash }), TransactionReceiptNotFoundError)
  if (!receipt) return { status: 'not_found', hash }
  const { blockNumber, blockHash } = receipt
  const [head, isFinal, differences] = await Promise.all([
    client.getBlockNumber({ cacheTime: 0 }),
    finality(client, blockNumber),
    receipt.status === 'success' ? differencesOf(client, payout, receipt) : [],
  ])
  // Read last: what was read of a block that is replaced meanwhile counts for nothing.
  const block = await absent(client.getBlock({ blockNumber }), BlockNotFoundError)
  if (block?.hash !== blockHash) return { status: 'not_found', hash }
  const place = { hash, blockNumber, confirmations: Number(head - blockNumber) + 1, isFinal }
  if (receipt.status !== 'success') return { status: 'reverted', ...place }
  return differences.length > 0 ? { status: 'differs', differences, ...place } : { status: 'paid', ...place }
}

async function differencesOf(
  client: PublicClient,
  payout: Payout,
  receipt: TransactionReceipt,
): Promise<PayoutDifference[]> {
  const token = payout.token_address as Address
  const wallet = await walletOf(client, token)
  if (!wallet) return [{ field: 'token_address', receipt: token, chain: undefined }]
  const [chainId, treasury, coin] = await Promise.all([
    client.getChainId(),
    client.readContract({ address: wallet, abi: platformWalletAbi, functionName: 'treasury' }),
    client.readContract({ address: wallet, abi: platformWalletAbi, functionName: 'dollar' }),
  ])
  const id = payoutIdOf(chainId, payout.bounty_id)
  const ofWallet = receipt.logs.filter(({ address }) => isAddressEqual(address, wallet))
  const paid = parseEventLogs({ abi: platformWalletAbi, eventName: 'Paid', logs: ofWallet })
  const [event] = paid
  if (!event || paid.length > 1 || event.args.payoutId !== id) {
    const ids = paid.map(({ args }) => args.payoutId).join(', ')
    return [{ field: 'payout_id', receipt: id, chain: ids || undefined }]
  }
  const { args, logIndex } = event
  const { blockNumber } = receipt
  const facts: [PayoutDifference['field'], string, string | bigint | number][] = [
    ['payout_id', payout.payout_id, id],
    ['token_address', token, args.token],
    ['from', payout.from, args.from],
    ['to', payout.to, args.to],
    ['net', payout.net, formatTokens(args.amount)],
    ['fee', payout.fee, formatTokens(args.fee)],
    ['gross', payout.gross, formatTokens(args.amount + args.fee)],
    ['block_number', String(payout.block_number ?? blockNumber), blockNumber],
    ['log_index', String(payout.log_index ?? logIndex), logIndex],
    ['transfers', legsOf(payout, treasury), transfersIn(receipt, token, formatTokens)],
    ['dollars', dollarsOf(payout), releasedIn(ofWallet, id)],
    ['dollar_transfers', dollarLegOf(payout, wallet), transfersIn(receipt, coin, formatDollars)],
  ]
  return facts.flatMap(([field, said, shown]) => {
    const chain = String(shown)
    return said.toLowerCase() === chain.toLowerCase() ? [] : [{ field, receipt: said, chain }]
  })
}

/** The transfers that a payout consists of. */
function legsOf({ from, to, net, fee }: Payout, treasury: Address): string {
  const toContributor = transfer(from, to, net)
  return fee === '0' ? toContributor : `${toContributor}, ${transfer(from, treasury, fee)}`
}

function dollarsOf({ dollars }: Payout): string {
  return dollars ? `${dollars.gross}, fee ${dollars.fee}` : 'none'
}

/** What the platform wallet has released with the payment. */
function releasedIn(logs: Log[], id: Hash): string {
  const released = parseEventLogs({ abi: platformWalletAbi, eventName: 'Released', logs })
  const texts = released.map(({ args: { payoutId, dollars, fee } }) =>
    payoutId === id ? `${formatDollars(dollars)}, fee ${formatDollars(fee)}` : payoutId,
  )
  return texts.join('; ') || 'none'
}

function dollarLegOf({ dollars, to }: Payout, wallet: Address): string {
  return dollars ? transfer(wallet, to, dollars.net) : ''
}

function formatDollars(baseUnits: bigint): string {
  return formatUnits(baseUnits, 6)
}

/** Every transfer of a token in the transaction. */
function transfersIn(
  { logs }: TransactionReceipt,
  token: Address,
  format: (baseUnits: bigint) => string,
): string {
  const ofToken = logs.filter(({ address }) => isAddressEqual(address, token))
  const transfers = parseEventLogs({ abi: projectTokenAbi, eventName: 'Transfer', logs: ofToken })
  return transfers.map(({ args: { from, to, amount } }) => transfer(from, to, format(amount))).join(', ')
}

function transfer(from: string, to: string, tokens: string): string {
  return `${tokens} from ${from} to ${to}`
}

/** The contract that pays in this token; undefined if there is no such token. */
async function walletOf(client: PublicClient, address: Address): Promise<Address | undefined> {
  try {
    return await client.readContract({ address, abi: projectTokenAbi, functionName: 'platformWallet' })
  } catch (error) {
    const isNone =
      error instanceof ContractFunctionExecutionError && error.cause instanceof ContractFunctionZeroDataError
    if (isNone) return undefined
    throw error
  }
}

/** The id under which a bounty is paid, on this chain only. */
function payoutIdOf(chainId: number, bountyId: string): Hash {
  return keccak256(
    encodeAbiParameters([{ type: 'uint256' }, { type: 'string' }], [BigInt(chainId), bountyId]),
  )
}

async function finality(client: PublicClient, blockNumber: bigint): Promise<boolean | undefined> {
  const finalized = await client.getBlock({ blockTag: 'finalized' }).catch(() => undefined)
  return finalized && blockNumber <= finalized.number
}

async function absent<Found>(
  reading: Promise<Found>,
  error: new (...args: never[]) => Error,
): Promise<Found | undefined> {
  return reading.catch((thrown: unknown) => {
    if (thrown instanceof error) return undefined
    throw thrown
  })
}
