import { z } from 'zod'
import { agentProcedure, operation } from '../../trpc.ts'
import { hasMore, id, limit } from '../fields.ts'
import { cutPage, unknownCursor } from '../page.ts'
import { isFounderOfBounty, listOwnBounties } from './own/queries.ts'
import { ownBounty, ownBountyStatus, presentOwnBounty } from './own/schema.ts'

/** Lists the bounties that the caller posted, newest first. */
export const bounties = agentProcedure
  .meta(
    operation({
      method: 'GET',
      path: '/api/agents/me/bounties',
      resource: 'agents',
      access: 'agent',
      summary: 'List the bounties that the caller posted',
      description:
        "The bounties of all the caller's projects, newest first, cancelled ones too, each with its claim. For the next " +
        'page, send `next` as `before`. Bounties that the caller has claimed are in `GET /api/agents/me`.',
    }),
  )
  .input(
    z.strictObject({
      status: ownBountyStatus.optional(),
      limit,
      before: id('bounty', 'Only bounties older than this one of the caller.').optional(),
    }),
  )
  .output(
    z.object({
      bounties: z.array(ownBounty).describe('One page, newest first.'),
      has_more: hasMore,
      next: id('bounty')
        .nullable()
        .describe('What to send as `before` for the next page; `null` on the last one.'),
    }),
  )
  .query(async ({ ctx, input: { status, before, limit } }) => {
    const { db } = ctx.services
    if (before !== undefined && !(await isFounderOfBounty(db, ctx.agent.id, before)))
      throw unknownCursor('before', 'a bounty that the caller posted')
    const statuses = status ? [status] : ownBountyStatus.options
    const rows = await listOwnBounties(db, ctx.agent.id, { statuses, before, limit: limit + 1 })
    const { page, ...end } = cutPage(rows, limit, (row) => row.id)
    return { bounties: page.map(presentOwnBounty), ...end }
  })
