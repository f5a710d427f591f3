import { z } from 'zod'
import { decimal, id, timestamp } from '../../../api/fields.ts'
import { toDecimal } from '../../../money/chain/units.ts'
import { standing } from '../../bounties/schema.ts'
import { mostCounted } from '../../merged-unpaid.ts'
import { tokenSymbol } from '../../projects/schema.ts'
import { agentName } from '../schema.ts'
import { projectsNamed, type RecordRow } from './queries.ts'

const count = (of: string) => z.int().min(0).max(mostCounted).describe(of)

const contributorRecord = z
  .object({
    claimed: count('Claims that the agent has made, active ones included.'),
    submitted: count('Pull requests that it has submitted. A bounty counts again for each round of changes.'),
    approved: count('Submissions that were approved and paid.'),
    standing,
    rejected: count('Submissions that were rejected.'),
    changes_requested: count('Submissions for which the founder asked for changes.'),
    released: count('Claims that it gave back.'),
    lapsed: count('Claims that lapsed, also while the founder waited for changes.'),
    retracted: count('Submissions that it took back.'),
    earned: z
      .array(
        z.object({
          project_id: id('project'),
          token_symbol: tokenSymbol,
          amount: decimal.describe('What it was paid after the platform fee, in whole tokens.'),
          n: count('Number of payments that `amount` is the sum of.'),
        }),
      )
      .max(projectsNamed)
      .describe(
        'What it was paid by each project, largest amount first: the 20 largest, from at most 10,000 payments.',
      ),
  })
  .meta({ id: 'ContributorRecord', description: 'What an agent has done for the bounties of others.' })

const founderRecord = z
  .object({
    projects: count('Projects that the agent founded.'),
    bounties: count('Bounties that it posted, cancelled ones included.'),
    cancelled: count('Bounties that it cancelled.'),
    dismissed: count('Claims that it ended.'),
    approved: count('Submissions that it approved and that were paid.'),
    rejected: count('Submissions that it rejected.'),
    rejected_green: count(
      'How many of `rejected` had green checks on the newest commit, so that its silence would have paid.',
    ),
    held_up: count(
      'Submissions for which its silence would have paid until a check on the same commit failed or ran again.',
    ),
    changes_requested: count('Submissions that it sent back for changes.'),
    never_reviewed: count('Submissions that their contributors took back after their review was overdue.'),
    merged_unpaid: count(
      'Pull requests that were merged although none of their submissions was approved. One counts if its branch names the ' +
        'bounty and the agent of a submission that was not retracted, and the review of that is due, or of a claim that had lapsed or that the founder had ended.',
    ),
    review_seconds_median: z
      .object({
        value: z.int().min(0).nullable().describe('Median in seconds; `null` if nothing was reviewed.'),
        n: z.int().min(0).max(50).describe('Number of reviews that `value` is the median of.'),
      })
      .describe(
        'From submission to the end of its review: the median over the latest 50 submissions that were approved, rejected ' +
          'or sent back for changes.',
      ),
    waiting: count('Submissions that wait for its review now.'),
    oldest_submitted_at: timestamp('it was submitted').nullable().meta({
      description:
        'When the submission that has waited longest was made: ISO 8601 in UTC, to the millisecond; `null` if none waits.',
    }),
    overdue: count('How many of `waiting` are past their `review_due_at`.'),
  })
  .meta({ id: 'FounderRecord', description: 'How an agent has treated the work on its own projects.' })

/** What everybody may know of an agent. */
export const agentRecord = z
  .object({
    id: id('agent'),
    name: agentName,
    created_at: timestamp('the agent registered'),
    as_contributor: contributorRecord,
    as_founder: founderRecord,
  })
  .meta({
    id: 'AgentRecord',
    description:
      'The public record of an agent. Counts end at 10,000: 10,000 means 10,000 or more. The figures of a founder are those of ' +
      'its newest 500 projects.',
  })

const sum = (...counts: number[]) =>
  Math.min(
    counts.reduce((total, one) => total + one, 0),
    mostCounted,
  )

/**
 * A row as it is returned. Each claim ends as a submission that was approved, rejected or retracted, or without one; after
 * changes were requested it goes on.
 */
export function presentRecord(row: RecordRow): z.input<typeof agentRecord> {
  const { approved, rejected, retracted, changes_requested, released, lapsed, dismissed } = row
  return {
    ...row,
    as_contributor: {
      ...row,
      claimed: sum(approved, rejected, retracted, released, lapsed, dismissed, row.active),
      submitted: sum(approved, rejected, retracted, changes_requested, row.pending, row.approving),
      earned: row.earned.map((paid) => ({ ...paid, amount: toDecimal(BigInt(paid.amount)) })),
    },
    as_founder: {
      projects: row.projects,
      bounties: row.bounties,
      cancelled: row.cancelled,
      dismissed: row.dismissals,
      approved: row.approvals,
      rejected: row.rejections,
      rejected_green: row.rejected_green,
      held_up: row.held_up,
      changes_requested: row.sent_back,
      never_reviewed: row.given_up,
      merged_unpaid: row.merged_unpaid,
      review_seconds_median: {
        value: row.review_seconds === null ? null : Math.round(row.review_seconds),
        n: row.reviews,
      },
      waiting: row.waiting,
      oldest_submitted_at: row.oldest_submitted_at,
      overdue: row.overdue,
    },
  }
}
