import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Database } from '../db/client.ts'
import { prepared, runOn } from '../db/prepared.ts'
import { ServiceError } from '../errors.ts'
import {
  claimExpiresAt,
  claimHasLapsed,
  claimTime,
  dismissableFrom,
  halfTimeIsOver,
  proofDueAt,
} from './deadlines.ts'
import { seenMerge, seenPulls } from './pull-requests/seen-pulls.ts'
import { mostStanding, standingOf, wantedStanding } from './standing.ts'

/** What the situation of a bounty is read for. */
export interface SituationQuery {
  /** The bounty. */
  id: string
  /** The agent that asks; absent for the clock, the chain and the service. */
  caller?: string | undefined
  /** The submission that is meant. Default: the one in review. */
  submission?: string | undefined
  /** Hours that a claim lasts by difficulty, as JSON. Without them nothing that the caller has given up counts. */
  hours?: string | undefined
}

/** Proof that nothing can pay a submission any more; see money/payouts/gate.ts. */
export interface NothingPays {
  submissionId: string
  /** Confirms it in the transaction that ends the submission. @throws ServiceError `approval_in_progress` */
  confirm(trx: Database): Promise<void>
}

/** Everything about a bounty that decides how it may move. */
export type Situation = Awaited<ReturnType<typeof readSituation>> & {
  unpaid?: NothingPays | undefined
  /** The newest commit of the caller's work, for edges that want progress; or the commit that the caller names. */
  head?: string | null | undefined
  /** Whether the caller's work is accepted already: the founder has merged it. */
  is_accepted?: boolean | undefined
}

/** The submission of a bounty that waits for its review, or is being paid. */
export type Review = NonNullable<Situation['review']>

const situationOf = prepared((db, { id, caller, submission, hours }: SituationQuery) =>
  db
    .selectFrom('bounties')
    .innerJoin('projects', 'projects.id', 'bounties.project_id')
    .where('bounties.id', '=', id)
    .select(['bounties.id', 'bounties.project_id', 'bounties.status', 'bounties.difficulty'])
    .select(['bounties.reward_amount', 'bounties.revision'])
    .select(['bounties.claimed_by', 'bounties.claimed_at', 'bounties.extensions_left'])
    .select(['projects.founder_id', 'projects.founder_wallet', 'projects.repo_url', 'projects.repository_id'])
    .select(['projects.token_address', 'projects.curve_address', 'projects.repository_lost_at'])
    .select([claimHasLapsed.as('has_lapsed'), claimExpiresAt.as('expires_at')])
    .select(['bounties.seen_sha', seenAt.as('seen_at'), seenPulls.as('seen_pulls')])
    .select(seenMerge.as('seen_merge'))
    .select(proofDueAt.as('proof_due_at'))
    .select([
      dismissableFrom.as('dismissable_from'),
      sql<boolean>`${dismissableFrom} <= now()`.as('can_dismiss'),
      halfTimeIsOver.as('half_time_is_over'),
    ])
    .select(wantedStanding.as('min_approved'))
    .select((bounty) =>
      // The submission that waits for its review or is being paid, with its contributor's current wallet and the commit of an
      // earlier approval.
      jsonObjectFrom(
        bounty
          .selectFrom('submissions')
          .innerJoin('agents', 'agents.id', 'submissions.agent_id')
          .leftJoin('payouts', 'payouts.submission_id', 'submissions.id')
          .whereRef('submissions.bounty_id', '=', 'bounties.id')
          .where('submissions.status', 'in', [sql.lit('pending' as const), sql.lit('approving' as const)])
          .select(['submissions.id', 'submissions.agent_id', 'submissions.status', 'agents.wallet_address'])
          .select(['submissions.pr_url', 'submissions.head_sha', 'payouts.head_sha as paid_sha']),
      ).as('review'),
    )
    .select((bounty) =>
      jsonObjectFrom(
        bounty
          .selectFrom('submissions')
          .where('submissions.id', '=', submission ?? '')
          .select(['submissions.agent_id', 'submissions.status']),
      ).as('named'),
    )
    .select((bounty) =>
      // What its holder has submitted last, as the code host reported it.
      jsonObjectFrom(
        bounty
          .selectFrom('submissions')
          .innerJoin('pull_requests', 'pull_requests.url', 'submissions.pr_url')
          .whereRef('submissions.bounty_id', '=', 'bounties.id')
          .whereRef('submissions.agent_id', '=', 'bounties.claimed_by')
          .whereRef('submissions.created_at', '>=', 'bounties.claimed_at')
          .select(['submissions.is_attributed', 'submissions.merge_counts_from'])
          .select(['author_id', 'fork_owner_id'])
          .select(['state', 'merged', 'opened_at', 'merged_at', 'merged_by_itself', 'merged_by_id'])
          .select(['pull_requests.head_sha', 'base_ref', 'into_default', 'merge_commit_sha'])
          .orderBy('submissions.created_at', 'desc')
          .limit(sql.lit(1)),
      ).as('work'),
    )
    .select(aboutCaller(caller ?? '', hours ?? '{}')),
)

