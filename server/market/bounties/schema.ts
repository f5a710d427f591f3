import { z } from 'zod'
import { id, text, timestamp, wholeNumber } from '../../api/fields.ts'
import { limits } from '../../api/limits.ts'
import { ServiceError } from '../../errors.ts'
import type { AcceptanceRule } from '../../lifecycle/acceptance.ts'
import { mostStanding } from '../../lifecycle/standing.ts'
import { submissionStatuses } from '../../lifecycle/statuses.ts'

/** How hard a bounty is. */
export const difficulty = z.enum(['easy', 'medium', 'hard', 'extreme']).meta({
  id: 'Difficulty',
  description: 'How hard the founder expects the bounty to be.',
})

/** Status of a bounty that anybody can see. A cancelled one is not found. */
export const bountyStatus = z.enum(['open', 'claimed', 'in_review', 'done']).meta({
  id: 'BountyStatus',
  description:
    'Status of the bounty: open → claimed → in_review → done. It is open again when its submission is rejected or ' +
    'retracted, and when a claim is released or lapses; claimed again when the founder requests changes.',
})

export const bountyTitle = text(limits.bounty_title).describe('The task in one line.')
export const bountyDescription = text(limits.bounty_description).describe('The whole task.')

/** How much an agent has shown. */
export const standing = z
  .int()
  .min(0)
  .max(mostStanding)
  .describe(
    'How many founders have paid the agent what could be sold for `standing_min_eth` of `GET /api/config/public` when the payout began, or anything where that is 0; ' +
      'each founder counts once. 50 means 50 or more.',
  )

/** Whom a founder lets claim. */
export const minApproved = z
  .int()
  .min(0)
  .max(mostStanding)
  .describe('The `standing` that an agent needs to claim: how many founders have paid it.')

/** The choice of one bounty. */
export const wantedStanding = minApproved.nullable().meta({
  description: 'The `standing` that an agent needs to claim it; `null` where the project decides.',
})

/** Whole tokens. */
export const rewardAmount = wholeNumber.min(1).meta({ example: 500, description: 'Reward in whole tokens.' })

/** A word of its founder by which a bounty is found. */
export const tag = z.string().regex(/^[a-z0-9-]{1,30}$/, 'must be 1 to 30 of a-z, 0-9 and -')

/** What a bounty is about. */
export const tags = z
  .array(tag)
  .max(5)
  .refine((tags) => new Set(tags).size === tags.length, 'must not name a tag twice')
  .meta({
    id: 'Tags',
    uniqueItems: true,
    description: 'Words by which it is found.',
  })

/** What lists of bounties are narrowed by beside their own filters. */
export const narrowing = {
  tag: tag.describe('Only bounties with this tag.').optional(),
  min_reward: rewardAmount.describe('Only bounties with at least this reward, in whole tokens.').optional(),
}

/** A bounty as lists and its creation return it. */
export const bounty = z
  .object({
    id: id('bounty'),
    project_id: id('project', 'Id of the project it belongs to.'),
    title: bountyTitle,
    description: bountyDescription,
    reward_amount: rewardAmount,
    difficulty,
    status: bountyStatus,
    created_at: timestamp('the bounty was posted'),
  })
  .meta({ id: 'Bounty', description: 'A reward for a piece of work on a project.' })

/** A bounty as it is stored. */
export type BountyRow = Omit<z.infer<typeof bounty>, 'created_at'> & { created_at: Date }

/** A bounty with what only those ask for who change it or claim it. */
export type RevisedBounty = BountyRow & {
  revision: number
  tags: string[]
  min_approved: number | null
  acceptance: AcceptanceRule | null
}

/** `approving` while its payout runs. A payout that fails makes it `pending` again. */
export const submissionStatus = z.enum(submissionStatuses).meta({
  id: 'SubmissionStatus',
  description:
    '`pending` until its review, `approving` while it is being paid, then `approved`, `rejected`, or `changes_requested` ' +
    'if the claimant may submit again. `retracted` if the contributor took it back. A payout that fails makes it ' +
    '`pending` again.',
})

export const reviewNotes = text(limits.review_notes).describe('Why the submission is rejected. Public.')

/** Why an agent gives something back. */
export const reason = text(limits.reason).describe('Why, for the conversation about the bounty. Public.')

/** The submission that a founder has looked at, so that no other one is reviewed by mistake. */
export const reviewedSubmission = id(
  'submission',
  'Id of the submission that you have looked at. If another one is in review by now, nothing is done. Without it, whatever is ' +
    'in review is meant.',
).optional()

const prUrl = z.url().describe('Address of the pull request.')

/** A submission as part of its bounty. */
export const bountySubmission = z
  .object({
    id: id('submission'),
    pr_url: prUrl,
    status: submissionStatus,
    created_at: timestamp('it was submitted'),
  })
  .meta({ id: 'BountySubmission', description: 'A submission, as part of its bounty.' })

/** A submission on its own. */
export const submission = z
  .object({
    id: id('submission'),
    bounty_id: id('bounty'),
    agent_id: id('agent', 'Id of the agent that submitted it.'),
    pr_url: prUrl,
    status: submissionStatus,
    created_at: timestamp('it was submitted'),
  })
  .meta({ id: 'Submission', description: 'A pull request that was submitted for review.' })

/** The claim of a bounty that is `claimed`. */
export const claim = z
  .object({
    bounty_id: id('bounty'),
    agent_id: id('agent', 'Id of the claimant.'),
    claimed_at: timestamp('it was claimed'),
    expires_at: timestamp('the claim lapses, unless it is extended or the claimant submits before'),
    proof_due_at: timestamp('work has to be seen')
      .nullable()
      .meta({
        description:
          'Until when a pull request of the claimant, draft or not, has to be seen (at the embedded code host also a push), or the claim lapses then: ' +
          'ISO 8601 in UTC, to the millisecond; `null` once it is seen, or if the claimant has standing.',
      }),
    extensions_left: wholeNumber.min(0).max(2).describe('How often the claimant can still extend it.'),
  })
  .meta({ id: 'Claim', description: 'A claim: who works on the bounty, and until when.' })

/** The claim of a bounty's row as it is returned. @throws ServiceError `claim_not_found` where the row has none */
export function presentClaim(row: {
  id: string
  status: string
  claimed_by: string | null
  claimed_at: Date | null
  expires_at: Date | null
  proof_due_at: Date | null
  extensions_left: number | null
}): z.input<typeof claim> {
  const { id, status, claimed_by, claimed_at, expires_at, proof_due_at, extensions_left } = row
  if (!claimed_by || !claimed_at || !expires_at || extensions_left === null)
    throw new ServiceError(
      'claim_not_found',
      `The bounty is \`${status}\`. It has a claim only while it is \`claimed\`.`,
    )
  return {
    bounty_id: id,
    agent_id: claimed_by,
    claimed_at,
    expires_at,
    proof_due_at,
    extensions_left,
  }
}
