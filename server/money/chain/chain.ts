import {
  type Address,
  createPublicClient,
  fallback,
  type Hash,
  type Hex,
  http,
  type PrivateKeyAccount,
  type PublicClient,
  type Transport,
} from 'viem'
import { ServiceError } from '../../errors.ts'
import { guardedHttp, isUnavailable, type NodeOptions } from './client.ts'
import { type Dollar, dollarOf } from './dollar.ts'
import {
  platformWallet as platformWalletContract,
  projectFactory,
  projectToken,
} from './generated/contracts.ts'

/** The nodes of a chain, and our signers and contracts on it. */
export interface ChainOptions {
  /** Name shown to agents; default by the chain id. */
  name?: string | undefined
  /** The chain that every node has to serve; default: that of the first node that replies. */
  chainId?: number | undefined
  /** JSON-RPC addresses of one chain, the preferred first. */
  rpcUrls: string[]
  /** Accounts that may send; each has a lane. */
  operators: PrivateKeyAccount[]
  platformWallet: Address
  /** How long requests wait, in ms. Default: {@link requestPatienceMs}. */
  patienceMs?: number | undefined
}

/** The tokens that a founder can pay with, in base units. */
export interface Funds {
  balance: bigint
  /** What the platform wallet may move: the approval plus the rest of the bounty reserve. */
  allowance: bigint
}

/** One EVM chain with our contracts on it, and everything the service reads from it outside the engines. */
export interface Chain {
  readonly id: number
  readonly name: string
  readonly client: PublicClient
  readonly operators: readonly PrivateKeyAccount[]
  readonly platformWallet: Address
  readonly projectFactory: Address
  /** The code behind every token of the factory. */
  readonly tokenImplementation: Address
  /** The code behind every curve of the factory. */
  readonly curveImplementation: Address
  readonly treasury: Address
  readonly owner: Address
  /** Curve fee in basis points, each way. */
  readonly curveFeeBps: number
  /** Share of a new token's supply that is reserved for bounties, in basis points. */
  readonly bountyReserveBps: number
  /** The stablecoin that founders lock in the platform wallet; null where there is none. */
  readonly dollar: Dollar | null
  /** Why there is none, as a clause. */
  readonly noDollar: string | null
  /** @throws ServiceError `chain_unreachable` */
  funds(token: Address, wallet: Address): Promise<Funds>
  /** Whether the platform wallet refuses all payouts now. @throws ServiceError `chain_unreachable` */
  isPaused(): Promise<boolean>
  /** Seconds since the newest block was made, by its timestamp. @throws ServiceError `chain_unreachable` */
  secondsSinceBlock(): Promise<number>
  /** The newest block that any node has shown within the last minute. A node that has fewer is behind. */
  newestBlock(): number
  /** The addresses that a project created by `deployer` has or will have. */
  predictProject(deployer: Address, projectKey: Hex): Promise<{ token: Address; curve: Address }>
  /**
   * Sends signed bytes once, without retries, beginning with the node at `firstNode` (modulo their number). A node that
   * cannot be reached is skipped: the same bytes can be mined only once.
   * @throws the error of the last node or connection
   */
  send(raw: Hex, firstNode: number): Promise<Hash>
}

/** A chain for the engines, which have time, and the same chain for requests. */
export interface ConnectedChain extends Chain {
  /**
   * The chain for work that somebody waits for. A call fails within {@link requestPatienceMs}, and at once after another
   * one failed so, until a node replies again.
   */
  readonly forRequests: Chain
}

/** Longest time that a request waits for a reply of the nodes, in ms; proxies and people wait longer than that. */
export const requestPatienceMs = 5000

/**
 * Connects to a chain and reads its constants: its id and the parameters of our contracts.
 * @throws when no node replies or there is no platform wallet
 */
