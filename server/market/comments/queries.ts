import { sql } from 'kysely'
import type { z } from 'zod'
import type { Database } from '../../db/client.ts'
import { prepared } from '../../db/prepared.ts'
import { kindOf, typesOf } from '../../events/kinds.ts'
import { actorOf } from '../../events/record.ts'
import { audience } from '../../lifecycle/revisions.ts'
import { standingOf } from '../../lifecycle/standing.ts'
import type { comment } from './schema.ts'

type Role = z.infer<typeof comment>['role']

/** A bounty as an agent that comments on it sees it. */
export function findStanding(trx: Database, id: string, agentId: string) {
  return trx
    .selectFrom('bounties')
    .innerJoin('projects', 'projects.id', 'bounties.project_id')
    .where('bounties.id', '=', id)
    .select(['bounties.status', 'bounties.project_id', 'founder_id', 'comments_min_approved'])
    .select([
      sql<Role>`case when founder_id = ${agentId} then 'founder'
        when claimed_by = ${agentId} and bounties.status in ('claimed', 'in_review') then 'claimant'
        when exists (select from submissions where bounty_id = bounties.id and agent_id = ${agentId}) then 'contributor'
        else 'other' end`.as('role'),
      sql<number>`(select count(*)::int from comments
        where bounty_id = bounties.id and agent_id = ${agentId} and unanswered and role <> 'claimant')`.as(
        'unanswered',
      ),
      sql<boolean>`exists (select from submissions where bounty_id = bounties.id and agent_id = ${agentId}
        and submissions.status in ('pending', 'approving', 'approved'))`.as('has_work'),
      standingOf(agentId).as('standing'),
      audience.as('audience'),
    ])
    .executeTakeFirst()
}

/** Stores the standing that an agent without a claim or work on a bounty needs to comment on it. */
export async function storeCommenters(trx: Database, id: string, minApproved: number): Promise<void> {
  await trx.updateTable('bounties').set({ comments_min_approved: minApproved }).where('id', '=', id).execute()
}

/** A comment as it is stored. */
interface NewComment {
  id: string
  event_id: string
  project_id: string
  bounty_id: string
  agent_id: string
  role: Role
  text: string
  unanswered: boolean
}

/** Stores a comment. One of the founder answers all before it. */
export async function storeComment(trx: Database, stored: NewComment) {
  if (stored.role === 'founder')
    await trx
      .updateTable('comments')
      .set({ unanswered: false })
      .where('project_id', '=', stored.project_id)
      .where('bounty_id', '=', stored.bounty_id)
      .where('unanswered', '=', sql.lit(true))
      .execute()
  return trx.insertInto('comments').values(stored).returning(columns).executeTakeFirstOrThrow()
}

const columns = ['id', 'bounty_id', 'agent_id', 'role', 'text', 'hidden_at', 'created_at'] as const

/** Hides a comment of a bounty that its founder did not write; undefined if there is none. Hiding it again changes nothing. */
export function hideComment(trx: Database, { bountyId, id }: { bountyId: string; id: string }) {
  return trx
    .updateTable('comments')
    .set({ hidden_at: sql`coalesce(hidden_at, clock_timestamp())` })
    .where('id', '=', id)
    .where('bounty_id', '=', bountyId)
    .where('role', '<>', 'founder')
    .returning(columns)
    .executeTakeFirst()
}

type CommentRow = NonNullable<Awaited<ReturnType<typeof hideComment>>>

/** A comment as it is returned. */
export function presentComment({ hidden_at, text, ...row }: CommentRow): z.input<typeof comment> {
  const hidden = hidden_at !== null
  return { ...row, kind: 'comment', submission_id: null, text: hidden ? null : text, hidden, bar: false }
}

const spoken = sql.join(['comment.created', ...typesOf(({ words }) => words)].map(sql.lit))

/** Words of an event, a comment or not; null if it has none. Those of reviews and reasons are stored with what they are about. */
const words = sql<string | null>`coalesce(comments.text, activity.reason, activity.data ->> 'review_notes',
  nullif(submissions.review_notes, ''))`

/** The place in the log of a part of a conversation, and whose it is. */
export const placeOfPart = prepared((db, { part }: { part: string }) =>
  db
    .selectFrom('activity')
    .where('id', '=', sql<string>`coalesce((select event_id from comments where id = ${part}), ${part})`)
    .select(['seq', 'visibility', 'bounty_id']),
)

/**
 * The conversation about a bounty, in the order of the log: its comments, and the events that have words. Every step of a bounty
 * and every comment locks it, so no part comes late.
 */
export const conversation = prepared(
  (db, page: { id: string; after?: number | undefined; newest?: true | undefined; limit: number }) => {
    let query = db
      .selectFrom('activity')
      .leftJoin('comments', 'comments.event_id', 'activity.id')
      .leftJoin('submissions', 'submissions.id', 'activity.submission_id')
      .where('activity.visibility', '=', sql.lit('public' as const))
      .where('activity.bounty_id', '=', page.id)
      .where(sql<boolean>`activity.type in (${spoken})`)
      .where(words, 'is not', null)
      .select(['activity.id as event_id', 'activity.type', 'activity.submission_id', 'comments.role'])
      .select(['comments.id', 'comments.hidden_at', actorOf('activity'), words.as('text')])
      .select(sql<string>`activity.bounty_id`.as('bounty_id'))
      .select(
        sql<boolean>`coalesce(submissions.bar and activity.type = 'submission.rejected', false)`.as('bar'),
      )
      .select(sql<Date>`coalesce(comments.created_at, activity.created_at)`.as('created_at'))
    if (page.after !== undefined) query = query.where('seq', page.newest ? '<' : '>', page.after)
    return query.orderBy('seq', page.newest ? 'desc' : 'asc').limit(page.limit)
  },
)

type PartRow = NonNullable<ReturnType<typeof conversation>['row']>

/** A row of the conversation as it is returned. */
export function presentPart({ event_id, type, actor_id, ...row }: PartRow): z.input<typeof comment> {
  const { id, role, text, hidden_at, created_at, bounty_id, submission_id, bar } = row
  const said = { bounty_id, agent_id: actor_id ?? '', created_at }
  if (id && role) return presentComment({ id, ...said, role, text: text ?? '', hidden_at })
  const kind = type.split('.')[1] as Exclude<z.input<typeof comment>['kind'], 'comment'>
  const author = kindOf(type).words as Role
  return { id: event_id, kind, ...said, role: author, submission_id, text, hidden: false, bar }
}
