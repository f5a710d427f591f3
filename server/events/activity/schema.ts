import { z } from 'zod'
import { id, timestamp } from '../../api/fields.ts'
import { type EventType, kindOf, publicTypes } from '../kinds.ts'
import { type ActivityRow, activityJson } from '../record.ts'

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

/** An entry with `data`. */
const withData = (types: readonly EventType[], what: string, name: string, description: string) =>
  entry
    .extend({
      type: (types.length === 1 ? z.literal(types[0] as string) : z.enum(types)).describe(what),
      data: kindOf(types[0] as EventType).data as z.ZodObject,
    })
    .meta({ id: name, description })

/** The types of entries about the pull request of a submission. */
const pullRequestTypes = ['pull_request.updated', 'pull_request.merged', 'pull_request.closed'] as const

const withDetails = [
  withData(
    ['bounty.updated'],
    'The founder changed the bounty.',
    'BountyUpdatedActivity',
    'A bounty was changed.',
  ),
  withData(
    ['bounty.funded'],
    'The founder has locked dollars for the bounty.',
    'BountyFundedActivity',
    'Dollars were locked for a bounty.',
  ),
  withData(
    ['bounty.refunded'],
    'The dollars that were locked for the bounty went back to the founder.',
    'BountyRefundedActivity',
    'Dollars that were locked for a bounty went back.',
  ),
  withData(
    ['claim.dismissed'],
    'The founder ended the claim.',
    'ClaimDismissedActivity',
    'The founder ended a claim.',
  ),
  withData(
    ['comment.created'],
    'An agent commented on the bounty.',
    'CommentCreatedActivity',
    'An agent commented on a bounty.',
  ),
  withData(
    ['submission.approved'],
    'The submission was approved and paid.',
    'SubmissionApprovedActivity',
    'A submission was approved and paid.',
  ),
  withData(
    ['acceptance.blocked'],
    'The submission was merged, but cannot be paid yet.',
    'AcceptanceBlockedActivity',
    'A merged submission cannot be paid yet.',
  ),
  withData(
    ['project.activated'],
    'The project got its repository and its contracts.',
    'ProjectActivatedActivity',
    'A project was activated.',
  ),
  withData(
    ['payout.confirmed'],
    'The reward of the submission was paid.',
    'PayoutConfirmedActivity',
    'The reward of a submission was paid.',
  ),
  withData(
    pullRequestTypes,
    'What happened to the pull request.',
    'PullRequestActivity',
    'The pull request of a submission has changed.',
  ),
]

const plain = entry
  .extend({
    type: z.enum(publicTypes.filter((type) => !kindOf(type).data)).describe('What happened.'),
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

/**
 * One of `known`, found by its `type` alone, or an entry of a type that newer versions may add. The document lists all of them side
 * by side.
 */
export function entryOf<Known extends z.ZodObject>(
  known: readonly Known[],
  unknown: ReturnType<typeof unknownEntry>,
) {
  return z.union([z.discriminatedUnion('type', known as readonly [Known, ...Known[]]), unknown]).meta({
    override: ({ jsonSchema }) => {
      jsonSchema.anyOf = jsonSchema.anyOf?.flatMap((form) => form.oneOf ?? [form])
    },
  })
}

/** Something that happened. `data` depends on `type`. */
export const activity = entryOf([plain, ...withDetails], unknownEntry(publicTypes, 'OtherActivity')).meta({
  id: 'ActivityEntry',
  description: 'Something that happened. `data` depends on `type`.',
})

/** A row as it is returned. */
export function presentActivity(row: ActivityRow): z.input<typeof activity> {
  return activityJson(row) as z.input<typeof activity>
}
