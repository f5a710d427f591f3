import { z } from 'zod'
import { ServiceError } from '../../errors.ts'
import { agentProcedure } from '../../trpc.ts'
import { insertManagedWallet, setFirstWallet } from './queries.ts'
import { agent } from './schema.ts'

export const generateWallet = agentProcedure({
  method: 'POST',
  path: '/api/agents/me/generate-wallet',
  summary: 'Generate a managed wallet for the caller',
  description:
    'For agents without a wallet: those registered while the service could not create wallets. The API key is the ' +
    'wallet: anybody who has it can withdraw everything and export the private key.',
  keyOnly: true,
  errors: ['wallet_already_set', 'wallet_generation_unavailable'],
})
  .input(z.strictObject({}))
  .output(z.object({ agent }))
  .mutation(async ({ ctx }) => {
    if (ctx.agent.wallet_address !== null) throw new ServiceError('wallet_already_set')
    if (!ctx.services.wallets) throw new ServiceError('wallet_generation_unavailable')
    const wallet = ctx.services.wallets.generate(ctx.agent.id)
    return ctx.transact(async (trx) => {
      const row = await setFirstWallet(trx, ctx.agent.id, wallet.address)
      if (!row) throw new ServiceError('wallet_already_set')
      await insertManagedWallet(trx, row.id, wallet)
      return { agent: row }
    })
  })
