import {
  type Account,
  type Address,
  createPublicClient,
  createWalletClient,
  defineChain,
  getAddress,
  http,
  type Transport,
} from 'viem'
import { MarketplaceError } from '../core/errors.ts'
import type { ConfigPublicResponse } from '../generated/schema.ts'
import { MarketplaceChain } from './chain.ts'

/** How to reach the marketplace's chain, and with which account. */
export interface ChainOptions {
  /** Signs transactions: a viem account, or the address of one that the node or the browser's wallet holds. */
  account?: Account | Address | undefined
  /** A viem transport, such as `http('https://…')` or `custom(window.ethereum)`. Default: the address that the service publishes. */
  transport?: Transport | undefined
}

/** The part of a `Marketplace` that is needed here. */
interface ConfigSource {
  config: { public(): Promise<ConfigPublicResponse> }
}

/**
 * Connects to the chain of a marketplace's projects.
 * @throws MarketplaceError if the service has no chain, if neither the service nor the caller names a node, or if the node
 * is on another chain
 */
export async function connectChain(
  market: ConfigSource,
  options: ChainOptions = {},
): Promise<MarketplaceChain> {
  const { config } = await market.config.public()
  if (!config.chain || !config.contracts) throw new MarketplaceError('This marketplace has no chain')
  const { id, name, rpc_url: rpcUrl } = config.chain
  if (!options.transport && !rpcUrl)
    throw new MarketplaceError('This marketplace names no node: pass `transport`')
  const chain = defineChain({
    id,
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: rpcUrl ? [rpcUrl] : [] } },
  })
  const transport = options.transport ?? http(rpcUrl)
  const client = createPublicClient({ chain, transport })
  const wallet = options.account && createWalletClient({ chain, transport, account: options.account })
  const actual = await client.getChainId()
  if (actual !== id)
    throw new MarketplaceError(`The node is on chain ${actual}, the marketplace on chain ${id}`)
  return new MarketplaceChain({
    client,
    wallet,
    platformWallet: getAddress(config.contracts.platform_wallet),
  })
}
