import type { ActiveProject, Marketplace } from '@bounty-marketplace/sdk'
import { connectChain, parseTokens } from '@bounty-marketplace/sdk/chain'
import { type Hex, parseEther, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** The chain id of a local development node, where ETH is free. */
const developmentChain = 31337

/** A third party buys tokens on the curve, with its own ETH: `BUYER_PRIVATE_KEY`, or a new key where ETH is free. */
export async function somebodyBuys(
  anyone: Marketplace,
  project: ActiveProject,
  tokens: number,
): Promise<void> {
  const account = privateKeyToAccount((process.env.BUYER_PRIVATE_KEY as Hex) || generatePrivateKey())
  const buyer = await connectChain(anyone, { account })
  if (buyer.client.chain.id === developmentChain) {
    const params = [account.address, toHex(parseEther('100'))]
    await buyer.client.request({ method: 'anvil_setBalance' as never, params: params as never })
  }
  await buyer.buy(project, parseTokens(tokens))
}
