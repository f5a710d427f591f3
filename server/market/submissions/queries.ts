import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { z } from 'zod'
import type { Database } from '../../db/client.ts'
import type { DB, Submissions } from '../../db/generated/tables.ts'
import { prepared } from '../../db/prepared.ts'
import { ServiceError } from '../../errors.ts'
import type { acceptanceBlocks } from '../../events/acceptance-blocks.ts'
import { reviewDueAt, reviewIsOverdue } from '../../lifecycle/deadlines.ts'
import type { submissionStatus } from '../bounties/schema.ts'

/** How many submissions of the same pull request a response has. */
export const othersShown = 20
/** They are looked for among this many, so that a pull request that is submitted again and again costs no more. */
const othersRead = 1000

/** A submission with its review, as it is stored. */
export type SubmissionRow = Awaited<ReturnType<ReturnType<typeof withReview<object>>['execute']>>[number]

function withReview<Row>(rows: SelectQueryBuilder<DB, 'submissions', Row>) {
  return rows
    .select(['submissions.id', 'bounty_id', 'submissions.project_id', 'agent_id', 'pr_url'])
    .select(['submissions.status', 'submissions.created_at'])
    .select((row) => [
      sql<Date | null>`case when submissions.status <> 'retracted' then reviewed_at end`.as('reviewed_at'),
      // While a payout runs the notes may still be taken back with it.
      sql<string | null>`case when reviewed_at is not null then nullif(review_notes, '') end`.as(
        'review_notes',
      ),
      sql<Date | null>`case when reviewed_at is null then ${reviewDueAt} end`.as('review_due_at'),
      reviewIsOverdue.as('overdue'),
      'accepted_by',
      sql<
        (typeof acceptanceBlocks)[number] | null
      >`case submissions.status when 'pending' then acceptance_blocked end`.as('acceptance_blocked'),
      jsonArrayFrom(
        row
          .selectFrom(
            row
              .selectFrom('submissions as other')
              .whereRef('other.pr_url', '=', 'submissions.pr_url')
              .select(['id as submission_id', 'bounty_id', 'agent_id', 'status', 'created_at'])
              .limit(othersRead)
              .as('same'),
          )
          .select(['submission_id', 'same.bounty_id', 'same.agent_id', 'same.status'])
          .where(
            sql<boolean>`(same.bounty_id, same.agent_id) <> (submissions.bounty_id, submissions.agent_id)`,
          )
          // Copies that are submitted later never push out the original, nor the one that was paid.
          .orderBy(sql`same.status = 'approved'`, 'desc')
          .orderBy('same.created_at')
          .orderBy('submission_id')
          .limit(othersShown),
      ).as('other_submissions'),
    ])
}

/** A submission, and the repository of its project. */
export const storedSubmission = prepared((db, { id }: { id: string }) =>
  db
    .selectFrom('submissions')
    .innerJoin('projects', 'projects.id', 'submissions.project_id')
    .where('submissions.id', '=', id)
    .select(['bounty_id', 'agent_id', 'submissions.project_id', 'pr_url', 'head_sha', 'repo_url'])
    .select('submissions.created_at'),
)

/**
 * A submission, for its contributor and the founder of its project.
 * @throws ServiceError `submission_not_found`, `not_participant`
 */
export async function requireSubmission(db: Database, id: string, agentId: string) {
  const { founder_id, ...submission } = await withReview(db.selectFrom('submissions'))
    .innerJoin('projects', 'projects.id', 'submissions.project_id')
    .where('submissions.id', '=', id)
    .select('founder_id')
    .executeTakeFirstOrThrow(() => new ServiceError('submission_not_found'))
  if (![founder_id, submission.agent_id].includes(agentId)) throw new ServiceError('not_participant')
  return submission
}

/** Whose submissions to list: an agent's are listed newest first, a project's oldest first. */
export type ListedSubmissions = { agent_id: string } | { project_id: string }

function listOf(listed: ListedSubmissions) {
  return 'agent_id' in listed
    ? { owner: sql`agent_id = ${listed.agent_id}`, order: 'desc' as const, beyond: sql`<` }
    : { owner: sql`project_id = ${listed.project_id}`, order: 'asc' as const, beyond: sql`>` }
}

/**
 * One page of submissions; with `cursor` those that follow that submission. Each status is a range of one index, so that a
 * page costs the same however many submissions there are.
 */
export function listSubmissions(
  db: Database,
  listed: ListedSubmissions,
  page: { statuses: readonly z.infer<typeof submissionStatus>[]; cursor?: string | undefined; limit: number },
): Promise<SubmissionRow[]> {
  const { owner, order, beyond } = listOf(listed)
  const { statuses, cursor, limit } = page
  const rest: RawBuilder<unknown> =
    cursor === undefined
      ? sql``
      : sql`and (created_at, id) ${beyond} (select created_at, id from submissions where id = ${cursor})`
  const sorted = sql.raw(order)
  const rows = sql<Submissions>`(
    select found.* from unnest(${statuses}::text[]) as wanted (status) cross join lateral (
      select * from submissions where ${owner} and status = wanted.status ${rest}
      order by created_at ${sorted}, id ${sorted} limit ${limit}) found
    order by found.created_at ${sorted}, found.id ${sorted} limit ${limit})`
  return withReview(db.selectFrom(rows.as('submissions')))
    .orderBy('submissions.created_at', order)
    .orderBy('submissions.id', order)
    .execute()
}
