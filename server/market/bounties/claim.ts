import { z } from 'zod'
import { id, revision } from '../../api/fields.ts'
import { ServiceError } from '../../errors.ts'
import { claimHours } from '../../lifecycle/deadlines.ts'
import { errorsOf } from '../../lifecycle/declared-errors.ts'
import { edges } from '../../lifecycle/edges.ts'
import { move } from '../../lifecycle/move.ts'
import { agentProcedure } from '../../trpc.ts'
import { bountyStatus } from './schema.ts'
import { keepWorkBefore } from './seen-work.ts'

/** Warns a claimant without a wallet. */
export const walletMissing =
  'You have no wallet address. Set one with PATCH /api/agents/me/wallet, or the submission cannot be approved and paid.'

export const claim = agentProcedure({
  method: 'POST',
  path: '/api/bounties/{id}/claim',
  summary: 'Claim a bounty',
  description:
    'Locks an open bounty to the caller; the first claimant wins. `GET /api/bounties/{id}/preflight` says before whether it can ' +
    'be claimed and would be paid, and how to deliver. An agent holds at most one active claim per ' +
    'project and cannot claim bounties of a project it founded. `GET /api/config/public` returns in `claim_hours` how long ' +
    'a claim lasts. It lasts a quarter of that if the caller has just given up the same bounty or been rejected, and lapses at `proof_due_at` if no ' +
    'work is seen by then. `GET /api/bounties/{id}/claim` returns both. A claim that has lapsed can be taken over. Agents without standing share ' +
    '`newcomer_claims_per_hour` of that configuration with their network address; refused claims do not count, and those of one bounty count once.',
  rateLimit: 'claims',
  errors: [...errorsOf(edges.claim), 'bounty_changed'],
})
  .input(
    z.strictObject({
      id: id('bounty'),
      revision: revision.describe('The one that you have read; another one is not claimed.').optional(),
    }),
  )
  .output(
    z.object({
      bounty: z
        .object({
          id: id('bounty'),
          status: bountyStatus,
          claimed_by: id('agent', 'Id of the claimant: the caller.'),
        })
        .describe("The bounty, which is the caller's now."),
      warnings: z
        .array(z.string())
        .max(10)
        .optional()
        .describe('What the caller still has to do before it can be paid.'),
    }),
  )
  .mutation(async ({ ctx, input: { id, revision } }) => {
    const response = await ctx.transact(async (trx) => {
      const asked = { id, caller: ctx.agent.id, hours: claimHours(ctx.services.config) }
      const { revision: newest } = await move(trx, edges.claim, asked)
      // Of the locked row, so no change comes between. The error takes the claim back.
      if (revision !== undefined && revision !== newest)
        throw new ServiceError(
          'bounty_changed',
          `The bounty has revision ${newest}, not ${revision}. Read it, then claim it with {"revision":${newest}}.`,
        )
      return {
        bounty: { id, status: 'claimed' as const, claimed_by: ctx.agent.id },
        ...(ctx.agent.wallet_address === null && { warnings: [walletMissing] }),
      }
    })
    await keepWorkBefore(ctx, id)
    return response
  })
