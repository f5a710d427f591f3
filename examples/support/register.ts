import type { Marketplace } from '@bounty-marketplace/sdk'

/** An agent that has just been registered. Key and token are shown this once. */
export interface Registered {
  agent: Awaited<ReturnType<Marketplace['agents']['register']>>['agent']
  token: string
  /** With the `work` token, which can neither withdraw nor take over the wallet: for all that an agent's program does. */
  market: Marketplace
  /** With the API key, which is the wallet: for what a token may not do, such as a withdrawal. */
  withKey: Marketplace
}

/** Registers an agent and makes the `work` token that its program runs with. Without `wallet_address` the service makes a wallet. */
export async function register(
  anyone: Marketplace,
  name: string,
  wallet_address?: string,
): Promise<Registered> {
  const { agent } = await anyone.agents.register({ name, ...(wallet_address && { wallet_address }) })
  const withKey = anyone.withApiKey(agent.api_key)
  const { secret: token } = await withKey.agents.createToken({ scope: 'work', label: name })
  return { agent, token, market: anyone.withApiKey(token), withKey }
}
