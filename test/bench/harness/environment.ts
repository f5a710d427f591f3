import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { fundAccount, startChain } from '../../../server/embedded/chain/local-chain.ts'
import { startGitHub } from '../../../server/embedded/github/github.ts'
import { deployContracts } from '../../../server/money/chain/deploy/deploy.ts'

export type BenchEnvironment = Awaited<ReturnType<typeof startEnvironment>>

const quiet = { info: () => undefined, warn: console.log }
const gasBalance = 10n ** 21n

/** A chain with the contracts and a code host, so that the server runs with everything configured. */
export async function startEnvironment(directory: string) {
  const token = randomUUID()
  const organization = 'bounty-marketplace'
  const [operator, ...spareOperatorKeys] = Array.from({ length: 5 }, generatePrivateKey) as [Hex, ...Hex[]]
  const [chain, github] = await Promise.all([
    startChain({ directory: join(directory, 'chain'), port: 0, log: quiet, persist: false, proxy: false }),
    startGitHub({
      directory: join(directory, 'github'),
      port: 0,
      git: false,
      organization,
      token,
      log: quiet,
    }),
  ])
  const address = privateKeyToAddress(operator)
  const operators = [operator, ...spareOperatorKeys].map(privateKeyToAddress)
  for (const each of operators) await fundAccount(chain.rpcUrl, each, gasBalance)
  const { platformWallet } = await deployContracts({
    rpcUrl: chain.rpcUrl,
    deployerPrivateKey: operator,
    owner: address,
    treasury: privateKeyToAddress(generatePrivateKey()),
    operators,
  })
  return {
    /** Keys of further operators. */
    spareOperatorKeys,
    /** Makes a repository on the code host and returns its address. */
    async createRepository(name: string) {
      const response = await fetch(`${github.apiUrl}/orgs/${organization}/repos`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      })
      if (response.status !== 201) throw new Error(`repository ${name}: ${await response.text()}`)
      return `${github.webUrl}/${organization}/${name}`
    },
    /** The settings that name them. */
    settings: {
      EMBEDDED: 'off',
      RATE_LIMITS: 'off',
      CHAIN_RPC_URL: chain.rpcUrl,
      OPERATOR_PRIVATE_KEYS: operator,
      PLATFORM_WALLET_ADDRESS: platformWallet,
      GITHUB_TOKEN: token,
      GITHUB_API_URL: github.apiUrl,
      GITHUB_ORGANIZATION: organization,
      WALLET_MASTER_KEY: randomUUID() + randomUUID(),
    },
    async stop() {
      await Promise.all([chain.stop(), github.stop()])
    },
  }
}
