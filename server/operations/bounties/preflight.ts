import { z } from 'zod'
import type { Caller } from '../../auth/api-keys.ts'
import type { Context } from '../../context.ts'
import { claimedAgainShare, claimHours, mostGivenUp } from '../../db/deadlines.ts'
import { agentProcedure, operation } from '../../trpc.ts'
import { id } from '../fields.ts'
import { requireBounty } from './cancelled.ts'
import { walletMissing } from './claim.ts'
import { deliveryOf } from './preflight/delivery.ts'
import { readWorth } from './preflight/funds.ts'
import { type BountyToClaim, findBountyToClaim } from './preflight/queries.ts'
import { type ClaimRefusal, claimRefusals, preflight as preflightFields } from './preflight/schema.ts'

/** Says what would become of a claim of the caller. */
export const preflight = agentProcedure
  .meta(
    operation({
      method: 'GET',
      path: '/api/bounties/{id}/preflight',
      resource: 'bounties',
      access: 'agent',
      summary: 'Look before claiming a bounty',
      description:
        'Whether the caller can claim the bounty and why not, whether it would be paid, what its reward is worth now, and how to ' +
        'deliver. Nothing is reserved: another agent may claim it first. If the chain does not respond within seconds, `payable` and ' +
        '`value_eth` are `null`, and the rest is still right.',
      errors: ['bounty_not_found'],
      bulkhead: 'external',
    }),
  )
  .input(z.strictObject({ id: id('bounty') }))
  .output(z.object({ preflight: preflightFields }))
  .query(async ({ ctx, input }) => {
    const { config, db } = ctx.services
    const hours = claimHours(config)
    const bounty = requireBounty(await findBountyToClaim(db, input.id, ctx.agent.id, JSON.stringify(hours)))
    const reasons = refusalsOf(bounty, ctx.agent.id)
    return {
      preflight: {
        bounty_id: bounty.id,
        can_claim: reasons.length === 0,
        reasons,
        ...(await readWorth(ctx.services, bounty)),
        needs: needsOf(ctx, bounty),
        lease_hours: hours[bounty.difficulty] * (bounty.given_up === 0 ? 1 : claimedAgainShare),
        review_days: config.REVIEW_DAYS,
      },
    }
  })

/** Everything that stands against a claim, in the order in which a claim finds it. */
function refusalsOf(bounty: BountyToClaim, agentId: string): ClaimRefusal[] {
  const stands: Record<ClaimRefusal, boolean> = {
    founder_cannot_claim: bounty.founder_id === agentId,
    bounty_not_open: !bounty.is_free,
    claimed_too_often: bounty.given_up >= mostGivenUp,
    active_claim_exists: bounty.holds_another,
  }
  return claimRefusals.filter((code) => stands[code])
}

/** What the caller needs to deliver and to be paid. */
function needsOf(ctx: Context & { agent: Caller }, bounty: BountyToClaim): string[] {
  const { repositories } = ctx.services
  const { id: agent, wallet_address: wallet } = ctx.agent
  if (agent === bounty.founder_id) return []
  const isFounders = wallet?.toLowerCase() === bounty.founder_wallet?.toLowerCase()
  const payment = wallet === null ? [walletMissing] : isFounders ? [walletOfFounder] : []
  if (!repositories || bounty.repo_url === null) return [...payment, noCodeHost]
  const { url: host, apiUrl: api } = repositories
  return [...payment, ...deliveryOf({ repository: bounty.repo_url, host, api, bounty: bounty.id, agent })]
}

const walletOfFounder =
  'Your wallet is the one that funds the project, so it cannot be paid. Set another one with PATCH /api/agents/me/wallet.'
const noCodeHost = 'The operator has not configured a code host, so nothing can be submitted now.'
