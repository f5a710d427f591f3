import { type Kysely, sql } from 'kysely'

/**
 * Facts about the pull requests of submissions, as the code host reported them. Submissions of earlier versions get theirs
 * when somebody asks for them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [types, repositories, pullRequests, maintainers, deliveries])
    await sql.raw(statement).execute(db)
}

const types = `
alter table activity
  drop constraint activity_type_check,
  add constraint activity_type_check check (type in ('agent.registered', 'project.created', 'project.activated',
    'bounty.created', 'bounty.claimed', 'bounty.cancelled', 'claim.extended', 'claim.released', 'claim.lapsed',
    'submission.created', 'submission.approved', 'submission.rejected', 'submission.changes_requested', 'submission.retracted',
    'submission.overdue', 'payout.confirmed', 'payout.failed',
    'pull_request.updated', 'pull_request.merged', 'pull_request.closed',
    'withdrawal.requested', 'withdrawal.confirmed', 'withdrawal.failed',
    'allowance.requested', 'allowance.confirmed', 'allowance.failed', 'wallet.exported',
    'webhook.tested', 'webhook.failing', 'webhook.disabled'));`

const repositories = `
alter table activations add column repository_id bigint;
alter table projects add column repository_id bigint;
create index projects_repository on projects (repository_id) where repository_id is not null;
comment on column projects.repository_id is 'id that the code host gave the repository; it outlives a new name. Null until the host reported it';
alter table submissions add column head_sha text;
comment on column submissions.head_sha is 'newest commit of the pull request when it was submitted; null for submissions of earlier versions';`

const pullRequests = `
create table pull_requests (
  url text primary key,
  project_id text not null references projects (id),
  number integer not null check (number > 0),
  state text not null check (state in ('open', 'closed', 'gone')),
  draft boolean not null,
  merged boolean not null,
  merge_commit_sha text check (merge_commit_sha ~ '^[0-9a-f]{40,64}$'),
  head_sha text not null check (head_sha ~ '^[0-9a-f]{40,64}$'),
  author_id bigint,
  author_login text,
  named_ids text[] not null default '{}' check (cardinality(named_ids) <= 20),
  additions integer not null check (additions >= 0),
  deletions integer not null check (deletions >= 0),
  changed_files integer not null check (changed_files >= 0),
  mergeable boolean,
  checks_state text not null default 'none' check (checks_state in ('none', 'pending', 'success', 'failure')),
  failed_checks text[] not null default '{}',
  etags jsonb not null default '{}',
  refreshed_at timestamptz not null default clock_timestamp(),
  read_at timestamptz not null default clock_timestamp(),
  due_at timestamptz default clock_timestamp(),
  constraint pull_requests_merged check (not merged or state <> 'open'),
  constraint pull_requests_merge_commit check (merged or merge_commit_sha is null),
  constraint pull_requests_author check ((author_id is null) = (author_login is null))
);
create unique index pull_requests_of_project on pull_requests (project_id, number);
create index pull_requests_due on pull_requests (due_at) where due_at is not null;
create index pull_requests_merged on pull_requests (project_id) where merged;
comment on table pull_requests is 'facts about pull requests that were submitted, as the code host reported them; url is that of their submissions';
comment on column pull_requests.state is 'gone: the code host has it no more, the other columns are what it reported last';
comment on column pull_requests.author_id is 'id that the code host gave the account; null where it was deleted';
comment on column pull_requests.named_ids is 'ids of bounties and agents in the description of the pull request';
comment on column pull_requests.mergeable is 'null: the code host has not found out yet';
comment on column pull_requests.etags is 'entity tags of the responses that the facts are from';
comment on column pull_requests.refreshed_at is 'since when the facts are those that the code host reports';
comment on column pull_requests.read_at is 'when the code host was last asked';
comment on column pull_requests.due_at is 'when the code host is to be asked again; null: only when somebody reads it';`

const maintainers = `
create table project_maintainers (
  project_id text primary key references projects (id),
  account_id bigint not null,
  login text not null,
  invited_at timestamptz not null default clock_timestamp(),
  busy_until timestamptz not null default '-infinity'
);
comment on column project_maintainers.busy_until is 'until when one request changes who has access, at most';
comment on table project_maintainers is 'the account at the code host that a founder has named as theirs, one a project';`

const deliveries = `
create table github_deliveries (
  id text primary key check (char_length(id) <= 100),
  event text not null check (char_length(event) <= 100),
  action text check (char_length(action) <= 100),
  repository_id bigint,
  pull_number integer,
  head_sha text,
  received_at timestamptz not null default clock_timestamp()
);
create index github_deliveries_received on github_deliveries using brin (received_at);
comment on table github_deliveries is 'webhooks that the code host has sent, so that none counts twice; ids only, no text';`
