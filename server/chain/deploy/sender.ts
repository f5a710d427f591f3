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

/** Why a deployment did not go on. */
export type DeploymentErrorCode =
  | 'wrong_chain'
  | 'unreachable'
  | 'no_create2_proxy'
  | 'insufficient_funds'
  | 'transaction_failed'
  | 'transaction_pending'

/** A deployment stopped. The message says what to do; it never carries the RPC url or a key. Running again is safe. */
export class DeploymentError extends Error {
  readonly code: DeploymentErrorCode
  constructor(code: DeploymentErrorCode, message: string) {
    super(message)
    this.name = 'DeploymentError'
    this.code = code
  }
}

const MINING_TIMEOUT_MS = 180_000
const POLL_MS = 200

/** One chain and one key: sends a transaction and waits for what became of it. */
export interface Sender {
  readonly chainId: number
  readonly address: Address
  readonly reader: PublicClient<Transport, Chain>
  /** Waits until nothing this key sent earlier, perhaps in a run that crashed, is still unmined. */
  settle(): Promise<void>
  /** Sends, waits until mined, returns the receipt whatever its status. Throws {@link DeploymentError}. */
  send(transaction: { to: Address; data?: Hex; value?: bigint }): Promise<TransactionReceipt>
  /** Broadcasts bytes that somebody else signed, and waits likewise. */
  sendRaw(raw: Hex): Promise<TransactionReceipt>
}

/** Connects to a node. Throws {@link DeploymentError} `unreachable`, or `wrong_chain` when it is not the expected one. */
export async function createSender(options: {
  rpcUrl: string
  privateKey: Hex
  expectedChainId?: number | undefined
}): Promise<Sender> {
  const transport = http(options.rpcUrl)
  const probe = createPublicClient({ transport })
  const chainId = await probe.getChainId().catch((error: unknown) => {
    throw new DeploymentError('unreachable', `The chain's RPC endpoint does not answer: ${summary(error)}`)
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
    settle: () => settle(reader, account.address),
    send: (transaction) => send(reader, wallet, transaction),
    sendRaw: async (raw) => receipt(reader, await reader.sendRawTransaction({ serializedTransaction: raw })),
  }
}

async function settle(reader: PublicClient<Transport, Chain>, address: Address): Promise<void> {
  const deadline = Date.now() + MINING_TIMEOUT_MS
  for (;;) {
    const [mined, known] = await Promise.all([
      reader.getTransactionCount({ address, blockTag: 'latest' }),
      reader.getTransactionCount({ address, blockTag: 'pending' }),
    ])
    if (known <= mined) return
    if (Date.now() > deadline) {
      const message = `${known - mined} earlier transactions of ${address} are not mined yet. Run again later.`
      throw new DeploymentError('transaction_pending', message)
    }
    await delay(POLL_MS)
  }
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
    hash = await wallet.sendTransaction({ ...transaction, gas: (gas * 12n) / 10n })
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
  const needed = (gas * price * 12n) / 10n + value
  if (balance >= needed) return
  throw new DeploymentError(
    'insufficient_funds',
    `${address} holds ${formatEther(balance)} ETH and needs about ${formatEther(needed)}. Fund it and run again.`,
  )
}

async function receipt(reader: PublicClient<Transport, Chain>, hash: Hex): Promise<TransactionReceipt> {
  const deadline = Date.now() + MINING_TIMEOUT_MS
  for (;;) {
    try {
      return await reader.getTransactionReceipt({ hash })
    } catch (error) {
      const unknown = error instanceof TransactionReceiptNotFoundError
      if (Date.now() > deadline) {
        const reason = unknown ? 'is not mined yet' : `could not be looked up (${summary(error)})`
        throw new DeploymentError('transaction_pending', `Transaction ${hash} ${reason}. Run again later.`)
      }
    }
    await delay(POLL_MS)
  }
}

/** viem's long messages quote the RPC url, and a url may hold an access key. */
export function summary(error: unknown): string {
  if (error instanceof BaseError) return error.shortMessage
  return error instanceof Error ? error.name : 'unknown error'
}