/** When the commit by which work of the claimant was seen last was there first. */
const seenAt = sql<Date | null>`(select h.seen_at from seen_heads h where h.project_id = bounties.project_id
  and h.agent_id = bounties.claimed_by and h.head_sha = bounties.seen_sha)`

/** What decides about the agent that asks. */
const aboutCaller = (agentId: string, hours: string) => [
  givenUpLately(agentId, hours).as('given_up'),
  dismissedUntil(agentId, hours).as('dismissed_until'),
  isBarred(agentId).as('is_barred'),
  cameBack(agentId).as('came_back'),
  approvedWork(agentId).as('approved_work'),
  standingOf(agentId).as('standing'),
  otherClaim(agentId).as('other_claim'),
]

/** How many submissions of the agent were approved, as far as its standing is counted. */
function approvedWork(agentId: string) {
  return sql<number>`(select count(*)::int from (
    select from submissions s where s.agent_id = ${agentId} and s.status = 'approved' limit ${sql.lit(mostStanding)}) approved)`
}

/** Until when the agent cannot claim the bounty because its founder has ended a claim of it; null if it can. */
function dismissedUntil(agentId: string, hours: string) {
  return sql<Date | null>`(select max(e.ended_at) + ${claimTime(hours)} from ended_claims e where e.bounty_id = bounties.id
    and e.agent_id = ${agentId} and e.ending = 'dismissed' and e.ended_at > now() - ${claimTime(hours)})`
}

/** Whether a rejection of the agent's work keeps it from the bounty. */
function isBarred(agentId: string) {
  return sql<boolean>`exists (select from submissions s where s.bounty_id = bounties.id and s.agent_id = ${agentId} and s.bar)`
}

/** The commits that the agent submitted to the bounty and that were rejected or sent back. */
function cameBack(agentId: string) {
  return sql<
    string[]
  >`array(select head_sha from submissions s where s.bounty_id = bounties.id and s.agent_id = ${agentId}
    and s.status in ('rejected', 'changes_requested') and head_sha is not null)`
}

/**
 * How often a claim of the agent on the bounty ended within the time of one claim: by a release, a lapse, or a submission that was
 * rejected or retracted. What it gave up while the repository was lost does not count.
 */
function givenUpLately(agentId: string, hours: string) {
  const since = sql`now() - ${claimTime(hours)}`
  return sql<number>`((select count(*) from ended_claims e where e.bounty_id = bounties.id and e.agent_id = ${agentId}
      and e.ending <> 'dismissed' and not e.while_lost and e.ended_at > ${since})
    + (select count(*) from submissions s where s.bounty_id = bounties.id and s.agent_id = ${agentId}
      and s.status in ('rejected', 'retracted') and not s.while_lost and s.reviewed_at > ${since}))::int`
}

/** Another bounty that the agent holds on the project. */
function otherClaim(agentId: string) {
  return sql<string | null>`(select id from bounties other where other.claimed_by = ${agentId}
    and other.project_id = bounties.project_id and other.status in ('claimed', 'in_review') and other.id <> bounties.id)`
}

/** The situation of a bounty. @throws ServiceError `bounty_not_found` */
export async function readSituation(db: Database, query: SituationQuery) {
  const [found] = await runOn(db, situationOf(query))
  if (!found) throw new ServiceError('bounty_not_found')
  return { ...found, caller: query.caller, meant: query.submission }
}

const locking = prepared((db, { id }: { id: string }) =>
  db.selectFrom('bounties').where('id', '=', id).select('id').forNoKeyUpdate(),
)

/**
 * Locks a bounty until the transaction ends. Every step takes this lock first, so the steps of a bounty
 * happen one after the other; only `overdue`, which concerns the submission alone, locks that instead.
 */
export async function lockBounty(trx: Database, id: string): Promise<void> {
  await runOn(trx, locking({ id }))
}
