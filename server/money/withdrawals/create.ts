import { z } from 'zod'
import { id, recipientAddress } from '../../api/fields.ts'
import { requireProject } from '../../api/require-project.ts'
import { agentProcedure } from '../../trpc.ts'
import { sourceOf } from '../relays/source.ts'
import { relayErrors } from '../relays/start.ts'
import { leastEth, payoutForm, presentWithdrawal, wantedAmount, withdrawal } from './schema.ts'
import { withdraw } from './withdraw.ts'

export const create = agentProcedure({
  method: 'POST',
  path: '/api/agents/me/withdrawals',
  summary: 'Withdraw from the managed wallet',
  description:
    'Signs a transfer or a sale with the key of the managed wallet, also if the caller is paid to another wallet now. The ' +
    'service sends it and pays the gas. Returns at once: read the withdrawal until it is `confirmed` or `failed`. Once ' +
    '`failed`, nobody can make it any more; until then the service may still be sending it. One withdrawal of a token runs at ' +
    'a time. With the same Idempotency-Key it is never made twice. As `eth` a reward can be worth nothing: the curve pays ' +
    'only what buyers have put in. `withdrawals_per_day` of the public configuration limits withdrawals and changes of an ' +
    'allowance within 24 hours; the list of withdrawals says what is left. Anybody who has the API key can withdraw.',
  status: 201,
  keyOnly: true,
  errors: [
    'idempotency_key_required',
    'project_not_found',
    'token_not_deployed',
    'wallet_not_managed',
    'reserved_address',
    'insufficient_balance',
    'nothing_to_sell',
    'min_eth_not_met',
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
      project_id: id('project', 'The project whose token is withdrawn.'),
      amount: wantedAmount,
      to: recipientAddress.describe('Receives the tokens or the ETH.'),
      as: payoutForm,
      min_eth: leastEth.optional(),
    }),
  )
  .output(z.object({ withdrawal }))
  .mutation(async ({ ctx, input }) => {
    const { db } = ctx.services
    const findSource = async () => sourceOf(ctx, await requireProject(db, input.project_id), ctx.agent.id)
    return withdraw(ctx, findSource, input, (row) => ({ withdrawal: presentWithdrawal(row) }))
  })
