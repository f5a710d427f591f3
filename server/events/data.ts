import { z } from 'zod'
import {
  acceptedBy,
  address,
  checksState,
  commentRole,
  commitSha,
  decimal,
  dollars,
  id,
  revised,
  revision,
  timestamp,
  transactionHash,
} from '../api/fields.ts'
import { acceptanceBlocks } from './acceptance-blocks.ts'
import { acceptanceReason } from './acceptance-reasons.ts'

// The `data` of entries, by their type. The members stand in the order in which Postgres stores them, so responses keep their bytes.

export const projectActivated = z
  .object({
    repo_url: z.url().describe("Address of the project's repository."),
    curve_address: address.describe("Contract address of the project's bonding curve."),
    token_address: address.describe("Contract address of the project's token."),
  })
  .describe('What the activation created.')

export const submissionApproved = z
  .object({
    fee: decimal.describe('The platform fee, in whole tokens.'),
    net: decimal.describe('What the contributor received, in whole tokens.'),
    accepted_by: acceptedBy,
    contributor_tx_hash: transactionHash.describe('Transaction that paid the contributor.'),
    platform_fee_tx_hash: transactionHash.describe('Transaction that paid the platform fee: the same one.'),
  })
  .describe('What was paid.')

export const bountyUpdated = z
  .looseObject({
    changed: z.array(z.enum(revised)).max(revised.length).describe('The fields that have changed.'),
    revision,
    new_reward: decimal.describe('In whole tokens.'),
    old_reward: decimal.describe('In whole tokens.'),
  })
  .meta({ id: 'BountyChange', description: 'What has changed.' })

export const bountyFunded = z
  .object({
    amount: dollars.describe('What is locked, in dollars.'),
    tx_hash: transactionHash.describe('Transaction that locked it.'),
    revision,
    locked_until: timestamp('the lock ends: from then on it can only go back to the founder'),
  })
  .describe('The dollars that are locked.')

export const payoutConfirmed = z
  .object({
    dollars: z
      .object({
        fee: decimal.describe('The platform fee, in dollars.'),
        net: decimal.describe('What the contributor received, in dollars.'),
        gross: decimal.describe('What was locked for the bounty, in dollars: `net` and `fee`.'),
      })
      .optional()
      .describe('What was paid in dollars; absent where nothing was.'),
    tx_hash: transactionHash.describe('Transaction that paid.'),
  })
  .describe('What paid it.')

export const bountyRefunded = z
  .object({
    amount: decimal.describe('In dollars.'),
    tx_hash: transactionHash.describe('Transaction that returned them.'),
  })
  .describe('What went back.')

export const claimDismissed = z
  .looseObject({ review_notes: z.string().describe('Why, in the words of the founder.') })
  .describe('Why it ended.')

export const commentCreated = z
  .looseObject({ role: commentRole, comment_id: id('comment') })
  .meta({ id: 'CommentReference', description: 'Which comment it was.' })

export const acceptanceBlocked = z
  .looseObject({
    reason: z.enum(acceptanceBlocks).describe('Code of the error that an approval would return.'),
  })
  .describe('Why it cannot be paid yet.')

export const acceptanceStarted = z
  .object({
    head_sha: commitSha.describe('The commit that is paid then.'),
    accepts_at: timestamp('it is paid, unless the founder acts or something changes'),
  })
  .meta({ id: 'AcceptanceWindow', description: 'What silence pays for, and when.' })

export const acceptanceStopped = z
  .looseObject({
    reason: acceptanceReason,
    head_sha: commitSha.describe('The commit that it is about.'),
  })
  .describe('Why silence does not pay.')

/** Whether a pull request goes into the default branch. */
export const intoDefault = z
  .boolean()
  .describe('Whether it is to be merged into the default branch. What goes elsewhere cannot be approved.')

export const pullRequestChanged = z
  .object({
    draft: z.boolean().describe('Whether it is a draft.'),
    state: z.enum(['open', 'closed']).describe('`closed` also when it was merged.'),
    checks: checksState,
    pr_url: z.url().describe('Address of the pull request.'),
    head_sha: commitSha.describe('Its newest commit.'),
    into_default: intoDefault,
    merge_commit_sha: commitSha.nullable().describe('The commit that merged it; `null` if it is not merged.'),
  })
  .meta({ id: 'ChangedPullRequest', description: 'The pull request after the change.' })

export const withdrawal = z.object({ withdrawal_id: id('withdrawal') }).describe('Which withdrawal it was.')

export const allowance = z.object({ allowance_id: id('allowance') }).describe('Which change it was.')

export const keyRotated = z
  .object({ replaced_key_ends_at: timestamp('the replaced key stops working') })
  .describe('Until when the replaced key works.')

export const webhook = z.object({ webhook_id: id('webhook') }).describe('Which webhook it was.')
