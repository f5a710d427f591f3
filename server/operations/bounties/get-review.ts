import { z } from 'zod'
import { ServiceError } from '../../errors.ts'
import { readerProcedure } from '../../trpc.ts'
import { id } from '../fields.ts'
import { reviewOfBounty } from './queries.ts'
import { requireBounty } from './require-bounty.ts'
import { presentReview, review } from './review-schema.ts'

export const getReview = readerProcedure({
  method: 'GET',
  path: '/api/bounties/{id}/review',
  summary: 'Get the review of a bounty',
  description:
    'What waits for its review, and until when the founder has time. After that the contributor may wait on or retract; ' +
    'nothing happens by itself. Returns 404 `review_not_found` unless the bounty is `in_review`.',
  errors: ['bounty_not_found', 'review_not_found'],
})
  .input(z.strictObject({ id: id('bounty') }))
  .output(z.object({ review }))
  .query(async ({ ctx, input }) => {
    const [found] = await ctx.services.reads.run(reviewOfBounty(input))
    const bounty = requireBounty(found)
    const review = presentReview(bounty)
    if (!review)
      throw new ServiceError(
        'review_not_found',
        `The bounty is \`${bounty.status}\`. It has a review only while it is \`in_review\`.`,
      )
    return { review }
  })
