import {
  type Account,
  type Address,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  parseEther,
  publicActions,
  toHex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { deployDollar, localDollar } from '../../server/embedded/chain/dollar.ts'
import { deployContracts } from '../../server/money/chain/deploy/deploy.ts'
import {
  bondingCurve,
  platformWallet as platformWalletContract,
  projectToken,
} from '../../server/money/chain/generated/contracts.ts'
import { noteSecret } from './evidence/write.ts'
import { receiptOf } from './receipt.ts'
import { sharedChain } from './shared/shared.ts'

/** The worker's chain with the test's own contracts, so that tests on one node share nothing else. */
export interface TestChain {
  rpcUrl: string
  /** anvil's own methods and all reads. */
  node: ReturnType<typeof anvil>
  platformWallet: Address
  projectFactory: Address
  tokenImplementation: Address
  curveImplementation: Address
  /** Owns the platform wallet: may pause it. */
  owner: Account & { privateKey: Hex }
  treasury: Address
  operatorKeys: Hex[]
  /** A new account with 1,000 ETH. */
  fundedAccount(): Promise<Account & { privateKey: Hex }>
  /** Sends from `account` and waits until mined; throws if it reverts. */
  send(account: Account, call: { to: Address; data: Hex; value?: bigint }): Promise<Hex>
  /** Buys exactly `amount` base units on a curve, for `to`; by default for the buyer. */
  buy(account: Account, curve: string, amount: bigint, to?: Address): Promise<Hex>
  /** Lets the platform wallet move `amount` base units. */
  approve(account: Account, token: string, amount: bigint): Promise<Hex>
  /** Base units that `holder` has of a token. */
  balanceOf(token: string, holder: string): Promise<bigint>
  /** Every payment that the platform wallet has made, oldest first. */
  payments(): Promise<{ payoutId: Hex; token: Address; to: Address }[]>
  /** Replaces the newest blocks with empty ones. Their transactions do not return to the mempool. */
  reorganise(depth: number): Promise<void>
  pause(): Promise<Hex>
  unpause(): Promise<Hex>
}

function anvil(rpcUrl: string) {
  const transport = http(rpcUrl, { retryCount: 0 })
  return createTestClient({ mode: 'anvil', chain: foundry, transport, cacheTime: 0 }).extend(publicActions)
}

/** Deploys the contracts with a new owner, treasury and operators, by default to the worker's node. */
export async function createTestChain(
  options: {
    operators?: number | undefined
    rpcUrl?: string | undefined
    dollars?: boolean | undefined
  } = {},
): Promise<TestChain> {
  const { rpcUrl = await sharedChain() } = options
  const node = anvil(rpcUrl)
  const transport = http(rpcUrl, { retryCount: 0 })

  async function fundedAccount() {
    const privateKey = generatePrivateKey()
    noteSecret('private key', privateKey)
    const account = { ...privateKeyToAccount(privateKey), privateKey }
    // anvil knows the command by this name, too.
    const params = [account.address, toHex(parseEther('1000'))]
    await node.request({ method: 'hardhat_setBalance' as never, params: params as never })
    return account
  }

  if (options.dollars !== false) await ensureDollar(rpcUrl)
  const owner = await fundedAccount()
  const treasury = privateKeyToAccount(generatePrivateKey()).address
  const operators = await Promise.all(Array.from({ length: options.operators ?? 1 }, fundedAccount))
  const deployment = await deployContracts({
    rpcUrl,
    deployerPrivateKey: owner.privateKey,
    owner: owner.address,
    treasury,
    operators: operators.map((operator) => operator.address),
    ...(options.dollars !== false && { dollar: localDollar }),
  })
  const { platformWallet, projectFactory, tokenImplementation, curveImplementation } = deployment
  const send: TestChain['send'] = async (account, call) => {
    const wallet = createWalletClient({ account, chain: foundry, transport })
    const hash = await wallet.sendTransaction(call)
    const { status } = await receiptOf(node, hash)
    if (status !== 'success') throw new Error(`transaction ${hash} reverted`)
    return hash
  }
  const wallet = { abi: platformWalletContract.abi }
  return {
    rpcUrl,
    node,
    platformWallet,
    projectFactory,
    tokenImplementation,
    curveImplementation,
    owner,
    treasury,
    operatorKeys: operators.map((operator) => operator.privateKey),
    fundedAccount,
    send,
    buy(account, curve, amount, to = account.address) {
      const args = [amount, everything, to, farAway] as const
      const data = encodeFunctionData({ abi: bondingCurve.abi, functionName: 'buy', args })
      return send(account, { to: curve as Address, data, value: parseEther('500') })
    },
    approve(account, token, amount) {
      const args = [platformWallet, amount] as const
      const data = encodeFunctionData({ abi: projectToken.abi, functionName: 'approve', args })
      return send(account, { to: token as Address, data })
    },
    balanceOf: (token, holder) =>
      node.readContract({
        abi: projectToken.abi,
        address: token as Address,
        functionName: 'balanceOf',
        args: [holder as Address],
      }),
    async payments() {
      const events = await node.getContractEvents({
        ...wallet,
        address: platformWallet,
        eventName: 'Paid',
        fromBlock: 'earliest',
        strict: true,
      })
      return events.map(({ args }) => args)
    },
    // viem types the method without its parameters.
    reorganise: (depth) => node.request({ method: 'anvil_reorg', params: [depth, []] } as never),
    pause: () =>
      send(owner, { to: platformWallet, data: encodeFunctionData({ ...wallet, functionName: 'pause' }) }),
    unpause: () =>
      send(owner, { to: platformWallet, data: encodeFunctionData({ ...wallet, functionName: 'unpause' }) }),
  }
}

let lastCoin: Promise<void> = Promise.resolve()

/** Makes the coin of a node, if no other market of this worker has made it: one at a time, because its issuer's nonces decide. */
function ensureDollar(rpcUrl: string): Promise<void> {
  lastCoin = lastCoin.catch(() => undefined).then(() => deployDollar(rpcUrl))
  return lastCoin
}

const everything = 2n ** 255n
const farAway = 2n ** 63n
