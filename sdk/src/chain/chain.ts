import {
  type Account,
  type Address,
  type Chain,
  getAddress,
  type Hash,
  type PublicClient,
  parseEventLogs,
  type Transport,
  type WalletClient,
} from 'viem'
import { MarketplaceError } from '../core/errors.ts'
import { bondingCurveAbi, platformWalletAbi, projectTokenAbi } from '../generated/contracts.ts'
import { ContractError, explained } from './errors.ts'
import { waitForReceipt } from './receipt.ts'

/** The addresses of an active project, as the service returns them. */
export interface ProjectContracts {
  token_address?: string | undefined
  curve_address?: string | undefined
}

/** The current cost or proceeds of a trade, in wei. */
export interface Quote {
  /** Purchase: the cost, including the fee. Sale: the proceeds, after the fee. */
  eth: bigint
  /** The curve's fee. */
  fee: bigint
}

/** How far a trade may differ from its quote, and who receives what it yields. */
export interface TradeLimits {
  /** Receives the tokens of a purchase or the ETH of a sale. Default: the account that trades. */
  recipient?: Address | undefined
  /** How much worse than quoted the price may get, in basis points. Default 100 (1 %). */
  slippageBps?: number | undefined
  /** Seconds after which an unmined trade is void. Default 600. */
  deadlineSeconds?: number | undefined
}

/** A mined purchase. Amounts in base units and wei. */
export interface Bought {
  hash: Hash
  amount: bigint
  ethIn: bigint
  fee: bigint
}

/** A mined sale. Amounts in base units and wei. */
export interface Sold {
  hash: Hash
  amount: bigint
  ethOut: bigint
  fee: bigint
}

/** The tokens of a holder, in base units. */
export interface Funding {
  balance: bigint
  /** What the platform wallet may move: the approval plus the rest of the bounty reserve. */
  allowance: bigint
  /** The rest of the bounty reserve, which only payouts can move; 0 for everybody but the founder. */
  reserve: bigint
}

interface Clients {
  client: PublicClient<Transport, Chain>
  wallet: WalletClient<Transport, Chain, Account> | undefined
  platformWallet: Address
}

/**
 * Reads and trades project tokens. Token amounts are in base units (see `parseTokens`), ETH in wei. If a contract refuses,
 * a `ContractError` is thrown; errors of the node are viem's.
 */
export class MarketplaceChain {
  /** viem's client, for everything else. */
  readonly client: PublicClient<Transport, Chain>
  /** The contract that founders approve, so that it can pay bounties. */
  readonly platformWallet: Address
  readonly #wallet: WalletClient<Transport, Chain, Account> | undefined

  constructor({ client, wallet, platformWallet }: Clients) {
    this.client = client
    this.platformWallet = platformWallet
    this.#wallet = wallet
  }

  /** What `amount` costs now. @throws ContractError `ExceedsSupply`, `ZeroAmount` */
  async quoteBuy(project: ProjectContracts, amount: bigint): Promise<Quote> {
    const curve = curveOf(project)
    const [eth, fee] = await explained('quote', () =>
      this.client.readContract({ ...curve, functionName: 'quoteBuy', args: [amount] }),
    )
    return { eth, fee }
  }

  /** What a sale of `amount` pays now. @throws ContractError `ExceedsSold`, `NothingToPay`, `ZeroAmount` */
  async quoteSell(project: ProjectContracts, amount: bigint): Promise<Quote> {
    const curve = curveOf(project)
    const [eth, fee] = await explained('quote', () =>
      this.client.readContract({ ...curve, functionName: 'quoteSell', args: [amount] }),
    )
    return { eth, fee }
  }

  /** The most that `holder` can sell now, in base units. */
  maxSell(project: ProjectContracts, holder: Address): Promise<bigint> {
    return this.client.readContract({ ...curveOf(project), functionName: 'maxSell', args: [holder] })
  }

