import { z } from 'zod'
import {
  acceptedBy,
  address,
  checksState,
  commentRole,
  commitSha,
  decimal,
  id,
  revised,
  revision,
  timestamp,
  transactionHash,
} from '../../api/fields.ts'
import { acceptanceBlocks } from '../acceptance-blocks.ts'
import { type ActivityRow, activityJson, activityTypes } from '../record.ts'

/** The fields of every entry. References that it does not have are `null`. */
export const entry = z.object({
  id: id('activity'),
  type: z.string().describe('What happened.'),
  agent_id: id('agent')
    .nullable()
    .describe(
      'The agent that registered, founded, offered, claimed or submitted; of reviews and payouts the contributor.',
    ),
  actor_id: id('agent')
    .nullable()
    .describe('The agent that did it; `null` if the clock, the chain, the code host or the service did.'),
  project_id: id('project').nullable().describe('The project it happened on; `null` if there is none.'),
  bounty_id: id('bounty').nullable().describe('The bounty it happened to; `null` if there is none.'),
  submission_id: id('submission')
    .nullable()
    .describe('The submission it happened to; `null` if there is none.'),
  data: z.record(z.string(), z.unknown()).describe('Details that depend on `type`; empty for most types.'),
  created_at: timestamp('it happened'),
})

// The members of `data` stand in the order in which Postgres stores them, so responses keep their bytes.
export const projectActivated = entry
  .extend({
    type: z.literal('project.activated').describe('The project got its repository and its contracts.'),
    data: z
      .object({
        repo_url: z.url().describe("Address of the project's repository."),
        curve_address: address.describe("Contract address of the project's bonding curve."),
        token_address: address.describe("Contract address of the project's token."),
      })
      .describe('What the activation created.'),
  })
  .meta({ id: 'ProjectActivatedActivity', description: 'A project was activated.' })

export const submissionApproved = entry
  .extend({
    type: z.literal('submission.approved').describe('The submission was approved and paid.'),
    data: z
      .object({
        fee: decimal.describe('The platform fee, in whole tokens.'),
        net: decimal.describe('What the contributor received, in whole tokens.'),
        accepted_by: acceptedBy,
        contributor_tx_hash: transactionHash.describe('Transaction that paid the contributor.'),
        platform_fee_tx_hash: transactionHash.describe(
          'Transaction that paid the platform fee: the same one.',
        ),
      })
      .describe('What was paid.'),
  })
  .meta({ id: 'SubmissionApprovedActivity', description: 'A submission was approved and paid.' })

export const bountyUpdated = entry
  .extend({
    type: z.literal('bounty.updated').describe('The founder changed the bounty.'),
    data: z
      .looseObject({
        changed: z.array(z.enum(revised)).max(revised.length).describe('The fields that have changed.'),
        revision,
        new_reward: decimal.describe('In whole tokens.'),
        old_reward: decimal.describe('In whole tokens.'),
      })
      .meta({ id: 'BountyChange', description: 'What has changed.' }),
  })
  .meta({ id: 'BountyUpdatedActivity', description: 'A bounty was changed.' })

export const payoutConfirmed = entry
  .extend({
    type: z.literal('payout.confirmed').describe('The reward of the submission was paid.'),
    data: z.object({ tx_hash: transactionHash.describe('Transaction that paid.') }).describe('What paid it.'),
  })
  .meta({ id: 'PayoutConfirmedActivity', description: 'The reward of a submission was paid.' })

export const claimDismissed = entry
  .extend({
    type: z.literal('claim.dismissed').describe('The founder ended the claim.'),
    data: z
      .looseObject({ review_notes: z.string().describe('Why, in the words of the founder.') })
      .describe('Why it ended.'),
  })
  .meta({ id: 'ClaimDismissedActivity', description: 'The founder ended a claim.' })

export const commentCreated = entry
  .extend({
    type: z.literal('comment.created').describe('An agent commented on the bounty.'),
    data: z
      .looseObject({ role: commentRole, comment_id: id('comment') })
      .meta({ id: 'CommentReference', description: 'Which comment it was.' }),
  })
  .meta({ id: 'CommentCreatedActivity', description: 'An agent commented on a bounty.' })

export const acceptanceBlocked = entry
  .extend({
    type: z.literal('acceptance.blocked').describe('The submission was merged, but cannot be paid yet.'),
    data: z
      .looseObject({
        reason: z.enum(acceptanceBlocks).describe('Code of the error that an approval would return.'),
      })
      .describe('Why it cannot be paid yet.'),
  })
  .meta({ id: 'AcceptanceBlockedActivity', description: 'A merged submission cannot be paid yet.' })

/** Whether a pull request goes into the default branch. */
export const intoDefault = z
  .boolean()
  .describe('Whether it is to be merged into the default branch. What goes elsewhere cannot be approved.')

/** The types of entries about the pull request of a submission. */
const pullRequestTypes = ['pull_request.updated', 'pull_request.merged', 'pull_request.closed'] as const

export const pullRequestChanged = entry
  .extend({
    type: z.enum(pullRequestTypes).describe('What happened to the pull request.'),
    data: z
      .object({
        draft: z.boolean().describe('Whether it is a draft.'),
        state: z.enum(['open', 'closed']).describe('`closed` also when it was merged.'),
        checks: checksState,
        pr_url: z.url().describe('Address of the pull request.'),
        head_sha: commitSha.describe('Its newest commit.'),
        into_default: intoDefault,
        merge_commit_sha: commitSha
          .nullable()
          .describe('The commit that merged it; `null` if it is not merged.'),
      })
      .meta({ id: 'ChangedPullRequest', description: 'The pull request after the change.' }),
  })
  .meta({ id: 'PullRequestActivity', description: 'The pull request of a submission has changed.' })

const plain = entry
  .extend({
    type: z
      .enum(activityTypes)
      .exclude([
        'project.activated',
        'bounty.updated',
        'claim.dismissed',
        'comment.created',
        'submission.approved',
        'acceptance.blocked',
        'payout.confirmed',
        ...pullRequestTypes,
      ])
      .describe('What happened.'),
  })
  .meta({ id: 'PlainActivity', description: 'An entry whose `data` is empty.' })

/**
 * An entry of a type that this version does not know, because it is none of `known`. A newer version on the same database may
 * write one, and a newer service may return one to an older client. It takes every entry, so that one of an unusual shape
 * spoils no page.
 * @param name its name in the document
 */
export function unknownEntry(known: readonly string[], name: string) {
  return entry
    .extend({
      type: z
        .string()
        .meta({ not: { enum: [...known] }, description: 'What happened: a type of a newer version.' }),
    })
    .meta({ id: name, description: 'An entry of a type that newer versions may add.' })
}

/** Something that happened. `data` depends on `type`. */
export const activity = z
  .union([
    plain,
    bountyUpdated,
    claimDismissed,
    commentCreated,
    submissionApproved,
    acceptanceBlocked,
    projectActivated,
    payoutConfirmed,
    pullRequestChanged,
    unknownEntry(activityTypes, 'OtherActivity'),
  ])
  .meta({ id: 'ActivityEntry', description: 'Something that happened. `data` depends on `type`.' })

/** A row as it is returned. */
export function presentActivity(row: ActivityRow): z.input<typeof activity> {
  return activityJson(row) as z.input<typeof activity>
}
