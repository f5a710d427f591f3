import { type Address, createPublicClient, type Hex, http, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Chain, connectChain } from '../../chain/chain.ts'
import { deployContracts, predictDeployment } from '../../chain/deploy/deploy.ts'
import { summary } from '../../chain/deploy/sender.ts'
import { finalityOf } from '../../chain/finality.ts'
import { platformWallet as platformWalletContract } from '../../chain/generated/contracts.ts'
import { type Config, ConfigError } from '../../config/config.ts'
import type { Database } from '../../db/client.ts'
import { type Embedded, fundAccount } from '../../embedded/index.ts'
import { isLaneOpen } from '../../engines/transactions/lane-lease.ts'
import { askForTag } from './finality.ts'
import { contractParameters, hasCode, missingOnChain, servedChain } from './nodes.ts'
import { rememberedWallet, rememberWallet } from './queries.ts'

/** What an operator key of the embedded chain has at least when the service starts. */
const embeddedGasBalance = parseEther('1000')

/** Which chain it is and who sends there. */
export interface ChainSource {
  rpcUrls: string[]
  keys: [Hex, ...Hex[]]
}

/** The configured chain or the embedded one; undefined where there is none. */
export function chainSource(config: Config, embedded: Embedded | undefined): ChainSource | undefined {
  const rpcUrls = config.CHAIN_RPC_URL ?? (embedded?.chain && [embedded.chain.rpcUrl])
  const [first, ...others] = (config.OPERATOR_PRIVATE_KEYS ??
    embedded?.secrets.operatorPrivateKeys ??
    []) as Hex[]
  return rpcUrls && first ? { rpcUrls, keys: [first, ...others] } : undefined
}

/**
 * The configured chain, or the embedded one, with our contracts on it: deployed, adopted, and with every operator key
 * registered. Safe to repeat.
 * @throws ConfigError, DeploymentError, and what viem throws where a node does not answer
 */
export async function connectContracts(
  config: Config,
  context: { db: Database; embedded: Embedded | undefined; say: (line: string) => void },
  { rpcUrls, keys }: ChainSource,
): Promise<Chain> {
  const { embedded, say } = context
  const [firstKey] = keys
  const operators = keys.map((key) => privateKeyToAccount(key))
  const { chainId, rpcUrl } = await servedChain(rpcUrls, config.CHAIN_ID, say)
  const deployerPrivateKey =
    (config.DEPLOYER_PRIVATE_KEY as Hex | undefined) ??
    (embedded?.chain ? embedded.secrets.deployerPrivateKey : firstKey)
  if (embedded?.chain) {
    const { address } = privateKeyToAccount(deployerPrivateKey)
    for (const account of [address, ...operators.map((operator) => operator.address)])
      await keepFunded(embedded.chain.rpcUrl, account)
  }
  const addresses = operators.map(({ address }) => address)
  const given = config.PLATFORM_WALLET_ADDRESS
  if (given && !(await hasCode(rpcUrl, given)))
    throw new ConfigError(
      `setting PLATFORM_WALLET_ADDRESS: there is no contract at ${given} on chain ${chainId}`,
    )
  const platformWallet =
    given ??
    (await ensureContracts(config, { ...context, rpcUrl, chainId, deployerPrivateKey, operators: addresses }))
  const chain = await connectChain({
    name: config.CHAIN_NAME,
    chainId,
    rpcUrls,
    operators,
    platformWallet,
  }).catch((error) => {
    throw new ConfigError(
      given
        ? `setting PLATFORM_WALLET_ADDRESS: what is at ${given} does not answer as a platform wallet (${summary(error)})`
        : `setting CHAIN_RPC_URL: ${summary(error)}`,
      { cause: error },
    )
  })
  const tag = await askForTag(chain.client, finalityOf(config, chain.id))
  if (tag.state === 'unknown') throw new ConfigError(`setting FINALITY: ${tag.why}`)
  const strangers = await withoutRole(chain)
  if (strangers.length > 0)
    throw new ConfigError(strangers.map((text) => ({ setting: 'OPERATOR_PRIVATE_KEYS', text })))
  say(`Chain ${chain.id} (${chain.name}), platform wallet ${chain.platformWallet}`)
  return chain
}

/** A sentence for each operator key that the platform wallet would not obey. */
export async function withoutRole(chain: Chain): Promise<string[]> {
  const known = await Promise.all(
    chain.operators.map(({ address }) =>
      chain.client.readContract({
        abi: platformWalletContract.abi,
        address: chain.platformWallet,
        functionName: 'isOperator',
        args: [address],
      }),
    ),
  )
  return chain.operators
    .filter((_, index) => !known[index])
    .map(
      ({ address }) =>
        `${address} is no operator of the platform wallet ${chain.platformWallet}: ` +
        `its owner ${chain.owner} has to call setOperator(${address}, true)`,
    )
}

/** Deploys what is missing, adopts what is there, and keeps to the contracts this database has paid with before. */
async function ensureContracts(
  config: Config,
  context: {
    db: Database
    say: (line: string) => void
    rpcUrl: string
    chainId: number
    deployerPrivateKey: Hex
    operators: Address[]
  },
): Promise<Address> {
  const { db, say, rpcUrl, chainId, deployerPrivateKey, operators } = context
  const deployer = privateKeyToAccount(deployerPrivateKey).address
  const parameters = contractParameters(config, deployer)
  const remembered = await rememberedWallet(db, chainId)
  if (remembered && remembered !== predictDeployment(parameters).platformWallet) {
    // Another version or other settings would make new contracts, which could not pay what the old ones promised.
    if (await hasCode(rpcUrl, remembered)) return remembered
    say(`The platform wallet ${remembered} of this database is not on chain ${chainId}: making another`)
  }
  // A nonce taken from under a lane would look like a stranger's transaction and stop a payout.
  if (operators.includes(deployer) && (await isLaneOpen(db, chainId, deployer))) {
    const missing = await missingOnChain(rpcUrl, predictDeployment(parameters), operators)
    if (missing.length > 0)
      throw new ConfigError(
        `setting DEPLOYER_PRIVATE_KEY: needed, because ${missing.join(', ')}, and operator ${deployer} is busy paying`,
      )
  }
  const deployment = await deployContracts({
    ...parameters,
    rpcUrl,
    expectedChainId: chainId,
    deployerPrivateKey,
    operators,
    log: say,
  })
  await rememberWallet(db, chainId, deployment.platformWallet)
  return deployment.platformWallet
}

async function keepFunded(rpcUrl: string, address: Address): Promise<void> {
  const balance = await createPublicClient({ transport: http(rpcUrl) }).getBalance({ address })
  if (balance < embeddedGasBalance) await fundAccount(rpcUrl, address, embeddedGasBalance)
}
