import { sql } from 'kysely'
import { prepared } from '../../../db/prepared.ts'
import { disabledFrom } from '../../../events/webhooks/deliveries/lasting-failure.ts'
import {
  acceptsAt,
  claimExpiresAt,
  claimHasLapsed,
  proofDueAt,
  reviewDueAt,
  reviewIsOverdue,
} from '../../../lifecycle/deadlines.ts'
import { seenMerge } from '../../../lifecycle/pull-requests/seen-pulls.ts'
import type { Situation } from './consequences.ts'
import type { IdsOf } from './ids.ts'

/** What decides about the claim. `is_merged`: the code host has reported that its pull request was merged. */
export type OwnClaim = {
  has_lapsed: boolean
  is_unproved: boolean
  extensions_left: number
  is_merged: boolean
}

/** What a task has beside its ids, by its action. */
interface Facts {
  /** With the pull request if it is merged; null if the agent has to say which. */
  submit: OwnClaim & { pr_url: string | null }
  /** With the pull request to submit again; null if the agent has to say which. */
  revise: OwnClaim & { pr_url: string | null }
  /** With the commit to pay, or that was paid; null if the agent has to read which. */
  approve: { head_sha: string | null }
  merge: { head_sha: string | null }
  /** The address with its checksum. */
  check_wallet: { checksummed: string }
}

/** Something that waits for an agent. */
export type TaskRow = {
  /** `id` is the action and the id of what it is about. */
  [One in Situation as One['action']]: One & {
    id: string
    due_at: Date | null
    /** That of the bounty, where there is one. */
    revision: number | null
    /** In whole tokens, where there is a bounty. */
    reward_amount: number | null
    /** Base units that are locked for it. */
    dollars: string | null
    fields: IdsOf<One['action']> & (One['action'] extends keyof Facts ? Facts[One['action']] : unknown)
  }
}[Situation['action']]

/** Claims, with the submission that the founder wants changed, if that came last. */
const claimed = sql`select case when returned.id is null or merged_number is not null then 'submit' else 'revise' end,
  null::text, claims.id, due_at,
  jsonb_build_object('project_id', project_id, 'bounty_id', claims.id, 'submission_id', returned.id,
    'pr_url', coalesce(repo_url || '/pull/' || merged_number, returned.pr_url), 'is_merged', merged_number is not null,
    'has_lapsed', has_lapsed, 'is_unproved', is_unproved, 'extensions_left', extensions_left)
  from claims join projects on projects.id = project_id left join lateral (
    select submissions.id, case when state = 'open' then pr_url end as pr_url from submissions left join pull_requests on url = pr_url
    where bounty_id = claims.id and created_at > claimed_at and status = 'changes_requested'
    order by created_at desc, submissions.id desc limit 1) returned on true`

const obstacle = sql`case when pulls.state <> 'open' or draft or mergeable is false or not into_default then 'unmergeable'
  when checks_state = 'failure' then 'checks_failed' end`

const unmergeable = sql`select 'repair_pull_request', ${obstacle}, id, waiting.due_at,
  jsonb_build_object('project_id', waiting.project_id, 'bounty_id', bounty_id, 'submission_id', id)
  from waiting join pull_requests pulls on url = pr_url where not merged and ${obstacle} is not null`

const overdue = sql`select 'retract', 'overdue', id, null::timestamptz,
  jsonb_build_object('project_id', waiting.project_id, 'bounty_id', bounty_id, 'submission_id', id)
  from waiting left join pull_requests on url = pr_url where is_overdue and merged is not true and not is_accepted`

const proposed = sql`select 'activate', case when wanted_repository is not null and activations.repo_url is null then 'own'
    when activations.status is null then 'proposed' else 'begun' end, id,
  null::timestamptz, jsonb_build_object('project_id', id)
  from own left join activations on project_id = id where own.status = 'proposed' and (select has_wallet from caller)`

const lost = sql`select 'repair_repository', 'lost', id, null::timestamptz, jsonb_build_object('project_id', id)
  from own where repository_lost_at is not null`

/** At most a page of each project, the oldest first: an index has them in this order. */
const unreviewed = (
  limit: number,
) => sql`select case submissions.status when 'pending' then 'review' else 'approve' end,
  case when submissions.status = 'approving' then 'running' when acceptance_blocked is not null then 'blocked'
    when payouts.status = 'failed' then 'payout_failed' when accepts_at is not null then 'paid' else 'waiting' end,
  submissions.id, coalesce(case submissions.status when 'pending' then ${acceptsAt} end, ${reviewDueAt}),
  jsonb_build_object('project_id', submissions.project_id, 'bounty_id', bounty_id, 'submission_id', submissions.id,
    'head_sha', coalesce(payouts.head_sha, submissions.head_sha))
  from own cross join unnest(array['pending', 'approving']) as wanted (status) cross join lateral (
    select * from submissions where project_id = own.id and status = wanted.status order by created_at, id limit ${limit}) submissions
  left join payouts on payouts.submission_id = submissions.id`

