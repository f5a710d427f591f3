import { type Address, type Hex, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type ConnectedChain, connectChain } from '../../chain/chain.ts'
import { hasCode, summary } from '../../chain/deploy/sender.ts'
import { finalityOf } from '../../chain/finality.ts'
import { type Config, ConfigError } from '../../config/config.ts'
import type { Database } from '../../db/client.ts'
import { type Embedded, fundAccount } from '../../embedded/index.ts'
import { readTag } from './block-tag.ts'
import { ensureContracts, withoutRole } from './contracts.ts'
import { nodeClient, servedChain } from './nodes.ts'

/** The least balance of an operator key of the embedded chain after the start. */
const embeddedGasBalance = parseEther('1000')

/** The nodes of a chain and the keys that send there. */
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
  context: { db: Database; embedded: Embedded | undefined; report: (line: string) => void },
  { rpcUrls, keys }: ChainSource,
): Promise<ConnectedChain> {
  const { embedded, report } = context
  const [firstKey] = keys
  const operators = keys.map((key) => privateKeyToAccount(key))
  const { chainId, rpcUrl } = await servedChain(rpcUrls, config.CHAIN_ID, report)
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
  if (given && !(await hasCode(nodeClient(rpcUrl), given)))
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
  const tag = await readTag(chain.client, finalityOf(config, chain.id))
  if (tag.state === 'unknown') throw new ConfigError(`setting FINALITY: ${tag.why}`)
  const refused = await withoutRole(chain)
  if (refused.length > 0)
    throw new ConfigError(refused.map((text) => ({ setting: 'OPERATOR_PRIVATE_KEYS', text })))
  report(`Chain ${chain.id} (${chain.name}), platform wallet ${chain.platformWallet}`)
  return chain
}

async function keepFunded(rpcUrl: string, address: Address): Promise<void> {
  const balance = await nodeClient(rpcUrl).getBalance({ address })
  if (balance < embeddedGasBalance) await fundAccount(rpcUrl, address, embeddedGasBalance)
}
