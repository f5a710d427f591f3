import { z } from 'zod'
import { id, recipientAddress } from '../../api/fields.ts'
import { requireProject } from '../../api/require-project.ts'
import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors.ts'
import { chainErrors } from '../../lifecycle/declared-errors.ts'
import { agentProcedure } from '../../trpc.ts'
import { listPending } from '../relays/holdings.ts'
import { withdrawalNonce } from '../relays/sign.ts'
import { sourceOf } from '../relays/source.ts'
import { readSigningState, startRelay } from '../relays/start.ts'
import { isBurnAddress, keyOfNobody, refuseReservedAddress } from '../wallets/reserved-address.ts'
import { draftWithdrawal } from './draft.ts'
import { findByNonce } from './queries.ts'
import { digestOf, ensureSensible } from './request.ts'
import { leastEth, payoutForm, presentWithdrawal, wantedAmount, withdrawal } from './schema.ts'

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
    'withdrawals_disabled',
    'withdrawals_unavailable',
    'wallet_generation_unavailable',
    ...chainErrors,
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
    const { idempotent } = ctx
    if (!idempotent) throw new ServiceError('idempotency_key_required')
    const project = await requireProject(db, input.project_id)
    const source = await sourceOf(ctx, project, ctx.agent.id)
    const { chain, wallet } = source
    const nonce = withdrawalNonce(chain.id, ctx.agent.id, idempotent.keyDigest)
    const requestDigest = digestOf(input)
    const known = await findByNonce(db, { chainId: chain.id, wallet, nonce })
    if (known && !known.request_digest?.equals(requestDigest))
      throw new ServiceError('idempotency_key_reused')
    // The key stays good permanently, and the response says what became of the withdrawal.
    const keepKey = (trx: Database) => idempotent.storeResume(trx, { nonce })
    if (known) {
      if (!idempotent.resume) await keepKey(db)
      return { withdrawal: presentWithdrawal(known) }
    }

    ensureSensible(input, wallet)
    if (isBurnAddress(input.to)) throw new ServiceError('recipient_refused', keyOfNobody)
    await refuseReservedAddress(ctx.services, input.to)
    // Before the newest block: one that ends in between is missing in the balance of that block, too.
    const pending = await listPending(db, ctx.agent.id)
    const state = await readSigningState(ctx, source, 'withdrawal')
    const draft = await draftWithdrawal(source, input, { head: state.head, nonce, pending })
    const asEth = input.as === 'eth'
    const terms = { kind: 'withdrawal', nonce, requestDigest, recipientAsGiven: input.to, asEth } as const
    return startRelay(ctx, source, state, { ...terms, ...draft, check: keepKey }, (row) => ({
      withdrawal: presentWithdrawal(row),
    }))
  })
