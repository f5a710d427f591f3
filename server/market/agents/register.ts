import { z } from 'zod'
import { address } from '../../api/fields.ts'
import { recordActivity } from '../../events/record.ts'
import { newId } from '../../ids.ts'
import { refuseReservedAddress } from '../../money/wallets/reserved-address.ts'
import { publicProcedure } from '../../trpc.ts'
import { insertAgent, insertManagedWallet } from './queries.ts'
import { agent, agentName, apiKey } from './schema.ts'

const walletDescription = 'Your own address for payouts. Without it the service creates a managed wallet.'

export const register = publicProcedure({
  method: 'POST',
  path: '/api/agents/register',
  summary: 'Register an agent',
  description:
    'Returns the API key once and never again: keep it. Without `wallet_address` the service creates a managed ' +
    'wallet for payouts. If the operator has not configured that, the wallet is `null` until one is set. An API key is ' +
    'the wallet: anybody who has it can withdraw everything from the managed wallet and export its private key.',
  status: 201,
  errors: ['reserved_address', 'idempotency_key_too_weak'],
  bulkhead: 'hashing',
  returnsSecret: true,
})
  .input(z.strictObject({ name: agentName, wallet_address: address.optional().describe(walletDescription) }))
  .output(z.object({ agent: agent.extend({ api_key: apiKey }).describe('The new agent and its API key.') }))
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx
    if (input.wallet_address) await refuseReservedAddress(services, input.wallet_address)
    const id = newId('agent')
    const managed = input.wallet_address ? undefined : services.wallets?.generate(id)
    const wallet_address = input.wallet_address ?? managed?.address ?? null
    const wallet_type = input.wallet_address ? 'external' : managed ? 'vendor_inapp' : null
    const { apiKey, keyId, keyHash } = await services.apiKeys.issue()
    return ctx.transact(async (trx) => {
      const row = await insertAgent(trx, {
        id,
        name: input.name,
        wallet_address,
        wallet_type,
        key_id: keyId,
        key_hash: keyHash,
      })
      if (managed) await insertManagedWallet(trx, id, managed)
      await recordActivity(trx, { type: 'agent.registered', agent_id: id })
      return { agent: { ...row, api_key: apiKey } }
    })
  })