export async function connectChain(options: ChainOptions): Promise<ConnectedChain> {
  const { rpcUrls, operators, platformWallet } = options
  const chainId = options.chainId ?? (await askChainId(rpcUrls))
  const parks = rpcUrls.length > 1
  const { newestBlock, onBlock } = rememberNewestBlock()
  const nodes = (each: Pick<NodeOptions, 'retryCount' | 'patienceMs'>) =>
    rpcUrls.map((url) => guardedHttp(url, { chainId, parks, onBlock, ...each }))
  const client = clientOf(fallback(nodes({ retryCount: 1 })))
  const impatient = nodes({
    retryCount: 1,
    patienceMs: (options.patienceMs ?? requestPatienceMs) / rpcUrls.length,
  })
  const senders = nodes({ retryCount: 0 }).map(clientOf)
  const wallet = { abi: platformWalletContract.abi, address: platformWallet } as const
  const [factory, treasury, owner, dollar] = await Promise.all([
    client.readContract({ ...wallet, functionName: 'factory' }),
    client.readContract({ ...wallet, functionName: 'treasury' }),
    client.readContract({ ...wallet, functionName: 'owner' }),
    dollarOf(client, platformWallet),
  ])
  const projects = { abi: projectFactory.abi, address: factory } as const
  const [tokenImplementation, curveImplementation, curveFeeBps, bountyReserveBps] = await Promise.all([
    client.readContract({ ...projects, functionName: 'tokenImplementation' }),
    client.readContract({ ...projects, functionName: 'curveImplementation' }),
    client.readContract({ ...projects, functionName: 'curveFeeBps' }),
    client.readContract({ ...projects, functionName: 'bountyReserveBps' }),
  ])
  const constants = {
    id: chainId,
    name: options.name ?? chainName(chainId),
    operators,
    platformWallet,
    projectFactory: factory,
    tokenImplementation,
    curveImplementation,
    treasury,
    owner,
    curveFeeBps: Number(curveFeeBps),
    bountyReserveBps: Number(bountyReserveBps),
    dollar: typeof dollar === 'string' ? null : dollar,
    noDollar: typeof dollar === 'string' ? dollar : null,
    newestBlock,
    send: sendBy(senders),
  }
  const by = (reader: PublicClient) => ({ ...constants, ...readingsBy(reader, constants) })
  return { ...by(client), forRequests: by(clientOf(fallback(impatient, { retryCount: 0 }))) }
}

/** A reorganisation may leave fewer blocks than there were, so none is remembered for long. */
const rememberedMs = 60_000

function rememberNewestBlock() {
  let newest = { number: 0, seenAt: 0 }
  const isOld = () => performance.now() - newest.seenAt > rememberedMs
  return {
    newestBlock: () => (isOld() ? 0 : newest.number),
    onBlock(number: number): void {
      if (number >= newest.number || isOld()) newest = { number, seenAt: performance.now() }
    },
  }
}

function clientOf(transport: Transport): PublicClient {
  return createPublicClient({ transport, pollingInterval: 250, cacheTime: 0 }) as PublicClient
}

/** The members of a chain that depend on the client that reads it. */
function readingsBy(
  client: PublicClient,
  { platformWallet, projectFactory: factory }: Pick<Chain, 'platformWallet' | 'projectFactory'>,
): Pick<Chain, 'client' | 'funds' | 'isPaused' | 'secondsSinceBlock' | 'predictProject'> {
  return {
    client,
    funds: (token, holder) =>
      reachable(async () => {
        const erc20 = { abi: projectToken.abi, address: token } as const
        const [balance, allowance] = await Promise.all([
          client.readContract({ ...erc20, functionName: 'balanceOf', args: [holder] }),
          client.readContract({ ...erc20, functionName: 'allowance', args: [holder, platformWallet] }),
        ])
        return { balance, allowance }
      }),
    isPaused: () =>
      reachable(() =>
        client.readContract({
          abi: platformWalletContract.abi,
          address: platformWallet,
          functionName: 'paused',
        }),
      ),
    secondsSinceBlock: () =>
      reachable(async () => {
        const { timestamp } = await client.getBlock()
        return Math.round(Date.now() / 1000) - Number(timestamp)
      }),
    predictProject: async (deployer, projectKey) => {
      const [token, curve] = await client.readContract({
        abi: projectFactory.abi,
        address: factory,
        functionName: 'predict',
        args: [deployer, projectKey],
      })
      return { token, curve }
    },
  }
}

function sendBy(senders: readonly PublicClient[]): Chain['send'] {
  return async (raw, firstNode) => {
    for (let node = 0; ; node++) {
      const sender = senders[(firstNode + node) % senders.length] as PublicClient
      try {
        return await sender.request({ method: 'eth_sendRawTransaction', params: [raw] })
      } catch (error) {
        if (!isUnavailable(error) || node + 1 === senders.length) throw error
      }
    }
  }
}

const names: Record<number, string> = {
  1: 'Ethereum',
  10: 'OP Mainnet',
  8453: 'Base',
  42161: 'Arbitrum One',
  84532: 'Base Sepolia',
  31337: 'Local chain',
}

function chainName(chainId: number): string {
  return names[chainId] ?? `Chain ${chainId}`
}

async function askChainId(rpcUrls: string[]): Promise<number> {
  const transport = fallback(rpcUrls.map((url) => http(url, { timeout: 10_000 })))
  return createPublicClient({ transport }).getChainId()
}

/** Turns any failure of a read into the public error `chain_unreachable`; the node's error stays in its `cause`. */
export async function reachable<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (cause) {
    throw new ServiceError('chain_unreachable', undefined, { cause })
  }
}