  /** Buys exactly `amount` on the project's curve and waits until the transaction is mined. @throws ContractError */
  async buy(project: ProjectContracts, amount: bigint, limits: TradeLimits = {}): Promise<Bought> {
    const curve = curveOf(project)
    const { eth } = await this.quoteBuy(project, amount)
    const maxIn = eth + (eth * slippage(limits)) / 10_000n
    const { hash, logs } = await this.#send('buy', async (account) => {
      const call = { ...curve, functionName: 'buy', value: maxIn, account } as const
      const { request } = await this.client.simulateContract({
        ...call,
        args: [amount, maxIn, limits.recipient ?? account.address, await this.#deadline(limits)],
      })
      return this.#signer.writeContract(request)
    })
    const [event] = parseEventLogs({ abi: bondingCurveAbi, eventName: 'Bought', logs })
    if (!event) throw new ContractError('buy', undefined)
    return { hash, amount: event.args.amount, ethIn: event.args.ethIn, fee: event.args.fee }
  }

  /** Sells `amount` to the project's curve and waits until the transaction is mined. @throws ContractError */
  async sell(project: ProjectContracts, amount: bigint, limits: TradeLimits = {}): Promise<Sold> {
    const curve = curveOf(project)
    const { eth } = await this.quoteSell(project, amount)
    const minOut = eth - (eth * slippage(limits)) / 10_000n
    const { hash, logs } = await this.#send('sell', async (account) => {
      const call = { ...curve, functionName: 'sell', account } as const
      const { request } = await this.client.simulateContract({
        ...call,
        args: [amount, minOut, limits.recipient ?? account.address, await this.#deadline(limits)],
      })
      return this.#signer.writeContract(request)
    })
    const [event] = parseEventLogs({ abi: bondingCurveAbi, eventName: 'Sold', logs })
    if (!event) throw new ContractError('sell', undefined)
    return { hash, amount: event.args.amount, ethOut: event.args.ethOut, fee: event.args.fee }
  }

  /**
   * Lets the platform wallet move `amount` in total, including the rest of the bounty reserve, and waits until the
   * transaction is mined. Replaces the earlier approval. @throws ContractError `ApprovalBelowReserve`
   */
  async approvePlatformWallet(project: ProjectContracts, amount: bigint): Promise<Hash> {
    const { hash } = await this.#send('approve', async (account) => {
      const { request } = await this.client.simulateContract({
        ...tokenOf(project),
        functionName: 'approve',
        args: [this.platformWallet, amount],
        account,
      })
      return this.#signer.writeContract(request)
    })
    return hash
  }

  /** What `holder` has, and how much of it the platform wallet may move. */
  async funding(project: ProjectContracts, holder: Address): Promise<Funding> {
    const token = tokenOf(project)
    const [balance, allowance, founder, reserve] = await Promise.all([
      this.balance(project, holder),
      this.client.readContract({ ...token, functionName: 'allowance', args: [holder, this.platformWallet] }),
      this.client.readContract({ ...token, functionName: 'founder' }),
      this.client.readContract({ ...token, functionName: 'bountyReserve' }),
    ])
    return { balance, allowance, reserve: getAddress(founder) === getAddress(holder) ? reserve : 0n }
  }

  /** Tokens of the project that `holder` has. */
  balance(project: ProjectContracts, holder: Address): Promise<bigint> {
    return this.client.readContract({ ...tokenOf(project), functionName: 'balanceOf', args: [holder] })
  }

  /** The receiver of the platform fee of every payout. */
  treasury(): Promise<Address> {
    return this.client.readContract({
      address: this.platformWallet,
      abi: platformWalletAbi,
      functionName: 'treasury',
    })
  }

  get #signer(): WalletClient<Transport, Chain, Account> {
    if (!this.#wallet) throw new MarketplaceError('connectChain needs an `account` to send transactions')
    return this.#wallet
  }

  async #send(action: string, write: (account: Account) => Promise<Hash>) {
    const account = this.#signer.account
    const hash = await explained(action, () => write(account))
    const receipt = await waitForReceipt(this.client, hash)
    if (receipt.status !== 'success') throw new ContractError(`${action} ${hash}`, undefined)
    return { hash, logs: receipt.logs }
  }

  /** By the chain's clock, which may differ from this machine's. */
  async #deadline({ deadlineSeconds = 600 }: TradeLimits): Promise<bigint> {
    const { timestamp } = await this.client.getBlock()
    return timestamp + BigInt(deadlineSeconds)
  }
}

function slippage({ slippageBps = 100 }: TradeLimits): bigint {
  if (!Number.isInteger(slippageBps) || slippageBps < 0 || slippageBps > 10_000)
    throw new MarketplaceError('slippageBps must be a whole number from 0 to 10,000')
  return BigInt(slippageBps)
}

function curveOf({ curve_address: address }: ProjectContracts) {
  if (!address) throw new MarketplaceError('The project is not active yet: it has no curve')
  return { address: getAddress(address), abi: bondingCurveAbi } as const
}

function tokenOf({ token_address: address }: ProjectContracts) {
  if (!address) throw new MarketplaceError('The project is not active yet: it has no token')
  return { address: getAddress(address), abi: projectTokenAbi } as const
}
