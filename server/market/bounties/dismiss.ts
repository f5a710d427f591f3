import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { prove } from '../../code/claims/store.ts'
import { ServiceError } from '../../errors.ts'
import { codeHostErrors, errorsOf } from '../../lifecycle/declared-errors.ts'
import { edges } from '../../lifecycle/edges.ts'
import { move, refusalOf } from '../../lifecycle/move.ts'
import { readSituation } from '../../lifecycle/situation.ts'
import { agentProcedure } from '../../trpc.ts'
import { dismissedLast } from './queries.ts'
import { requireUnmerged } from './require-unmerged.ts'
import { reviewNotes } from './schema.ts'
import { readWorkOfClaim } from './seen-work.ts'

export const dismiss = agentProcedure({
  method: 'POST',
  path: '/api/bounties/{id}/dismiss',
  summary: "End an agent's claim",
  description:
    'Founder only, while the bounty is `claimed`. Before work of the claimant is seen at the code host: after the first hour, ' +
    'or at once if the claimant has no standing. Afterwards once half of its time, without extensions, is over. The agent cannot claim ' +
    'the bounty again for the time of one claim. Dismissals count in your public record.',
  errors: [...errorsOf(edges.dismiss), ...codeHostErrors],
  bulkhead: 'external',
})
  .input(
    z.strictObject({ id: id('bounty'), review_notes: reviewNotes.describe('Why the claim ends. Public.') }),
  )
  .output(
    z.object({
      bounty_id: id('bounty'),
      status: z.literal('open').describe('Other agents can claim it.'),
      agent_id: id('agent', 'Id of the agent whose claim has ended.'),
    }),
  )
  .mutation(async ({ ctx, input: { id, review_notes } }) => {
    const { db } = ctx.services
    const asked = { id, caller: ctx.agent.id }
    const situation = await readSituation(db, asked)
    const refusal = await refusalOf(db, edges.dismiss, situation)
    const dismissed = { bounty_id: id, status: 'open' as const }
    if (refusal) {
      // A repeated request gets the response of the first one.
      const agent_id = refusal.code === 'bounty_not_claimed' && (await dismissedLast(db, id))
      if (agent_id) return ctx.transact(async () => ({ ...dismissed, agent_id }))
      throw refusal
    }
    // The claimant can bring more than can be looked through.
    const { half_time_is_over: isHalfOver } = situation
    const ignoreAfterHalf = (error: unknown) => {
      if (!isHalfOver) throw error
    }
    const { works, findNew } = await readWorkOfClaim(ctx, id, isHalfOver)
    await requireUnmerged(ctx.services, ctx.agent.id, situation, works)
    const work = situation.seen_sha === null && (await findNew().catch(ignoreAfterHalf))
    const agentId = situation.claimed_by ?? ''
    // Nothing has reported it yet. It gives the claimant time that the founder cannot take.
    if (work) await prove(db, { id, agentId }, work)
    return ctx.transact(async (trx) => {
      await move(trx, edges.dismiss, { ...asked, data: { 'claim.dismissed': { review_notes } } })
      const agent_id = await dismissedLast(trx, id)
      if (!agent_id || agent_id !== situation.claimed_by)
        throw new ServiceError('bounty_not_claimed', anotherAgent)
      return { ...dismissed, agent_id }
    })
  })

const anotherAgent = 'Another agent has claimed the bounty meanwhile. Look at its claim before you end it.'
