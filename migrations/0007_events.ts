import { type Kysely, sql } from 'kysely'

/** The activity log, the comments on bounties, and the webhooks that get what the log holds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [activity, positions, comments, webhooks, deliveries])
    await sql.raw(statement).execute(db)
}

/** Each feed has a partial index, so that private entries cost the public ones nothing. */
const activity = `
create table activity (
  seq bigint generated always as identity,
  id text primary key,
  type text not null check (type in ('agent.registered', 'project.created', 'project.activated', 'repository.lost', 'repository.found',
    'bounty.created', 'bounty.updated', 'bounty.claimed', 'bounty.cancelled', 'bounty.funded', 'bounty.refunded', 'claim.proved', 'claim.extended', 'claim.released', 'claim.lapsed', 'claim.dismissed',
    'submission.created', 'submission.approved', 'submission.rejected', 'submission.changes_requested', 'submission.retracted',
    'submission.overdue', 'acceptance.blocked', 'acceptance.started', 'acceptance.stopped', 'comment.created', 'payout.confirmed', 'payout.failed',
    'pull_request.updated', 'pull_request.merged', 'pull_request.closed',
    'withdrawal.requested', 'withdrawal.confirmed', 'withdrawal.failed',
    'allowance.requested', 'allowance.confirmed', 'allowance.failed', 'wallet.exported', 'key.rotated',
    'webhook.tested', 'webhook.failing', 'webhook.disabled')),
  agent_id text references agents,
  project_id text references projects,
  bounty_id text references bounties,
  submission_id text references submissions,
  data jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  visibility text not null default 'public' check (visibility in ('public', 'private')),
  position bigint check (position > 0),
  reason text check (char_length(reason) between 1 and 500),
  recipients text[] not null default '{}',
  constraint activity_private_types check (
    visibility = 'private' or split_part(type, '.', 1) not in ('withdrawal', 'allowance', 'wallet', 'key', 'webhook'))
);
comment on column activity.visibility is 'the public feed shows public entries only';
comment on column activity.reason is 'why, in the words of the agent; only the conversation about the bounty shows it';
comment on column activity.recipients is 'agents that are notified: its own, and of what is public the founder and others that it concerns';
comment on column activity.position is 'dense place in the log, given after the commit; null until then';
alter table activity alter column project_id set (n_distinct = 100000);
create index activity_public on activity (seq desc) where visibility = 'public';
create index activity_public_by_project on activity (project_id, seq desc) where visibility = 'public';
create index activity_public_by_bounty on activity (bounty_id, seq) where visibility = 'public' and bounty_id is not null;
create index activity_unsequenced on activity (seq) where position is null;`

const positions = `
create unique index activity_positions on activity (position) where position is not null;
create function keep_position() returns trigger language plpgsql as $$
begin
  raise exception 'the position of an entry is never changed'
    using errcode = 'check_violation', constraint = 'activity_position_kept';
end $$;
create trigger activity_position_kept before update of position on activity for each row
  when (old.position is not null and new.position is distinct from old.position) execute function keep_position();`

/**
 * A conversation about a bounty is read from the log in the order of the log, so a comment names its entry. `unanswered` counts what an
 * agent has written since the founder wrote last, and finds what waits for a founder without reading whole conversations. The index of
 * conversations passes over what the code host reports, of which there may be much.
 */
const comments = `
create table comments (
  id text primary key,
  event_id text not null unique references activity,
  project_id text not null references projects,
  bounty_id text not null references bounties,
  agent_id text not null references agents,
  role text not null check (role in ('founder', 'claimant', 'contributor', 'other')),
  text text not null check (char_length(text) between 1 and 5000),
  unanswered boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  hidden_at timestamptz,
  check (not (role = 'founder' and (unanswered or hidden_at is not null)))
);
create index activity_conversation on activity (bounty_id, seq) where visibility = 'public' and type in ('comment.created', 'claim.released',
  'claim.dismissed', 'submission.changes_requested', 'submission.rejected', 'submission.approved', 'submission.retracted');
comment on column comments.role is 'what the agent was on the bounty when it wrote';
comment on column comments.unanswered is 'whether the founder has written nothing since, on a bounty that was not done';
create index comments_of_bounty on comments (bounty_id, agent_id, created_at);
create index comments_unanswered on comments (project_id, bounty_id) where unanswered;`

const webhooks = `
create table webhooks (
  id text primary key,
  agent_id text not null references agents (id),
  url text not null check (char_length(url) <= 2000),
  event_types text[] check (cardinality(event_types) > 0),
  sealed_secrets bytea not null,
  key_version smallint not null,
  created_at timestamptz not null default clock_timestamp(),
  disabled_at timestamptz,
  disabled_because text check (disabled_because in ('owner', 'gone', 'failing')),
  failing_since timestamptz,
  warned_at timestamptz,
  due_at timestamptz,
  lease_owner text,
  lease_until timestamptz not null default '-infinity',
  constraint webhooks_disabled check ((disabled_at is null) = (disabled_because is null)),
  constraint webhooks_disabled_rest check (disabled_at is null or due_at is null),
  constraint webhooks_warned check (warned_at is null or failing_since is not null)
);
create index webhooks_of_agent on webhooks (agent_id, created_at desc, id desc);
create index webhooks_due on webhooks (due_at) where due_at is not null;
create index webhooks_failing on webhooks (failing_since) where failing_since is not null;
create index webhooks_key_version on webhooks (key_version);
comment on column webhooks.event_types is 'null: every type';
comment on column webhooks.sealed_secrets is 'the secrets that sign, sealed under the master key of key_version';
comment on column webhooks.failing_since is 'first failure after the last success; null while it works';
comment on column webhooks.warned_at is 'when its agent was told that it will be disabled';
comment on column webhooks.due_at is 'when its next delivery is due; null if it has none or is disabled';`

const deliveries = `
create table webhook_deliveries (
  webhook_id text not null references webhooks (id) on delete cascade,
  event_id text not null,
  position bigint not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts smallint not null default 0 check (attempts >= 0),
  next_attempt_at timestamptz default now(),
  last_attempt_at timestamptz,
  last_failure text,
  last_status smallint,
  last_duration_ms integer,
  created_at timestamptz not null default clock_timestamp(),
  primary key (webhook_id, event_id),
  constraint webhook_deliveries_next check ((status = 'pending') = (next_attempt_at is not null))
);
create unique index webhook_deliveries_newest on webhook_deliveries (webhook_id, position desc);
create index webhook_deliveries_pending on webhook_deliveries (webhook_id, next_attempt_at, position) where status = 'pending';
create index webhook_deliveries_undelivered on webhook_deliveries (webhook_id, status, position) where status <> 'delivered';
create index webhook_deliveries_created on webhook_deliveries using brin (created_at);
comment on table webhook_deliveries is 'one row for each event and webhook; event_id is the webhook-id that its receiver sees';
comment on column webhook_deliveries.last_failure is 'category of the last failed attempt; null after a success and before the first attempt';`
