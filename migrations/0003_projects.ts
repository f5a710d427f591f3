import { type Kysely, sql } from 'kysely'

/** Projects, their activation, and the maintainers that their founders have named. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [projects, activations, maintainers]) await sql.raw(statement).execute(db)
}

/**
 * The planner takes a list by these numbers of distinct values: a list is planned before its values are known, and where few
 * values share a column it would rather walk through everything, newest first, which for a rare value is the whole table.
 * Texts are sampled more closely, so that it can tell a phrase that many have, which is found at once among the newest, from
 * one that has to be looked up.
 */
const projects = `
create extension if not exists pg_trgm;
create function fold(text) returns text language sql immutable strict parallel safe
  as $$select lower($1 collate "und-x-icu") collate "default"$$;
comment on function fold(text) is 'lower case, also of letters that the locale of the database does not know';
create table projects (
  id text primary key,
  name text not null check (char_length(name) between 1 and 200),
  description text not null check (char_length(description) between 1 and 2000),
  status text not null default 'proposed' check (status in ('proposed', 'active')),
  founder_id text not null references agents,
  token_symbol text not null check (token_symbol ~ '^[A-Za-z0-9]{1,20}$'),
  token_supply bigint not null check (token_supply between 1 and 1000000000000),
  founder_wallet text,
  repo_url text,
  token_address text,
  curve_address text,
  committed bigint not null default 0 check (committed >= 0),
  created_at timestamptz not null default clock_timestamp(),
  name_folded text not null generated always as (fold(name)) stored,
  description_folded text not null generated always as (fold(description)) stored,
  repository_id bigint,
  min_approved smallint not null default 0 check (min_approved between 0 and 50),
  wanted_repository text,
  repository_looked_at timestamptz not null default '-infinity',
  repository_look_at timestamptz,
  repository_missing text[],
  repository_lost_at timestamptz,
  default_branch text not null default 'main',
  check (status = 'proposed' or num_nulls(founder_wallet, repo_url, token_address, curve_address) = 0),
  check (status = 'active' or num_nonnulls(founder_wallet, repo_url, token_address, curve_address) = 0)
);
comment on column projects.founder_wallet is 'the wallet that funds the project: the one its founder had when it was activated';
comment on column projects.committed is 'whole tokens promised by bounties that are not done, kept by a trigger';
comment on column projects.min_approved is 'standing that an agent needs to claim a bounty that says nothing else';
comment on column projects.name_folded is 'what keyword searches look through, as are all columns of this kind';
comment on column projects.repository_id is 'id that the code host gave the repository; it outlives a new name. Null until the host reported it';
comment on column projects.wanted_repository is 'owner and name of the repository that the founder brings; null: the organization makes one';
comment on column projects.repository_look_at is 'when that of an active project is looked at again';
comment on column projects.repository_missing is 'what kept that repository from being the project''s when it was looked at, or what the host has reported since; null: it was not';
comment on column projects.default_branch is 'the branch into which pull requests go';
alter table projects
  alter column status set (n_distinct = 1000),
  alter column name_folded set statistics 500,
  alter column description_folded set statistics 500;
create index projects_newest on projects (created_at desc, id desc, status);
create index projects_by_status on projects (status, created_at desc, id desc);
create index projects_of_founder on projects (founder_id, created_at desc, id desc);
create index projects_by_founder_wallet on projects (lower(founder_wallet)) where founder_wallet is not null;
create index projects_keyword on projects using gin (name_folded gin_trgm_ops, description_folded gin_trgm_ops);
create index projects_look_at on projects (repository_look_at) where repository_look_at is not null;
create unique index projects_repository on projects (repository_id) where repository_id is not null;
create unique index projects_token on projects (lower(token_address));
create unique index projects_curve on projects (lower(curve_address));
create trigger projects_transition before update of status on projects
  for each row execute function allow_transitions('proposed>active');`

const activations = `
create table activations (
  project_id text primary key references projects,
  status text not null default 'running' check (status in ('running', 'failed', 'done', 'needs_operator')),
  founder_wallet text not null,
  round integer not null default 1 check (round > 0),
  repo_url text,
  deployer text,
  token_address text,
  curve_address text,
  transaction_id bigint references transactions,
  error_code text,
  error text,
  lease_owner text,
  lease_until timestamptz not null default '-infinity',
  fence bigint not null default 0,
  served_by text,
  served_until timestamptz not null default '-infinity',
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  followed_curve text,
  repository_id bigint,
  started_at timestamptz not null default clock_timestamp(),
  gas_reserved_wei numeric(78, 0) not null default 0 check (gas_reserved_wei >= 0),
  check (status <> 'done' or num_nulls(repo_url, token_address, curve_address) = 0),
  check ((status = 'failed') = (error_code is not null)),
  check (num_nulls(deployer, token_address, curve_address) in (0, 3))
);
comment on column activations.deployer is 'the operator key whose project address this is; fixed once chosen';
comment on column activations.followed_curve is 'the curve whose trades the follower stores from its creation on';
comment on column activations.started_at is 'when it was last asked for';
comment on column activations.gas_reserved_wei is 'most that its deployment can cost; once that has ended, what it has cost';
create index activations_unfinished on activations (status, lease_until) where status <> 'done';
create index activations_unfollowed on activations (project_id) where curve_address is distinct from followed_curve;
create index activations_by_curve on activations (lower(curve_address));
create index activations_by_start on activations (started_at);
create unique index activations_of_repository on activations (repository_id) where repository_id is not null;
create trigger activations_transition before update of status on activations
  for each row execute function allow_transitions(
    'running>done', 'running>failed', 'running>needs_operator', 'failed>running', 'failed>done',
    'done>needs_operator', 'needs_operator>running', 'needs_operator>done', 'needs_operator>failed');`

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
