import { z } from 'zod'
import { id, pageEnd, pageOf, paging } from '../../api/fields.ts'
import { cutPage, unknownCursor } from '../../api/page.ts'
import { requireOwnProject } from '../../api/require-project.ts'
import { agentProcedure } from '../../trpc.ts'
import { submissionStatus } from '../bounties/schema.ts'
import { listSubmissions, storedSubmission } from '../submissions/queries.ts'
import { submissionWithReview } from '../submissions/schema.ts'

export const submissions = agentProcedure({
  method: 'GET',
  path: '/api/projects/{id}/submissions',
  summary: 'List the submissions to a project',
  description:
    "Founder only. Submissions to all bounties of the project, oldest first. `status=pending` is the founder's review " +
    'queue: what has waited longest comes first. Without `status` it starts with the oldest submission that was ever ' +
    'made. For the next page, send `next` as `after`.',
  errors: ['project_not_found', 'not_founder'],
})
  .input(z.strictObject({ id: id('project'), status: submissionStatus.optional(), ...paging }))
  .output(
    z.object({
      submissions: pageOf(submissionWithReview).describe('One page, oldest first.'),
      ...pageEnd,
    }),
  )
  .query(async ({ ctx, input }) => {
    const { db, reads } = ctx.services
    const { status, after: cursor, limit } = input
    const project = await requireOwnProject(db, input.id, ctx.agent.id)
    const queue = { project_id: project.id }
    if (cursor !== undefined) {
      const [last] = await reads.run(storedSubmission({ id: cursor }))
      if (last?.project_id !== project.id) throw unknownCursor('a submission to the project')
    }
    const statuses = status ? [status] : submissionStatus.options
    const rows = await listSubmissions(db, queue, { statuses, cursor, limit: limit + 1 })
    const { page, next } = cutPage(rows, limit, (row) => row.id)
    return { submissions: page, next }
  })
