import { setTimeout as delay } from 'node:timers/promises'
import {
  type Account,
  type Address,
  BaseError,
  type Chain,
  createPublicClient,
  createWalletClient,
  defineChain,
  formatEther,
  type Hex,
  http,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type Transport,
  type WalletClient,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { isOfSilentNode } from '../client.ts'
import type { Obstacle } from './obstacle.ts'

/** Why a deployment stopped. */
export type DeploymentErrorCode =
  | 'wrong_chain'
  | 'unreachable'
  | 'no_create2_proxy'
  | Obstacle['code']
  | 'insufficient_funds'
  | 'transaction_failed'
  | 'transaction_pending'

/** A deployment stopped. The message says what to do and contains neither the RPC URL nor a key. Running again is safe. */
export class DeploymentError extends Error {
  readonly code: DeploymentErrorCode
  constructor(code: DeploymentErrorCode, message: string) {
    super(message)
    this.name = 'DeploymentError'
    this.code = code
  }
}

/** Throws `error`, or in place of a node's error one that says that it may be repeated. */
export function failedNode(error: unknown): never {
  if (!(error instanceof BaseError) && !isOfSilentNode(error)) throw error
  throw new DeploymentError('unreachable', `The node failed: ${summary(error)}`)
}

const MINING_TIMEOUT_MS = 180_000
const POLL_MS = 200

/** Sends the transactions of one key to one chain, and waits until they are mined. */
export interface Sender {
  readonly chainId: number
  readonly address: Address
  readonly reader: PublicClient<Transport, Chain>
  /** Waits until every earlier transaction of this key is mined, for example one of a run that crashed. */
  untilNonePending(): Promise<void>
  /** Sends, waits until mined, and returns the receipt, also of a reverted transaction. Throws {@link DeploymentError}. */
  send(transaction: { to: Address; data?: Hex; value?: bigint }): Promise<TransactionReceipt>
  /** Broadcasts a transaction that is signed already, and waits until it is mined. */
  sendRaw(raw: Hex): Promise<TransactionReceipt>
}

/** Connects to a node. Throws {@link DeploymentError} `unreachable`, or `wrong_chain` if it serves another chain. */
export async function createSender(options: {
  rpcUrl: string
  privateKey: Hex
  expectedChainId?: number | undefined
}): Promise<Sender> {
  const transport = http(options.rpcUrl)
  const probe = createPublicClient({ transport })
  const chainId = await probe.getChainId().catch((error: unknown) => {
    throw new DeploymentError('unreachable', `The chain's RPC endpoint does not respond: ${summary(error)}`)
  })
  if (options.expectedChainId !== undefined && options.expectedChainId !== chainId) {
    throw new DeploymentError(
      'wrong_chain',
      `The RPC endpoint serves chain ${chainId}, but chain ${options.expectedChainId} was expected. Nothing was sent.`,
    )
  }
  const chain = defineChain({
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [options.rpcUrl] } },
  })
  const account = privateKeyToAccount(options.privateKey)
  const reader = createPublicClient({ chain, transport, pollingInterval: POLL_MS })
  const wallet = createWalletClient({ chain, transport, account })
  return {
    chainId,
    address: account.address,
    reader,
    untilNonePending: () => untilNonePending(reader, account.address),
    send: (transaction) => send(reader, wallet, transaction),
    sendRaw: async (raw) => receipt(reader, await reader.sendRawTransaction({ serializedTransaction: raw })),
  }
}

/** Polls until `read` returns a result. Throws {@link DeploymentError} `transaction_pending` when time is up. */
async function poll<T>(read: () => Promise<{ result: T } | { waiting: string }>): Promise<T> {
  const deadline = Date.now() + MINING_TIMEOUT_MS
  for (;;) {
    const state = await read()
    if ('result' in state) return state.result
    if (Date.now() > deadline)
      throw new DeploymentError('transaction_pending', `${state.waiting}. Run again later.`)
    await delay(POLL_MS)
  }
}

function untilNonePending(reader: PublicClient<Transport, Chain>, address: Address): Promise<void> {
  return poll(async () => {
    const [mined, known] = await Promise.all([
      reader.getTransactionCount({ address, blockTag: 'latest' }),
      reader.getTransactionCount({ address, blockTag: 'pending' }),
    ])
    if (known <= mined) return { result: undefined }
    return { waiting: `${known - mined} earlier transactions of ${address} are not mined yet` }
  })
}

type Wallet = WalletClient<Transport, Chain, Account>

async function send(
  reader: PublicClient<Transport, Chain>,
  wallet: Wallet,
  transaction: { to: Address; data?: Hex; value?: bigint },
): Promise<TransactionReceipt> {
  let hash: Hex
  try {
    const gas = await reader.estimateGas({ account: wallet.account, ...transaction })
    await requireFunds(reader, wallet.account.address, gas, transaction.value ?? 0n)
    hash = await wallet.sendTransaction({ ...transaction, gas: withMargin(gas) })
  } catch (error) {
    if (error instanceof DeploymentError) throw error
    throw new DeploymentError('transaction_failed', `A transaction could not be sent: ${summary(error)}`)
  }
  return receipt(reader, hash)
}

async function requireFunds(
  reader: PublicClient<Transport, Chain>,
  address: Address,
  gas: bigint,
  value: bigint,
): Promise<void> {
  const [balance, price] = await Promise.all([reader.getBalance({ address }), reader.getGasPrice()])
  const needed = withMargin(gas * price) + value
  if (balance >= needed) return
  throw new DeploymentError(
    'insufficient_funds',
    `${address} holds ${formatEther(balance)} ETH and needs about ${formatEther(needed)}. Fund it and run again.`,
  )
}

function receipt(reader: PublicClient<Transport, Chain>, hash: Hex): Promise<TransactionReceipt> {
  return poll<TransactionReceipt>(async () => {
    try {
      return { result: await reader.getTransactionReceipt({ hash }) }
    } catch (error) {
      const isUnmined = error instanceof TransactionReceiptNotFoundError
      const reason = isUnmined ? 'is not mined yet' : `could not be checked (${summary(error)})`
      return { waiting: `Transaction ${hash} ${reason}` }
    }
  })
}

/** A fifth more, for gas and fees that rise before the transaction is mined. */
export function withMargin(amount: bigint): bigint {
  return (amount * 12n) / 10n
}

/** One line about an error. viem's long messages quote the RPC URL, which may contain an access key. */
export function summary(error: unknown): string {
  if (error instanceof BaseError) return error.shortMessage
  return error instanceof Error ? error.name : 'unknown error'
}
