import type { Address, Hex, PrivateKeyAccount } from 'viem'
import { giveDollars, localDollar } from '../../server/embedded/chain/dollar.ts'
import { platformWallet } from '../../server/money/chain/generated/contracts.ts'
import { payoutIdOf } from '../../server/money/chain/on-chain-ids.ts'
import type { TestMarket } from './market.ts'
import type { ActiveProject } from './scenarios.ts'

/** What tests of dollars do on a market. Amounts are base units. */
export function dollarsOn({ api, chain, ...market }: TestMarket) {
  const dollars = {
    /** A project whose founder has a managed wallet with 1,000 dollars. */
    async project(): Promise<ActiveProject> {
      const project = await market.activeProject()
      await giveDollars(chain.rpcUrl, project.founder.wallet_address as Address)
      return project
    },
    /** A project that a key of the founder's own funds, and that key. */
    async ownProject(): Promise<{ project: ActiveProject; owner: PrivateKeyAccount }> {
      const owner = (await chain.fundedAccount()) as unknown as PrivateKeyAccount
      await giveDollars(chain.rpcUrl, owner.address)
      const founder = await market.register({ wallet_address: owner.address })
      return { project: await market.activeProject({ founder }), owner }
    },
    lock: (bounty: { id: string; founder: { key: string } }, body: object = { amount: '20' }) =>
      api('POST', `/api/bounties/${bounty.id}/dollars`, { key: bounty.founder.key, body }),
    read: async (bounty: { id: string; founder: { key: string } }, amount?: string) =>
      (
        await api('GET', `/api/bounties/${bounty.id}/dollars${amount ? `?amount=${amount}` : ''}`, {
          key: bounty.founder.key,
        })
      ).body,
    /** Condition: the dollars of a bounty have this status. */
    is: (bounty: { id: string; founder: { key: string } }, status: string) => async () =>
      (await dollars.read(bounty)).dollars.status === status,
    /** What the founder's own wallet signs for a bounty, and what is sent with it. */
    async signed(
      bounty: { id: string; founder: { key: string } },
      owner: PrivateKeyAccount,
      amount = '20',
      change: object = {},
    ): Promise<{ amount: string; valid_before: number; signature: Hex }> {
      const { to_sign } = await dollars.read(bounty, amount)
      const message = { ...to_sign.message, ...change }
      const signature = await owner.signTypedData({ ...to_sign, message })
      return { amount, valid_before: Number(message.validBefore), signature }
    },
    balanceOf: (holder: string) => chain.balanceOf(localDollar, holder),
    /** What the platform wallet says is locked for a bounty. */
    slotOf: ({ id }: { id: string }) =>
      chain.node.readContract({
        abi: platformWallet.abi,
        address: chain.platformWallet,
        functionName: 'deposit',
        args: [payoutIdOf(31_337, id)],
      }),
  }
  return dollars
}
