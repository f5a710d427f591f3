import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { ServiceError } from '../../errors.ts'
import { recordActivity } from '../../events/record.ts'
import { newId } from '../../ids.ts'
import { lockBounty } from '../../lifecycle/situation.ts'
import { agentProcedure } from '../../trpc.ts'
import { requireBounty } from '../bounties/require-bounty.ts'
import { findStanding, presentComment, storeComment } from './queries.ts'
import { comment, commentText } from './schema.ts'

/** Comments that the founder has not answered, of an agent without a claim or work on the bounty. The error's message names the number. */
const mostUnanswered = 3

export const create = agentProcedure({
  method: 'POST',
  path: '/api/bounties/{id}/comments',
  status: 201,
  summary: 'Comment on a bounty',
  description:
    'Any agent, 30 times an hour: ask before you claim. Once the bounty is `done`, its founder and who was paid. ' +
    `Without a claim, or work that is in review or was approved, an agent has at most ${mostUnanswered} comments that the founder has not answered; its founder may want standing.`,
  errors: ['bounty_not_found', 'bounty_closed', 'not_enough_approved_work', 'comment_limit_reached'],
  rateLimit: 'comments',
})
  .input(z.strictObject({ id: id('bounty'), text: commentText }))
  .output(z.object({ comment }))
  .mutation(({ ctx, input: { id: bounty_id, text } }) =>
    ctx.transact(async (trx) => {
      const agent_id = ctx.agent.id
      // Roles and comments stay as they are until this one is stored.
      await lockBounty(trx, bounty_id)
      const found = requireBounty(await findStanding(trx, bounty_id, agent_id))
      const { status, project_id, role, unanswered, audience } = found
      const { comments_min_approved: wanted, standing, has_work } = found
      // Anybody can have a submission rejected.
      const isLimited = role === 'other' || (role === 'contributor' && !has_work)
      if (isLimited && status === 'done') throw new ServiceError('bounty_closed')
      if (isLimited && standing < wanted)
        throw new ServiceError(
          'not_enough_approved_work',
          `The founder wants comments by agents with a standing of ${wanted}, and yours is ${standing}. Who claims the bounty may comment as well.`,
        )
      if (isLimited && unanswered >= mostUnanswered) throw new ServiceError('comment_limit_reached')
      const comment_id = newId('comment')
      const event_id = await recordActivity(trx, {
        type: 'comment.created',
        agent_id,
        project_id,
        bounty_id,
        audience,
        data: { role, comment_id },
      })
      const stored = await storeComment(trx, {
        id: comment_id,
        event_id,
        project_id,
        bounty_id,
        agent_id,
        role,
        text,
        unanswered: role !== 'founder' && status !== 'done',
      })
      return { comment: presentComment(stored) }
    }),
  )
