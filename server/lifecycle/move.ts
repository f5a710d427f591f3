import { type InsertObject, sql } from 'kysely'
import type { Database } from '../db/client.ts'
import type { DB, JsonObject } from '../db/generated/tables.ts'
import { violatedConstraint } from '../db/transaction.ts'
import { ServiceError } from '../errors.ts'
import { recordActivities } from '../events/record.ts'
import type { AcceptedBy } from './acceptance.ts'
import { claimExpiresAt, proofDueAt } from './deadlines.ts'
import { type Edge, type Given, type Recorded, whileLost } from './edges.ts'
import { roleRefusal } from './roles.ts'
import {
  lockBounty,
  type NothingPays,
  readSituation,
  type Situation,
  type SituationQuery,
} from './situation.ts'
import { type BountyStatus, endedUnpaid } from './statuses.ts'

/** What is to move, and what the request brings along. */
export interface MoveRequest extends SituationQuery {
  review_notes?: string | null | undefined
  accepted_by?: AcceptedBy | null
  /** For edges that pass the gate. */
  unpaid?: NothingPays | undefined
  /** The submission that the edge stores. */
  stores?: NewSubmission
  /** The newest commit of the caller's work. */
  head?: string | null | undefined
  /** Whether that work is accepted already. */
  is_accepted?: boolean
  /** Whether a rejection keeps the contributor from the bounty. */
  bar?: boolean | undefined
  data?: EntryData | undefined
  /** Why the caller does it, for the entries. */
  reason?: string | undefined
}

type NewSubmission = Omit<InsertObject<DB, 'submissions'>, 'status' | 'bounty_id' | 'project_id' | 'agent_id'>
/** Data of the entries that an edge records, by type. */
type EntryData = { [Type in Recorded | 'claim.dismissed']?: JsonObject }

/** A bounty that moves, as its locked row is. */
export interface Moving {
  id: string
  project_id: string
  /** Whom the entries are about: the contributor of the submission, else the agent that asks. */
  agent_id: string | null
  /** The submission that moves with it. */
  submission_id?: string
  /** Who has claimed it, for an edge that ends the claim. */
  claimed_by?: string | null
  /** The commit by which its work was seen last. */
  seen_sha?: string | null
  stores?: NewSubmission | undefined
  data?: EntryData | undefined
  reason?: string | undefined
}

/**
 * Moves one bounty along an edge, in the caller's transaction: locks it, reads what decides, refuses or writes, and records.
 * @returns what decided, with the bounty as it is now, and its submission where one moved with it
 * @throws ServiceError `bounty_not_found`; that of the role, of `otherwise`, or of the first condition that does not hold
 */
export async function move(trx: Database, edge: Edge, request: MoveRequest) {
  const { unpaid, stores, data, reason, is_accepted, head = null } = request
  const { review_notes = null, accepted_by = null, bar = false } = request
  const { id, caller, submission, hours } = request
  await lockBounty(trx, id)
  const situation = await readSituation(trx, { id, caller, submission, hours })
  const refusal = await refusalOf(trx, edge, { ...situation, unpaid, head, is_accepted })
  if (refusal) throw refusal
  const { review, given_up, standing } = situation
  const moving = {
    id: situation.id,
    project_id: situation.project_id,
    claimed_by: situation.claimed_by,
    seen_sha: situation.seen_sha,
    agent_id: review?.agent_id ?? caller ?? null,
    ...(review && { submission_id: review.id }),
    stores,
    data,
    reason,
  }
  const given = {
    caller: caller ?? null,
    hours: hours ?? '{}',
    given_up,
    standing,
    head,
    review_notes,
    accepted_by,
    bar,
  }
  try {
    const { bounties, submissions } = await moveAll(trx, edge, [moving], given)
    return { ...situation, ...bounties[0], submission: submissions[0] as (typeof submissions)[number] }
  } catch (error) {
    // Another request came first: the database keeps what the condition has read.
    const kept = edge.if?.find(({ keptBy }) => keptBy && keptBy === violatedConstraint(error))
    throw kept ? new ServiceError(kept.code) : error
  }
}

/** The error for a move that is not possible, or not for the caller; undefined if it is. */
export async function refusalOf(
  db: Database,
  edge: Edge,
  situation: Situation,
): Promise<ServiceError | undefined> {
  const ofRole = await roleRefusal(edge.by, situation, db)
  if (ofRole) return ofRole
  if (!startsFrom(edge, situation) && edge.otherwise) return edge.otherwise.error(situation, db)
  for (const { code, holds, refusal } of edge.if ?? [])
    if (!(await holds(situation, db))) return refusal?.(situation, db) ?? new ServiceError(code)
  return undefined
}

/** Whether bounty and submission are where the edge leads from, and the submission is the one that is meant. */
function startsFrom({ bounty, submission }: Edge, { status, review, meant }: Situation): boolean {
  if (!bounty[0].includes(status)) return false
  const from = submission?.[0] ?? null
  return from === null || (review?.status === from && review.id === (meant ?? review.id))
}

const noTime = { claim_expires_at: null, extensions_left: null, proof_due_at: null, look_at: null }
/** What each status of a bounty means for its other columns. Those of a claim are the edge's. */
const columnsAt = {
  open: { claimed_by: null, claimed_at: null, seen_sha: null, ...noTime },
  claimed: {},
  in_review: noTime,
  done: {},
  cancelled: {},
} as const satisfies Record<BountyStatus, object>

