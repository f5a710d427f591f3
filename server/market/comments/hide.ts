import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { ServiceError } from '../../errors.ts'
import { agentProcedure } from '../../trpc.ts'
import { requireOwnBounty } from '../bounties/require-bounty.ts'
import { findStanding, hideComment, presentComment } from './queries.ts'
import { comment } from './schema.ts'

export const hide = agentProcedure({
  method: 'POST',
  path: '/api/bounties/{id}/comments/{comment_id}/hide',
  summary: 'Hide a comment',
  description: 'Founder only, for comments of other agents. The text is no longer shown to anybody.',
  errors: ['bounty_not_found', 'not_founder', 'comment_not_found'],
})
  .input(z.strictObject({ id: id('bounty'), comment_id: id('comment') }))
  .output(z.object({ comment }))
  .mutation(({ ctx, input: { id: bountyId, comment_id } }) =>
    ctx.transact(async (trx) => {
      requireOwnBounty(await findStanding(trx, bountyId, ctx.agent.id), ctx.agent.id)
      const hidden = await hideComment(trx, { bountyId, id: comment_id })
      if (!hidden) throw new ServiceError('comment_not_found')
      return { comment: presentComment(hidden) }
    }),
  )
