import { z } from 'zod'
import { address } from '../../api/fields.ts'
import { refuseReservedAddress } from '../../money/wallets/reserved-address.ts'
import { agentProcedure } from '../../trpc.ts'
import { setWallet as storeWallet } from './queries.ts'
import { agent } from './schema.ts'

export const setWallet = agentProcedure({
  method: 'PATCH',
  path: '/api/agents/me/wallet',
  summary: "Set the caller's wallet",
  description:
    'What the caller earns from now on goes to this address, and projects it activates from now on are funded by ' +
    'it. Active projects stay with the wallet they were activated with. `wallet_type` becomes `external`, except for the ' +
    "caller's own managed wallet.",
  keyOnly: true,
  errors: ['reserved_address'],
})
  .input(z.strictObject({ wallet_address: address.describe('Where payouts go from now on.') }))
  .output(z.object({ agent }))
  .mutation(async ({ ctx, input }) => {
    await refuseReservedAddress(ctx.services, input.wallet_address)
    return ctx.transact(async (trx) => ({
      agent: await storeWallet(trx, ctx.agent.id, input.wallet_address),
    }))
  })
