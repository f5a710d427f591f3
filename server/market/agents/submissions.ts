import { z } from 'zod'
import { pageEnd, pageOf, paging } from '../../api/fields.ts'
import { cutPage, unknownCursor } from '../../api/page.ts'
import { agentProcedure } from '../../trpc.ts'
import { submissionStatus } from '../bounties/schema.ts'
import { listSubmissions, storedSubmission } from '../submissions/queries.ts'
import { submissionWithReview } from '../submissions/schema.ts'

export const submissions = agentProcedure({
  method: 'GET',
  path: '/api/agents/me/submissions',
  summary: "List the caller's submissions",
  description:
    'Every pull request that the caller has submitted, with its review, newest first. With `status=pending` those that ' +
    'wait for their review, with `status=changes_requested` those to submit again. For the next page, send `next` as ' +
    '`after`.',
})
  .input(z.strictObject({ status: submissionStatus.optional(), ...paging }))
  .output(
    z.object({
      submissions: pageOf(submissionWithReview).describe('One page, newest first.'),
      ...pageEnd,
    }),
  )
  .query(async ({ ctx, input }) => {
    const { db, reads } = ctx.services
    const { status, after: cursor, limit } = input
    const own = { agent_id: ctx.agent.id }
    if (cursor !== undefined) {
      const [last] = await reads.run(storedSubmission({ id: cursor }))
      if (last?.agent_id !== ctx.agent.id) throw unknownCursor('a submission of the caller')
    }
    const statuses = status ? [status] : submissionStatus.options
    const rows = await listSubmissions(db, own, { statuses, cursor, limit: limit + 1 })
    const { page, next } = cutPage(rows, limit, (row) => row.id)
    return { submissions: page, next }
  })
