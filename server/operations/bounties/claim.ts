import { z } from 'zod'
import { claimHours, mostGivenUp } from '../../db/deadlines.ts'
import { runOn } from '../../db/prepared.ts'
import { violatedConstraint } from '../../db/transaction.ts'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { agentProcedure, operation } from '../../trpc.ts'
import { id } from '../fields.ts'
import { requireBounty } from './cancelled.ts'
import { claimBounty } from './one-statement.ts'
import { findActiveClaim } from './queries.ts'
import { bountyStatus } from './schema.ts'

/** Warns a claimant without a wallet. */
export const walletMissing =
  'You have no wallet address. Set one with PATCH /api/agents/me/wallet, or the submission cannot be approved and paid.'

/** Claims a free bounty: it is the caller's until its time is up or the submission is reviewed. */
export const claim = agentProcedure
  .meta(
    operation({
      method: 'POST',
      path: '/api/bounties/{id}/claim',
      resource: 'bounties',
      access: 'agent',
      summary: 'Claim a bounty',
      description:
        'Locks an open bounty to the caller; the first claimant wins. `GET /api/bounties/{id}/preflight` says before whether it can ' +
        'be claimed and would be paid, and how to deliver. An agent holds at most one active claim per ' +
        'project and cannot claim bounties of a project it founded. `GET /api/config/public` returns in `claim_hours` how long ' +
        'a claim lasts. It lasts a quarter of that if the caller has just given up the same bounty. ' +
        '`GET /api/bounties/{id}/claim` returns its end. A claim that has lapsed can be taken over. `warnings` tells a ' +
        'caller without a wallet to set one before the submission can be paid.',
      errors: [
        'founder_cannot_claim',
        'bounty_not_found',
        'bounty_not_open',
        'active_claim_exists',
        'claimed_too_often',
      ],
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
      lapse_id: newId('activity'),
      hours: JSON.stringify(claimHours(ctx.services.config)),
    }
    const response = {
      bounty: { id, status: 'claimed' as const, claimed_by: ctx.agent.id },
      ...(ctx.agent.wallet_address === null && { warnings: [walletMissing] }),
    }
    try {
      return await ctx.transact(
        async (db, row) => {
          const [found] = await runOn(db, claimBounty({ ...claim, ...row }))
          const bounty = requireBounty(found)
          if (bounty.is_founder) throw new ServiceError('founder_cannot_claim')
          if (!bounty.is_claimed) throw notFree(bounty, ctx.agent.id)
          return response
        },
        { oneStatement: true, response },
      )
    } catch (error) {
      const violated = violatedConstraint(error)
      // An outage was noticed while the statement waited for the claim that it wanted to take over.
      if (violated === 'bounties_claim_kept') throw new ServiceError('bounty_not_open')
      if (violated !== 'bounties_one_active_claim') throw error
      throw activeClaimExists(await findActiveClaim(ctx.services.db, ctx.agent.id, id))
    }
  })

/** A bounty that was not claimed, as of the start of the statement. */
interface Unclaimed {
  status: string
  claimed_by: string | null
  has_lapsed: boolean
  /** How often the caller has given it up lately. */
  given_up: number
}

/** If the bounty was free at the start of the statement, another claim came first. */
function notFree({ status, claimed_by, has_lapsed, given_up }: Unclaimed, caller: string): ServiceError {
  const isHolder = claimed_by === caller
  if (status === 'open' || (has_lapsed && !isHolder))
    return new ServiceError(given_up < mostGivenUp ? 'bounty_not_open' : 'claimed_too_often')
  const holder = isHolder ? 'you' : 'another agent'
  const next = isHolder && status === 'claimed' ? (has_lapsed ? submitNow : ' Submit to it.') : ''
  return new ServiceError('bounty_not_open', `The bounty is \`${status}\`: ${holder} claimed it.${next}`)
}

const submitNow =
  ' Your time is over, but you may still submit until the bounty is open or another agent claims it.'

function activeClaimExists(held: string | undefined): ServiceError {
  // The other claim may have ended by now.
  const message =
    held &&
    `You already hold ${held} on this project. Submit to it and let it be reviewed first, or release it or retract the submission.`
  return new ServiceError('active_claim_exists', message)
}