/**
 * Moves bounties along an edge whose conditions the caller has checked on the locked rows. Nothing else writes a status of a
 * bounty or of a submission.
 * @throws Error if one of them is not where the edge leads from
 */
export async function moveAll(trx: Database, edge: Edge, moving: Moving[], given: Partial<Given> = {}) {
  if (moving.length === 0) return { bounties: [], submissions: [] }
  const nothing = { caller: null, hours: '{}', given_up: 0, standing: 0 }
  const brought = { head: null, review_notes: null, accepted_by: null, bar: false }
  const values = { ...nothing, ...brought, ...given }
  const ended = await endClaims(trx, edge, moving)
  const submissions = await moveSubmissions(trx, edge, moving, values)
  const bounties = await moveBounties(trx, edge, moving, values)
  const entryOf = (one: Moving, type: Recorded, index: number) => ({
    type,
    bounty_id: one.id,
    project_id: one.project_id,
    agent_id: one.agent_id,
    submission_id: edge.submission && (one.submission_id ?? submissions[index]?.id),
    data: one.data?.[type],
    reason: one.reason,
  })
  const typesOf = ({ seen_sha }: Moving): readonly Recorded[] => [
    ...(edge.proves && seen_sha === null ? (['claim.proved'] as const) : []),
    ...(edge.records ?? []),
  ]
  const entries = moving.flatMap((one, index) => typesOf(one).map((type) => entryOf(one, type, index)))
  if (values.head) await keepHead(trx, moving, values.head)
  await recordActivities(trx, [...ended, ...entries])
  return { bounties, submissions }
}

/** Stores the claims that end, as the bounties still have them, and returns their entries. */
async function endClaims(trx: Database, { ends }: Edge, moving: Moving[]) {
  const held = moving.filter(({ claimed_by }) => claimed_by)
  if (!ends || held.length === 0) return []
  await trx
    .insertInto('ended_claims')
    .columns(['bounty_id', 'agent_id', 'claimed_at', 'work_seen', 'while_lost', 'ending'])
    .expression((eb) =>
      eb
        .selectFrom('bounties')
        .where('id', 'in', idsOf(held))
        .select(['id', sql<string>`claimed_by`.as('agent_id'), sql<Date>`claimed_at`.as('claimed_at')])
        .select([sql<boolean>`seen_sha is not null`.as('work_seen'), whileLost.as('while_lost')])
        .select(sql.lit(ends).as('ending')),
    )
    .execute()
  const type = `claim.${ends}` as const
  return held.map(({ id, project_id, claimed_by: agent_id, data, reason }) => ({
    type,
    bounty_id: id,
    project_id,
    agent_id,
    data: ends === 'dismissed' ? data?.['claim.dismissed'] : undefined,
    reason,
  }))
}

/** A commit that has shown work is no new work of its agent on the project. */
async function keepHead(trx: Database, moving: Moving[], head_sha: string) {
  const rows = moving.map(({ project_id, agent_id }) => ({
    project_id,
    agent_id: agent_id as string,
    head_sha,
  }))
  await trx
    .insertInto('seen_heads')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function moveBounties(trx: Database, { bounty, set }: Edge, moving: Moving[], given: Given) {
  const [from, to] = bounty
  if (!set && from[0] === to) return []
  const moved = await trx
    .updateTable('bounties')
    .set({ status: to, ...columnsAt[to], ...set?.(given) })
    .where('id', 'in', idsOf(moving))
    .where('status', 'in', from)
    .returning(['status', 'claimed_by', 'claimed_at', 'extensions_left'])
    .returning([claimExpiresAt.as('expires_at'), proofDueAt.as('proof_due_at')])
    .execute()
  return all(moved, moving, to)
}

async function moveSubmissions(trx: Database, edge: Edge, moving: Moving[], given: Given) {
  if (!edge.submission) return []
  const [from, to] = edge.submission
  const returned = ['id', 'status', 'created_at'] as const
  if (from === null) {
    const rows = moving.map(({ id, project_id, agent_id, stores }) => ({
      ...(stores as NewSubmission),
      bounty_id: id,
      project_id,
      agent_id: agent_id as string,
      status: to,
    }))
    return trx.insertInto('submissions').values(rows).returning(returned).execute()
  }
  const ids = moving.map(({ submission_id = '' }) => submission_id)
  const isOver = to === 'approved' || endedUnpaid(to)
  const moved = await trx
    .updateTable('submissions')
    .set({
      status: to,
      ...(isOver && { reviewed_at: sql`clock_timestamp()` }),
      ...edge.setSubmission?.(given),
    })
    .where('id', 'in', ids)
    .where('status', '=', from)
    .returning(returned)
    .execute()
  return all(moved, moving, to)
}

const idsOf = (moving: Moving[]) => moving.map(({ id }) => id)

/** The rows that were written. @throws Error if that is not all of them */
function all<Row>(rows: Row[], moving: Moving[], to: string): Row[] {
  if (rows.length === moving.length) return rows
  throw new Error(`of ${idsOf(moving).join(', ')} not all can become ${to} from where they are`)
}