const unmerged = sql`select 'merge', case when mergeable is false and payouts.head_sha = pulls.head_sha then 'conflict' else 'ready' end,
  bounty_id, null::timestamptz,
  jsonb_build_object('project_id', own.id, 'bounty_id', bounty_id, 'submission_id', submissions.id, 'head_sha', payouts.head_sha)
  from own join pull_requests pulls on pulls.project_id = own.id and not pulls.merged and pulls.state <> 'gone'
    and wanted_repository is null
    join submissions on pr_url = url and submissions.status = 'approved'
    join payouts on payouts.submission_id = submissions.id`

const ofBounty = sql`'waiting', bounties.id, null::timestamptz,
  jsonb_build_object('project_id', bounties.project_id, 'bounty_id', bounties.id)`

const unanswered = sql`select 'reply', ${ofBounty}
  from own cross join lateral (
    select distinct bounty_id from comments where project_id = own.id and unanswered and hidden_at is null) asked
  join bounties on bounties.id = asked.bounty_id and bounties.status not in ('done', 'cancelled')`

/** What the founder has written since the holder of the bounty claimed, submitted or wrote. */
const unread = sql`select 'read', ${ofBounty}
  from caller join bounties on claimed_by = caller.id and bounties.status in ('claimed', 'in_review')
  join projects on projects.id = bounties.project_id
  where (select max(created_at) from comments where bounty_id = bounties.id and agent_id = founder_id) > greatest(claimed_at,
    (select max(created_at) from comments where bounty_id = bounties.id and agent_id = caller.id),
    (select max(created_at) from submissions where bounty_id = bounties.id and agent_id = caller.id))`

/** When the agent's work may first end. */
const work = sql`(select (select min(due_at) from claims) as claims, (select min(due_at) from waiting) as waits) work`

const walletless = sql`select 'set_wallet', 'missing', caller.id, least(claims, waits), jsonb_build_object()
  from caller, ${work}
  where not has_wallet and (coalesce(claims, waits) is not null or exists (select from own where status = 'proposed'))`

/** Before anything is paid to the wallet, and until the agent has set it again. */
const mistyped = (
  checksummed: string | null,
) => sql`select 'check_wallet', 'mistyped', caller.id, least(claims, waits),
  jsonb_build_object('checksummed', ${checksummed}::text)
  from caller, ${work} where ${checksummed}::text is not null`

const failing = sql`select 'repair_webhook', case when disabled_at is null then 'failing' else 'disabled' end, webhooks.id,
  case when disabled_at is null then ${disabledFrom} end, jsonb_build_object('webhook_id', webhooks.id)
  from webhooks, caller where agent_id = caller.id and (disabled_at is null and failing_since is not null or disabled_because <> 'owner')`

interface WaitingFor {
  agent_id: string
  limit: number
  /** The address of its wallet with its checksum, if it gave it another mixture of cases. */
  checksummed: string | null
}

/**
 * What waits for an agent: what is due first comes first, then what has no deadline. The statement takes longer
 * for each project that the agent founded and for each bounty that it works on. Finished work does not slow it.
 */
export const waitingTasks = prepared((db, { agent_id, limit, checksummed }: WaitingFor) => {
  const ofFounder = [proposed, lost, unreviewed(limit), unmerged, unanswered]
  const kinds = [
    claimed,
    unmergeable,
    overdue,
    unread,
    ...ofFounder,
    walletless,
    mistyped(checksummed),
    failing,
  ]
  const first = sql`order by due_at, id limit ${limit}`
  const pages = kinds.map(
    (kind) =>
      sql`(select *, (action || ':' || about) collate "C" as id from (${kind}) as task (action, state, about, due_at, fields) ${first})`,
  )
  const tasks = sql<TaskRow>`(with
    caller as materialized (select id, wallet_address is not null as has_wallet from agents where id = ${agent_id}),
    own as materialized (select id, status, wanted_repository, repository_lost_at from projects where founder_id = ${agent_id}),
    claims as materialized (
      select id, project_id, claimed_at, extensions_left, least(${proofDueAt}, ${claimExpiresAt}) as due_at,
        ${claimHasLapsed} as has_lapsed, proof_due_at is not null as is_unproved, ${seenMerge} as merged_number
      from bounties where claimed_by = ${agent_id} and status = 'claimed'),
    waiting as materialized (
      select id, project_id, bounty_id, pr_url, ${reviewDueAt} as due_at, ${reviewIsOverdue} as is_overdue, accepts_at is not null as is_accepted
      from submissions where agent_id = ${agent_id} and status = 'pending')
    ${sql.join(pages, sql` union all `)} ${first})`
  return db
    .selectFrom(tasks.as('tasks'))
    .leftJoin('bounties', (join) => join.on('bounties.id', '=', sql<string>`fields ->> 'bounty_id'`))
    .selectAll('tasks')
    .leftJoin('deposits', (join) =>
      join.onRef('deposits.bounty_id', '=', 'bounties.id').on('deposits.status', '=', sql.lit('locked')),
    )
    .select(['bounties.revision', 'bounties.reward_amount', 'deposits.amount as dollars'])
    .$castTo<TaskRow>()
    .orderBy('due_at')
    .orderBy('tasks.id')
})
