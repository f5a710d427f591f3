import type { ActiveProject, Marketplace } from '@bounty-marketplace/sdk'
import { connectChain, parseTokens } from '@bounty-marketplace/sdk/chain'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { giveEther } from './free-ether.ts'

/** A third party buys tokens on the curve, with its own ETH: `BUYER_PRIVATE_KEY`, or a new key where ETH is free. */
export async function somebodyBuys(
  anyone: Marketplace,
  project: ActiveProject,
  tokens: number,
): Promise<void> {
  const account = privateKeyToAccount((process.env.BUYER_PRIVATE_KEY as Hex) || generatePrivateKey())
  const buyer = await connectChain(anyone, { account })
  if (!process.env.BUYER_PRIVATE_KEY) await giveEther(buyer, account.address, '100')
  await buyer.buy(project, parseTokens(tokens))
}
