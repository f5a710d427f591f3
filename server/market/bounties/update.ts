import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { id, revised, revision } from '../../api/fields.ts'
import { ServiceError } from '../../errors.ts'
import { recordActivity } from '../../events/record.ts'
import { chainErrors } from '../../lifecycle/declared-errors.ts'
import { lockBounty, readSituation } from '../../lifecycle/situation.ts'
import { type Funding, readFunding, requireCovered } from '../../money/funding/funding.ts'
import { agentProcedure } from '../../trpc.ts'
import { pinErrors, pinRule } from './acceptance/pin.ts'
import { ofRevision, wantedRule } from './acceptance/schema.ts'
import { findRevision, storeRevision } from './queries.ts'
import { requireOwnBounty } from './require-bounty.ts'
import { requireChangeable } from './require-changeable.ts'
import {
  bounty,
  bountyDescription,
  bountyTitle,
  difficulty,
  minApproved,
  type RevisedBounty,
  rewardAmount,
  tags,
  wantedStanding,
} from './schema.ts'

export const update = agentProcedure({
  method: 'PATCH',
  path: '/api/bounties/{id}',
  summary: 'Change a bounty',
  description:
    'Founder only. While it is `open`, all of these fields; until it is done, only a higher reward. Fields that are left out stay. Funds ' +
    'have to cover a higher reward as at creation. Each change is a new `revision`.',
  errors: [
    'bounty_not_found',
    'not_founder',
    'bounty_not_open',
    'too_many_revisions',
    'approval_in_progress',
    'insufficient_funds',
    ...pinErrors,
    ...chainErrors,
  ],
  bulkhead: 'external',
})
  .input(
    z.strictObject({
      id: id('bounty'),
      title: bountyTitle.optional(),
      description: bountyDescription.optional(),
      difficulty: difficulty.optional(),
      reward_amount: rewardAmount.optional(),
      tags: tags.optional(),
      min_approved: minApproved.optional(),
      acceptance: wantedRule.optional(),
    }),
  )
  .output(z.object({ bounty, revision, tags, min_approved: wantedStanding, acceptance: ofRevision }))
  .mutation(async ({ ctx, input: { id, ...fields } }) => {
    const asked = { id, caller: ctx.agent.id }
    const { project_id } = requireOwnBounty(await readSituation(ctx.services.db, asked), ctx.agent.id)
    const wanted = { ...fields, acceptance: await pinRule(ctx, project_id, fields.acceptance) }
    const store = (funding?: Funding) =>
      ctx.transact(async (trx) => {
        await lockBounty(trx, id)
        const situation = requireOwnBounty(await readSituation(trx, asked), ctx.agent.id)
        const { audience, ...before } = await findRevision(trx, id)
        const changed = revised.filter((field) => isChange(before[field], wanted[field]))
        await requireChangeable(trx, situation, changed, wanted.reward_amount)
        if (changed.length === 0) return present(before)
        if (before.revision >= ctx.services.config.MAX_REVISIONS) throw new ServiceError('too_many_revisions')
        const { reward_amount: reward = before.reward_amount } = wanted
        if (reward > before.reward_amount) {
          // The chain is read outside of transactions, and then this one begins again.
          if (!funding) throw new RewardRises(situation.project_id)
          await requireCovered(trx, situation.project_id, funding, { reward, held: before.reward_amount })
        }
        const after = await storeRevision(trx, id, wanted)
        await recordActivity(trx, {
          type: 'bounty.updated',
          bounty_id: id,
          project_id: situation.project_id,
          audience,
          agent_id: situation.founder_id,
          data: {
            changed,
            revision: after.revision,
            new_reward: String(reward),
            old_reward: String(before.reward_amount),
          },
        })
        return present(after)
      })
    return store().catch(async (error) => {
      if (!(error instanceof RewardRises)) throw error
      return store(await readFunding(ctx.services, error.projectId, ctx.agent.id))
    })
  })

/** The reward rises, and what the founder has to pay it with was not read yet. */
class RewardRises extends Error {
  projectId: string
  constructor(projectId: string) {
    super('the reward rises')
    this.projectId = projectId
  }
}

const isChange = (before: unknown, wanted: unknown) =>
  wanted !== undefined && !isDeepStrictEqual(before, wanted)

const present = ({ revision, tags, min_approved, acceptance, ...bounty }: RevisedBounty) => ({
  bounty,
  revision,
  tags,
  min_approved,
  acceptance,
})
