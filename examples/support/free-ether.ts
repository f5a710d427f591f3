import type { MarketplaceChain } from '@bounty-marketplace/sdk/chain'
import { type Address, parseEther, toHex } from 'viem'

/** The chain id of local development nodes, where ETH is free. */
export const developmentChain = 31337

/** How development nodes name themselves, and their command that sets a balance. */
const commands: [RegExp, string][] = [
  [/^anvil\//i, 'anvil_setBalance'],
  [/^HardhatNetwork\//i, 'hardhat_setBalance'],
]

/**
 * Sets the ETH of an address on a development chain, and does nothing on any other.
 * @returns whether it has
 * @throws Error where the node has no known command for that
 */
export async function giveEther(
  { client }: Pick<MarketplaceChain, 'client'>,
  address: Address,
  ether: string,
): Promise<boolean> {
  if (client.chain.id !== developmentChain) return false
  const version = String(await client.request({ method: 'web3_clientVersion' }))
  const [, method] = commands.find(([name]) => name.test(version)) ?? []
  if (!method)
    throw new Error(
      `${version} gives no ETH away: name a key that has some in FOUNDER_PRIVATE_KEY or BUYER_PRIVATE_KEY.`,
    )
  await client.request({ method: method as never, params: [address, toHex(parseEther(ether))] as never })
  return true
}
