import { z } from 'zod'
import { recipientAddress } from '../../api/fields.ts'
import { ServiceError } from '../../errors.ts'
import { dollarSource } from '../../money/relays/source.ts'
import { relayErrors } from '../../money/relays/start.ts'
import { findManagedWallet } from '../../money/wallets/managed-wallet.ts'
import { withdraw as withdrawFrom } from '../../money/withdrawals/withdraw.ts'
import { agentProcedure } from '../../trpc.ts'
import { dollarWithdrawal, presentDollarWithdrawal } from './schema.ts'

export const withdraw = agentProcedure({
  method: 'POST',
  path: '/api/agents/me/dollars/withdraw',
  summary: 'Withdraw dollars from the managed wallet',
  description:
    'As a withdrawal of tokens: the managed wallet signs, the service sends it and pays the gas, one runs at a time, and with the same ' +
    'Idempotency-Key it is never made twice. Returns at once: `GET /api/agents/me/dollars` says what became of it. Counts in ' +
    '`withdrawals_per_day`. Anybody who has the API key can withdraw.',
  status: 201,
  keyOnly: true,
  errors: [
    'idempotency_key_required',
    'wallet_not_managed',
    'dollars_unavailable',
    'reserved_address',
    'insufficient_balance',
    'recipient_refused',
    'withdrawal_in_progress',
    'withdrawal_limit_reached',
    ...relayErrors,
  ],
  bulkhead: 'external',
  requiresIdempotencyKey: true,
})
  .input(
    z.strictObject({
      amount: z
        .string()
        .regex(/^(all|(0|[1-9]\d{0,10})(\.\d{1,6})?)$/, 'must be a decimal string such as "12.50", or "all"')
        .refine((text) => text === 'all' || /[1-9]/.test(text), 'must be more than 0')
        .meta({ example: '12.50' })
        .describe('Dollars, or `all`.'),
      to: recipientAddress.describe('Receives the dollars.'),
    }),
  )
  .output(z.object({ withdrawal: dollarWithdrawal }))
  .mutation(async ({ ctx, input }) => {
    const findSource = async () => {
      const managed = await findManagedWallet(ctx.services.db, ctx.agent.id)
      if (!managed) throw new ServiceError('wallet_not_managed')
      return dollarSource(ctx, managed.address)
    }
    const request = { ...input, project_id: 'dollars', as: 'tokens' } as const
    return withdrawFrom(ctx, findSource, request, (row) => ({ withdrawal: presentDollarWithdrawal(row) }))
  })
