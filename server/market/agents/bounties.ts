import { z } from 'zod'
import { pageEnd, pageOf, paging } from '../../api/fields.ts'
import { cutPage, unknownCursor } from '../../api/page.ts'
import { agentProcedure } from '../../trpc.ts'
import { bountyStatusOf } from '../bounties/queries.ts'
import { narrowing } from '../bounties/schema.ts'
import { listOwnBounties } from './own/queries.ts'
import { ownBounty, ownBountyStatus } from './own/schema.ts'

export const bounties = agentProcedure({
  method: 'GET',
  path: '/api/agents/me/bounties',
  summary: 'List the bounties that the caller posted',
  description:
    "The bounties of all the caller's projects, newest first, cancelled ones too, each with its claim. For the next " +
    'page, send `next` as `after`. Bounties that the caller has claimed are in `GET /api/agents/me`.',
})
  .input(z.strictObject({ status: ownBountyStatus.optional(), ...narrowing, ...paging }))
  .output(z.object({ bounties: pageOf(ownBounty).describe('One page, newest first.'), ...pageEnd }))
  .query(async ({ ctx, input: { status, limit, ...wanted } }) => {
    const { db, reads } = ctx.services
    const { after: before } = wanted
    if (before !== undefined) {
      const [last] = await reads.run(bountyStatusOf({ id: before }))
      if (last?.founder_id !== ctx.agent.id) throw unknownCursor('a bounty that the caller posted')
    }
    const statuses = status ? [status] : ownBountyStatus.options
    const rows = await listOwnBounties(db, ctx.agent.id, { ...wanted, before, statuses, limit: limit + 1 })
    const { page, next } = cutPage(rows, limit, (row) => row.id)
    return { bounties: page, next }
  })
