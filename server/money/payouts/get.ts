import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { ServiceError } from '../../errors.ts'
import { readerProcedure } from '../../trpc.ts'
import { findPayout, isSubmission } from './queries.ts'
import { payout, presentPayout } from './schema.ts'

export const get = readerProcedure({
  method: 'GET',
  path: '/api/submissions/{id}/payout',
  summary: 'Get the receipt of a submission',
  description:
    'What was paid for an approved submission, and the transaction, block and log index at which the chain shows the ' +
    'payment. If you doubt it, check the `Paid` event of the platform wallet there.',
  errors: ['submission_not_found', 'payout_not_found'],
})
  .input(z.strictObject({ id: id('submission') }))
  .output(z.object({ payout }))
  .query(async ({ ctx, input }) => {
    const { db } = ctx.services
    const row = await findPayout(db, input.id)
    if (row) return { payout: presentPayout(row) }
    throw new ServiceError((await isSubmission(db, input.id)) ? 'payout_not_found' : 'submission_not_found')
  })
