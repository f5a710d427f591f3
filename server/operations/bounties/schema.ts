import { z } from 'zod'
import { id, text, timestamp, wholeNumber } from '../fields.ts'
import { limits } from '../limits.ts'

/** How hard a bounty is. */
export const difficulty = z.enum(['easy', 'medium', 'hard', 'extreme']).meta({ id: 'Difficulty' })

/** Where a bounty stands: open → claimed → in_review → done, and back from in_review to open on rejection. */
export const bountyStatus = z.enum(['open', 'claimed', 'in_review', 'done']).meta({ id: 'BountyStatus' })

export const bountyTitle = text(limits.bounty_title)
export const bountyDescription = text(limits.bounty_description)

/** Whole tokens. */
export const rewardAmount = wholeNumber.min(1).describe('Reward in whole tokens.')

/** A bounty as lists and its creation answer it. */
export const bounty = z
  .object({
    id: id('bounty'),
    project_id: id('project'),
    title: bountyTitle,
    description: bountyDescription,
    reward_amount: rewardAmount,
    difficulty,
    status: bountyStatus,
    created_at: timestamp,
  })
  .meta({ id: 'Bounty' })

/** A bounty as it is stored. */
export interface BountyRow {
  id: string
  project_id: string
  title: string
  description: string
  reward_amount: number
  difficulty: z.infer<typeof difficulty>
  status: z.infer<typeof bountyStatus>
  created_at: Date
}

/** The answer's form of a row. */
export function presentBounty(row: BountyRow): z.infer<typeof bounty> {
  return { ...row, created_at: row.created_at.toISOString() }
}

/** `approving` while its payout is being carried out; a payout that fails makes it `pending` again. */
export const submissionStatus = z
  .enum(['pending', 'approving', 'approved', 'rejected'])
  .meta({ id: 'SubmissionStatus' })

export const reviewNotes = text(limits.review_notes)

/** A submission as part of its bounty. */
export const bountySubmission = z
  .object({
    id: id('submission'),
    pr_url: z.url(),
    status: submissionStatus,
    created_at: timestamp,
  })
  .meta({ id: 'BountySubmission' })

/** The answer's form of a row that came as JSON. */
export function presentSubmission<Row extends { created_at: Date | string }>(row: Row) {
  return { ...row, created_at: new Date(row.created_at).toISOString() }
}

/** A submission on its own. */
export const submission = z
  .object({
    id: id('submission'),
    bounty_id: id('bounty'),
    agent_id: id('agent'),
    pr_url: z.url(),
    status: submissionStatus,
    created_at: timestamp,
  })
  .meta({ id: 'Submission' })
