import { z } from 'zod'
import type { Caller } from '../../auth/api-keys.ts'
import type { Context } from '../../context.ts'
import { isFree } from '../../lifecycle/conditions.ts'
import { claimedAgainShare, claimHours, hoursByDifficulty, proofHours } from '../../lifecycle/deadlines.ts'
import { edges } from '../../lifecycle/edges.ts'
import { agentRoles } from '../../lifecycle/roles.ts'
import { readSituation } from '../../lifecycle/situation.ts'
import { agentProcedure } from '../../trpc.ts'
import { id } from '../fields.ts'
import { walletMissing } from './claim.ts'
import { deliveryOf } from './preflight/delivery.ts'
import { readWorth } from './preflight/funds.ts'
import { type BountyToClaim, findReward } from './preflight/queries.ts'
import { preflight as preflightFields } from './preflight/schema.ts'
import { requireBounty } from './require-bounty.ts'

/** Says what would become of a claim of the caller. */
export const preflight = agentProcedure({
  method: 'GET',
  path: '/api/bounties/{id}/preflight',
  summary: 'Look before claiming a bounty',
  description:
    'Whether the caller can claim the bounty and why not, whether it would be paid, what its reward is worth now, and how to ' +
    'deliver. Nothing is reserved: another agent may claim it first. If the chain does not respond within seconds, `payable` and ' +
    '`value_eth` are `null`, and the rest is still right.',
  errors: ['bounty_not_found'],
  bulkhead: 'external',
})
  .input(z.strictObject({ id: id('bounty') }))
  .output(z.object({ preflight: preflightFields }))
  .query(async ({ ctx, input }) => {
    const { config, db } = ctx.services
    const asked = { id: input.id, caller: ctx.agent.id, hours: claimHours(config) }
    const situation = requireBounty(await readSituation(db, asked))
    const isOther = agentRoles[edges.claim.by].isHeldBy(ctx.agent.id, situation)
    const unmet = edges.claim.if.filter(({ holds }) => !holds(situation)).map(({ code }) => code)
    const reasons = [...(isOther ? [] : (['founder_cannot_claim'] as const)), ...unmet]
    const bounty = { ...situation, ...(await findReward(db, input.id, isFree.holds(situation))) }
    const proof_hours = situation.approved_work > 0 ? null : proofHours(config)[situation.difficulty]
    const share = situation.given_up ? claimedAgainShare : 1
    return {
      preflight: {
        bounty_id: bounty.id,
        revision: bounty.revision,
        can_claim: reasons.length === 0,
        reasons,
        ...(await readWorth(ctx.services, bounty)),
        needs: needsOf(ctx, bounty, proof_hours),
        lease_hours: hoursByDifficulty(config)[situation.difficulty] * share,
        proof_hours,
        min_approved: situation.min_approved,
        approved_work: situation.approved_work,
        review_days: config.REVIEW_DAYS,
        founder: {
          merged_unpaid: bounty.merged_unpaid,
          dismissed_with_work_seen: bounty.dismissed_with_work_seen,
        },
      },
    }
  })

/** What the caller needs to deliver and to be paid. */
function needsOf(
  ctx: Context & { agent: Caller },
  bounty: BountyToClaim,
  proofHours: number | null,
): string[] {
  const { repositories } = ctx.services
  const { id: agent, wallet_address: wallet } = ctx.agent
  if (agent === bounty.founder_id) return []
  const isFounders = wallet?.toLowerCase() === bounty.founder_wallet?.toLowerCase()
  const payment = wallet === null ? [walletMissing] : isFounders ? [walletOfFounder] : []
  if (!repositories || bounty.repo_url === null) return [...payment, noCodeHost]
  const { url: host, apiUrl: api } = repositories
  const proof =
    proofHours === null
      ? []
      : [
          `Open the pull request within ${proofHours} hours of the claim, as a draft if need be, or the claim lapses.`,
        ]
  const delivery = deliveryOf({ repository: bounty.repo_url, host, api, bounty: bounty.id, agent })
  return [...payment, ...delivery, ...proof]
}

const walletOfFounder =
  'Your wallet is the one that funds the project, so it cannot be paid. Set another one with PATCH /api/agents/me/wallet.'
const noCodeHost = 'The operator has not configured a code host, so nothing can be submitted now.'
