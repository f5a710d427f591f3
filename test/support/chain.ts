import {
  type Account,
  type Address,
  createTestClient,
  createWalletClient,
  type Hex,
  http,
  parseEther,
  publicActions,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { inject } from 'vitest'
import { deployContracts } from '../../server/chain/deploy.ts'

/** A chain with contracts of the test's own on it, so that tests sharing the node share nothing else. */
export interface TestChain {
  rpcUrl: string
  /** anvil's own methods and all reads. */
  node: ReturnType<typeof anvil>
  platformWallet: Address
  projectFactory: Address
  /** Owns the platform wallet: may pause it. */
  owner: Account
  treasury: Address
  operatorKeys: Hex[]
  /** A new account with 1,000 ETH. */
  fundedAccount(): Promise<Account & { privateKey: Hex }>
  /** Sends from `account` and waits until mined; throws where it reverts. */
  send(account: Account, call: { to: Address; data: Hex; value?: bigint }): Promise<Hex>
}

function anvil(rpcUrl: string) {
  const transport = http(rpcUrl, { retryCount: 0 })
  return createTestClient({ mode: 'anvil', chain: foundry, transport, cacheTime: 0 }).extend(publicActions)
}

/** The node of this worker. */
export function workerChainUrl(): string {
  const urls = inject('chainUrls')
  const url = urls[(Number(process.env.VITEST_POOL_ID) - 1) % urls.length]
  if (!url) throw new Error('no chain was started for this worker')
  return url
}

/** Deploys the contracts for an owner, a treasury and operators that nobody else has. */
export async function createTestChain(options: { operators?: number } = {}): Promise<TestChain> {
  const rpcUrl = workerChainUrl()
  const node = anvil(rpcUrl)
  const transport = http(rpcUrl, { retryCount: 0 })

  async function fundedAccount() {
    const privateKey = generatePrivateKey()
    const account = { ...privateKeyToAccount(privateKey), privateKey }
    await node.setBalance({ address: account.address, value: parseEther('1000') })
    return account
  }

  const owner = await fundedAccount()
  const treasury = privateKeyToAccount(generatePrivateKey()).address
  const operators = await Promise.all(Array.from({ length: options.operators ?? 1 }, fundedAccount))
  const { platformWallet, projectFactory } = await deployContracts({
    rpcUrl,
    deployerPrivateKey: owner.privateKey,
    owner: owner.address,
    treasury,
    operators: operators.map((operator) => operator.address),
  })
  return {
    rpcUrl,
    node,
    platformWallet,
    projectFactory,
    owner,
    treasury,
    operatorKeys: operators.map((operator) => operator.privateKey),
    fundedAccount,
    async send(account, call) {
      const wallet = createWalletClient({ account, chain: foundry, transport })
      const hash = await wallet.sendTransaction(call)
      const { status } = await node.waitForTransactionReceipt({ hash, pollingInterval: 20 })
      if (status !== 'success') throw new Error(`transaction ${hash} reverted`)
      return hash
    },
  }
}
