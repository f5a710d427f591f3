import { z } from 'zod'
import { id } from '../../api/fields.ts'
import type { Context } from '../../context.ts'
import { chainErrors } from '../../lifecycle/declared-errors.ts'
import { bountyCancelled } from '../../lifecycle/refusals.ts'
import { readSituation, type Situation } from '../../lifecycle/situation.ts'
import { fromDollars } from '../../money/chain/units.ts'
import { bountyDollars, presentDollars, toSign, wantedDollars } from '../../money/deposits/schema.ts'
import { findDeposit, isFree } from '../../money/deposits/store.ts'
import { depositOf, typedDataOf } from '../../money/deposits/terms.ts'
import { requireDollars } from '../../money/relays/source.ts'
import { readValidBefore } from '../../money/relays/start.ts'
import { isManagedWallet } from '../../money/wallets/managed-wallet.ts'
import { agentProcedure } from '../../trpc.ts'

export const ofBounty = agentProcedure({
  method: 'GET',
  path: '/api/bounties/{id}/dollars',
  summary: 'Get the dollars of a bounty',
  description:
    'What the founder has locked for the bounty, also after a cancellation. A founder whose project is funded by a wallet other than ' +
    'the managed one names an `amount` and gets in `to_sign` what that wallet has to sign, valid for 15 minutes.',
  errors: ['bounty_not_found', 'dollars_unavailable', ...chainErrors],
  bulkhead: 'external',
})
  .input(
    z.strictObject({
      id: id('bounty'),
      amount: wantedDollars.describe('Dollars that the caller wants to lock.').optional(),
    }),
  )
  .output(
    z.object({
      dollars: bountyDollars,
      to_sign: toSign
        .nullable()
        .describe(
          '`null` without `amount`, for others, for the managed wallet, and where nothing can be locked.',
        ),
    }),
  )
  .query(async ({ ctx, input }) => {
    const { db, config } = ctx.services
    const bounty = await readSituation(db, { id: input.id, caller: ctx.agent.id })
    const deposit = await findDeposit(db, bounty.id)
    // What was locked stays to be seen until it is back.
    if (bounty.status === 'cancelled' && !deposit) throw bountyCancelled()
    requireDollars(ctx)
    const isFundable = bounty.status === 'open' && isFree(deposit)
    const to_sign =
      input.amount !== undefined && isFundable ? await signable(ctx, bounty, input.amount) : null
    return { dollars: presentDollars(bounty, deposit, config), to_sign }
  })

/** What the founder's own wallet has to sign; null for others. */
async function signable(
  ctx: Context & { agent: { id: string } },
  { id, founder_id, founder_wallet, token_address }: Situation,
  amount: string,
): Promise<z.input<typeof toSign> | null> {
  const { chain, dollar } = requireDollars(ctx)
  if (founder_id !== ctx.agent.id || founder_wallet === null || token_address === null) return null
  if (await isManagedWallet(ctx.services.db, ctx.agent.id, founder_wallet)) return null
  const { nonce } = depositOf(chain, id, token_address)
  const validBefore = await readValidBefore(ctx, chain)
  const terms = { wallet: founder_wallet, amount: fromDollars(amount), nonce, validBefore }
  return typedDataOf({ chain, dollar }, terms)
}
