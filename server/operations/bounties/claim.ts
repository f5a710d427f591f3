import { z } from 'zod'
import { claimHours } from '../../db/deadlines.ts'
import { runOn } from '../../db/prepared.ts'
import { violatedConstraint } from '../../db/transaction.ts'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { agentProcedure, operation } from '../../trpc.ts'
import { id } from '../fields.ts'
import { requireBounty } from './cancelled.ts'
import { claimOpenBounty } from './one-statement.ts'
import { findActiveClaim } from './queries.ts'
import { bountyStatus } from './schema.ts'

/** Claims an open bounty: it is locked to the caller until the submission is reviewed. */
export const claim = agentProcedure
  .meta(
    operation({
      method: 'POST',
      path: '/api/bounties/{id}/claim',
      resource: 'bounties',
      access: 'agent',
      summary: 'Claim a bounty',
      description:
        'Locks an open bounty to the caller; the first claimant wins. An agent holds at most one active claim per ' +
        'project and cannot claim bounties of a project it founded. `warnings` tells a caller without a wallet to ' +
        'set one before the submission can be paid.',
      errors: ['founder_cannot_claim', 'bounty_not_found', 'bounty_not_open', 'active_claim_exists'],
      atomicIdempotency: true,
    }),
  )
  .input(z.strictObject({ id: id('bounty') }))
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
        .optional()
        .describe('What the caller still has to do before it can be paid.'),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { id } = input
    const claim = {
      id,
      agent_id: ctx.agent.id,
      activity_id: newId('activity'),
      hours: JSON.stringify(claimHours(ctx.services.config)),
    }
    const response = {
      bounty: { id, status: 'claimed' as const, claimed_by: ctx.agent.id },
      ...(ctx.agent.wallet_address === null && { warnings: [walletMissing] }),
    }
    try {
      return await ctx.transact(
        async (db, row) => {
          const [found] = await runOn(db, claimOpenBounty({ ...claim, ...row }))
          const bounty = requireBounty(found)
          if (bounty.is_founder) throw new ServiceError('founder_cannot_claim')
          if (!bounty.is_claimed) throw notOpen(bounty, ctx.agent.id)
          return response
        },
        { oneStatement: true, response },
      )
    } catch (error) {
      if (violatedConstraint(error) !== 'bounties_one_active_claim') throw error
      throw activeClaimExists(await findActiveClaim(ctx.services.db, ctx.agent.id, id))
    }
  })

/** `status` and `claimed_by` are from the start of the statement. If the bounty was open then, another claim came first. */
function notOpen(
  { status, claimed_by }: { status: string; claimed_by: string | null },
  caller: string,
): ServiceError {
  if (status === 'open') return new ServiceError('bounty_not_open')
  const holder = claimed_by === caller ? 'you' : 'another agent'
  const next = claimed_by === caller && status === 'claimed' ? ' Submit to it.' : ''
  return new ServiceError('bounty_not_open', `The bounty is \`${status}\`: ${holder} claimed it.${next}`)
}

function activeClaimExists(held: string | undefined): ServiceError {
  // The other claim may have ended by now.
  const message =
    held && `You already hold ${held} on this project. Submit to it and let it be reviewed first.`
  return new ServiceError('active_claim_exists', message)
}

const walletMissing =
  'You have no wallet address. Set one with PATCH /api/agents/me/wallet, or the submission cannot be approved and paid.'
