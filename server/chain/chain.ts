import {
  type Address,
  createPublicClient,
  fallback,
  type Hash,
  type Hex,
  http,
  type PrivateKeyAccount,
  type PublicClient,
} from 'viem'
import { ServiceError } from '../errors.ts'
import { guardedHttp, isUnavailable } from './client.ts'
import {
  platformWallet as platformWalletContract,
  projectFactory,
  projectToken,
} from './generated/contracts.ts'
import { chainName } from './names.ts'

/** Where a chain is and what of ours lives on it. */
export interface ChainOptions {
  /** Name shown to agents; default by the chain id. */
  name?: string | undefined
  /** The chain that every node has to serve; default: the one the first that answers serves. */
  chainId?: number | undefined
  /** JSON-RPC addresses of one chain, the preferred first. */
  rpcUrls: string[]
  /** Accounts that may send; each is a lane. */
  operators: PrivateKeyAccount[]
  platformWallet: Address
}

/** What a founder can pay with, in base units. */
export interface Funds {
  balance: bigint
  /** What the platform wallet may move: the approval plus what is left of the bounty reserve. */
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
  /** @throws ServiceError `chain_unreachable` */
  funds(token: Address, wallet: Address): Promise<Funds>
  /** Whether the platform wallet refuses all payouts now. @throws ServiceError `chain_unreachable` */
  isPaused(): Promise<boolean>
  /** Seconds since the newest block was made, by its timestamp. @throws ServiceError `chain_unreachable` */
  secondsSinceBlock(): Promise<number>
  /** The addresses that a project created by `deployer` has or will have. */
  predictProject(deployer: Address, projectKey: Hex): Promise<{ token: Address; curve: Address }>
  /**
   * Offers signed bytes to the `turn`th node, once and without retries; where that cannot be reached, to the next: the
   * same bytes can be mined only once. Throws what the last node or the network said.
   */
  send(raw: Hex, turn: number): Promise<Hash>
}

/**
 * Connects to a chain and reads what is fixed on it: its id and the parameters of our contracts.
 * @throws when no node answers or the platform wallet is not there.
 */
export async function connectChain(options: ChainOptions): Promise<Chain> {
  const { rpcUrls, operators, platformWallet } = options
  const id = options.chainId ?? (await askChainId(rpcUrls))
  const rests = rpcUrls.length > 1
  const client = createPublicClient({
    transport: fallback(rpcUrls.map((url) => guardedHttp(url, { chainId: id, retryCount: 1, rests }))),
    pollingInterval: 250,
    cacheTime: 0,
  }) as PublicClient
  const senders = rpcUrls.map((url) =>
    createPublicClient({ transport: guardedHttp(url, { chainId: id, retryCount: 0, rests: false }) }),
  )
  const wallet = { abi: platformWalletContract.abi, address: platformWallet } as const
  const [factory, treasury, owner] = await Promise.all([
    client.readContract({ ...wallet, functionName: 'factory' }),
    client.readContract({ ...wallet, functionName: 'treasury' }),
    client.readContract({ ...wallet, functionName: 'owner' }),
  ])
  const projects = { abi: projectFactory.abi, address: factory } as const
  const [tokenImplementation, curveImplementation, curveFeeBps, bountyReserveBps] = await Promise.all([
    client.readContract({ ...projects, functionName: 'tokenImplementation' }),
    client.readContract({ ...projects, functionName: 'curveImplementation' }),
    client.readContract({ ...projects, functionName: 'curveFeeBps' }),
    client.readContract({ ...projects, functionName: 'bountyReserveBps' }),
  ])
  return {
    id,
    name: options.name ?? chainName(id),
    client,
    operators,
    platformWallet,
    projectFactory: factory,
    tokenImplementation,
    curveImplementation,
    treasury,
    owner,
    curveFeeBps: Number(curveFeeBps),
    bountyReserveBps: Number(bountyReserveBps),
    funds: (token, holder) =>
      reachable(async () => {
        const erc20 = { abi: projectToken.abi, address: token } as const
        const [balance, allowance] = await Promise.all([
          client.readContract({ ...erc20, functionName: 'balanceOf', args: [holder] }),
          client.readContract({ ...erc20, functionName: 'allowance', args: [holder, platformWallet] }),
        ])
        return { balance, allowance }
      }),
    isPaused: () => reachable(() => client.readContract({ ...wallet, functionName: 'paused' })),
    secondsSinceBlock: () =>
      reachable(async () => {
        const { timestamp } = await client.getBlock()
        return Math.round(Date.now() / 1000) - Number(timestamp)
      }),
    predictProject: async (deployer, projectKey) => {
      const [token, curve] = await client.readContract({
        ...projects,
        functionName: 'predict',
        args: [deployer, projectKey],
      })
      return { token, curve }
    },
    send: async (raw, turn) => {
      for (let node = 0; ; node++) {
        const sender = senders[(turn + node) % senders.length] as (typeof senders)[number]
        try {
          return await sender.request({ method: 'eth_sendRawTransaction', params: [raw] })
        } catch (error) {
          if (!isUnavailable(error) || node + 1 === senders.length) throw error
        }
      }
    },
  }
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
