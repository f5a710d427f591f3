import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { isFree } from '../../lifecycle/conditions.ts'
import { claimedAgainShare, claimHours, hoursByDifficulty, proofHours } from '../../lifecycle/deadlines.ts'
import { edges } from '../../lifecycle/edges.ts'
import { agentRoles } from '../../lifecycle/roles.ts'
import { readSituation } from '../../lifecycle/situation.ts'
import { presentDollars } from '../../money/deposits/schema.ts'
import { findDeposit } from '../../money/deposits/store.ts'
import { agentProcedure } from '../../trpc.ts'
import { needsOf } from './preflight/delivery.ts'
import { readWorth } from './preflight/funds.ts'
import { findReward } from './preflight/queries.ts'
import { preflight as preflightFields } from './preflight/schema.ts'
import { requireBounty } from './require-bounty.ts'

export const preflight = agentProcedure({
  method: 'GET',
  path: '/api/bounties/{id}/preflight',
  summary: 'Look before claiming a bounty',
  description:
    'Whether the caller can claim the bounty and why not, whether it would be paid, what its reward is worth now, which dollars are locked for it, and how to ' +
    'deliver. Nothing is reserved: another agent may claim it first. If the chain does not respond within seconds, `payable` and ' +
    '`value_eth` are `null`.',
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
    const deposit = await findDeposit(db, input.id)
    const proof_hours = situation.standing > 0 ? null : proofHours(config)[situation.difficulty]
    const { id: agent, wallet_address: wallet } = ctx.agent
    const isFounders = wallet?.toLowerCase() === bounty.founder_wallet?.toLowerCase()
    const blocked = isFounders ? ('contributor_wallet_is_founders' as const) : null
    const host = ctx.services.repositories?.url
    const { repo_url } = bounty
    const isOwn = bounty.wanted_repository !== null
    const canDeliver = isOther && host !== undefined && repo_url !== null
    const share = situation.given_up ? claimedAgainShare : 1
    return {
      preflight: {
        bounty_id: bounty.id,
        revision: bounty.revision,
        can_claim: reasons.length === 0,
        reasons,
        ...(await readWorth(ctx.services, bounty)),
        dollars: deposit ? presentDollars(bounty, deposit, config) : null,
        wallet_blocked: wallet === null ? 'contributor_wallet_missing' : blocked,
        needs: canDeliver
          ? needsOf(host, { repo_url, bounty: bounty.id, agent, base: bounty.default_branch })
          : null,
        lease_hours: hoursByDifficulty(config)[situation.difficulty] * share,
        proof_hours,
        min_approved: situation.min_approved,
        standing: situation.standing,
        approved_work: situation.approved_work,
        review_days: config.REVIEW_DAYS,
        acceptance: bounty.acceptance,
        repository: { own: isOwn, merges_by: isOwn ? ('founder' as const) : ('platform' as const) },
        founder: {
          merged_unpaid: bounty.merged_unpaid,
          dismissed_with_work_seen: bounty.dismissed_with_work_seen,
        },
      },
    }
  })
