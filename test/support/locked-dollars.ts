import {
  type Account,
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  type PrivateKeyAccount,
  parseAbi,
  parseGwei,
  parseUnits,
  toHex,
} from 'viem'
import { dollarIssuer, giveDollars, localDollar } from '../../server/embedded/chain/dollar.ts'
import { platformWallet } from '../../server/money/chain/generated/contracts.ts'
import { payoutIdOf } from '../../server/money/chain/on-chain-ids.ts'
import type { TestMarket } from './market.ts'
import { createRows } from './rows.ts'
import type { ActiveProject, TestAgent } from './scenarios.ts'

const coin = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function blacklist(address)',
  'function unBlacklist(address)',
  'function pause()',
  'function unpause()',
])
const farAway = 2n ** 40n
/** Circle's transactions come first in their block. */
const first = { maxFeePerGas: toHex(parseGwei('200')), maxPriorityFeePerGas: toHex(parseGwei('100')) }

/** A founder with a wallet of its own, which has 1,000 dollars, and its project. */
export interface DollarProject extends ActiveProject {
  founder: TestAgent
  account: Account
}

/** What locks dollars for a bounty of it. */
export type Funder = Pick<DollarProject, 'id' | 'token_address' | 'account'> & { founder: { id: string } }

/** Dollars of base units. */
export const dollars = (amount: string) => parseUnits(amount, 6)

/** Deposits that are made on the chain directly, by an operator key that the service does not have, and Circle's part. */
export function coinOn(market: Pick<TestMarket, 'chain' | 'db' | 'register' | 'activeProject'>) {
  const { chain, db } = market
  const { node, rpcUrl, platformWallet: wallet } = chain
  const { abi } = platformWallet
  let operator: Promise<Account> | undefined

  const read = <Name extends 'deposit' | 'accruedDollars'>(functionName: Name, args: unknown[] = []) =>
    node.readContract({ abi, address: wallet, functionName, args } as never) as Promise<never>

  async function addOperator(): Promise<Account> {
    const account = await chain.fundedAccount()
    const data = encodeFunctionData({ abi, functionName: 'setOperator', args: [account.address, true] })
    await chain.send(chain.owner, { to: wallet, data })
    return account
  }

  /** Calls the platform wallet with an operator key that no process of the service has. */
  async function call(data: Hex): Promise<Hex> {
    operator ??= addOperator()
    return chain.send(await operator, { to: wallet, data })
  }

  async function asIssuer(data: Hex): Promise<void> {
    await node.impersonateAccount({ address: dollarIssuer })
    const hash = await node.request({
      method: 'eth_sendTransaction',
      params: [{ from: dollarIssuer, to: localDollar, data, gas: toHex(200_000), ...first }],
    } as never)
    await node.waitForTransactionReceipt({ hash, pollingInterval: 20 })
  }

  /** What has to be signed for a deposit. */
  async function signed(project: Funder, bountyId: string, amount: bigint): Promise<Hex> {
    const payoutId = payoutIdOf(31_337, bountyId)
    const nonce = nonceOf(payoutId, project.token_address as Address)
    return (project.account as PrivateKeyAccount).signTypedData({
      domain: { name: 'USD Coin', version: '2', chainId: 31_337, verifyingContract: localDollar },
      types: receive,
      primaryType: 'ReceiveWithAuthorization',
      message: {
        from: project.account.address,
        to: wallet,
        value: amount,
        validAfter: 0n,
        validBefore: farAway,
        nonce,
      },
    })
  }

  return {
    async project(): Promise<DollarProject> {
      const account = await chain.fundedAccount()
      await giveDollars(rpcUrl, account.address)
      const founder = await market.register({ name: 'Founder', wallet_address: account.address })
      return { ...(await market.activeProject({ founder })), account }
    },
    /** Locks dollars for a bounty; with `isStored` false the database does not know of it, as after a fall-back. */
    async lock(project: Funder, bountyId: string, amount: bigint, isStored = true): Promise<void> {
      const payout_id = payoutIdOf(31_337, bountyId)
      const args = [payout_id, project.token_address as Address, amount, farAway] as const
      const signature = await signed(project, bountyId, amount)
      const hash = await call(encodeFunctionData({ abi, functionName: 'fund', args: [...args, signature] }))
      if (!isStored) return
      const { lockedUntil } = await this.slot(bountyId)
      const rows = createRows(db)
      const of = { agent_id: project.founder.id, project_id: project.id, chain_id: 31_337 }
      const relay_id = await rows.relay({
        ...of,
        kind: 'deposit',
        request_digest: null,
        status: 'confirmed',
        confirmed_at: new Date(),
        tx_hash: hash,
      })
      await rows.deposit({
        bounty_id: bountyId,
        ...of,
        relay_id,
        payout_id,
        platform_wallet: wallet.toLowerCase(),
        amount: amount.toString(),
        status: 'locked',
        locked_until: new Date(lockedUntil * 1000),
        fund_tx: hash,
      })
    },
    /** The slot of a bounty: 0 none, 1 funded, 2 refunded, 3 paid. */
    slot: (
      bountyId: string,
    ): Promise<{ funder: Address; dollars: bigint; lockedUntil: number; state: number }> =>
      read('deposit', [payoutIdOf(31_337, bountyId)]),
    accruedFees: (): Promise<bigint> => read('accruedDollars'),
    balance: (holder: string) =>
      node.readContract({
        abi: coin,
        address: localDollar,
        functionName: 'balanceOf',
        args: [holder as Address],
      }),
    call,
    refundOnChain: (bountyId: string, by?: Account) => {
      const data = encodeFunctionData({ abi, functionName: 'refund', args: [payoutIdOf(31_337, bountyId)] })
      return by ? chain.send(by, { to: wallet, data }) : call(data)
    },
    block: (holder: string) =>
      asIssuer(encodeFunctionData({ abi: coin, functionName: 'blacklist', args: [holder as Address] })),
    unblock: (holder: string) =>
      asIssuer(encodeFunctionData({ abi: coin, functionName: 'unBlacklist', args: [holder as Address] })),
    pauseCoin: () => asIssuer(encodeFunctionData({ abi: coin, functionName: 'pause' })),
    unpauseCoin: () => asIssuer(encodeFunctionData({ abi: coin, functionName: 'unpause' })),
    setCap(cap: bigint) {
      const data = encodeFunctionData({ abi, functionName: 'setDailyCap', args: [localDollar, cap] })
      return chain.send(chain.owner, { to: wallet, data })
    },
  }
}

const receive = {
  ReceiveWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

const nonceOf = (payoutId: Hex, token: Address) =>
  keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'address' }], [payoutId, token]))
