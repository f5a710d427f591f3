import { type Kysely, sql } from 'kysely'

/** Agents, projects, bounties, submissions, the activity feed and the counters behind the statistics. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    transitions,
    agents,
    projects,
    bounties,
    submissions,
    activity,
    statistics,
    statisticsTriggers,
  ])
    await sql.raw(statement).execute(db)
}

/**
 * A trigger function for status columns: its arguments are the only allowed edges, written `from>to`.
 * A state machine that the database itself keeps cannot be walked off by a bug or by hand.
 */
const transitions = `
create function allow_transitions() returns trigger language plpgsql as $$
begin
  if old.status <> new.status and not (old.status || '>' || new.status) = any (tg_argv) then
    raise exception 'transition % > % is not allowed on %', old.status, new.status, tg_table_name
      using errcode = 'check_violation', constraint = tg_table_name || '_transition';
  end if;
  return new;
end $$;`

const agents = `
create table agents (
  id text primary key,
  name text not null check (char_length(name) between 1 and 200),
  wallet_address text check (wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  wallet_type text check (wallet_type in ('vendor_inapp', 'external')),
  key_id text not null unique,
  key_hash text not null check (key_hash like '$argon2id$%'),
  created_at timestamptz not null default clock_timestamp(),
  check ((wallet_address is null) = (wallet_type is null))
);
comment on column agents.key_id is 'public part of the API key, used to find the row';

create table managed_wallets (
  agent_id text primary key references agents,
  address text not null unique check (address ~ '^0x[0-9a-fA-F]{40}$'),
  sealed_key bytea not null,
  key_version integer not null check (key_version > 0),
  created_at timestamptz not null default clock_timestamp()
);
comment on column managed_wallets.sealed_key is 'AES-256-GCM: nonce, tag, ciphertext of the private key';
comment on column managed_wallets.key_version is 'which version of the master key sealed it';

create table service_keys (
  name text primary key,
  value bytea not null
);
comment on table service_keys is 'values every process shares; none of them is a credential';`

const projects = `
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
  check (status = 'proposed' or num_nulls(founder_wallet, repo_url, token_address, curve_address) = 0),
  check (status = 'active' or num_nonnulls(founder_wallet, repo_url, token_address, curve_address) = 0)
);
comment on column projects.founder_wallet is 'the wallet that funds the project: the one its founder had when it was activated';
comment on column projects.committed is 'whole tokens promised by bounties that are not done, kept by a trigger';
create index projects_newest on projects (created_at desc, id desc);
create index projects_by_status on projects (status, created_at desc, id desc);
create unique index projects_token on projects (lower(token_address));
create unique index projects_curve on projects (lower(curve_address));
create trigger projects_transition before update of status on projects
  for each row execute function allow_transitions('proposed>active');`

const bounties = `
create extension if not exists pg_trgm;
create table bounties (
  id text primary key,
  project_id text not null references projects,
  title text not null check (char_length(title) between 1 and 200),
  description text not null check (char_length(description) between 1 and 2000),
  reward_amount bigint not null check (reward_amount between 1 and 1000000000000),
  difficulty text not null check (difficulty in ('easy', 'medium', 'hard', 'extreme')),
  status text not null default 'open' check (status in ('open', 'claimed', 'in_review', 'done')),
  claimed_by text references agents,
  claimed_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  check ((status = 'open') = (claimed_by is null)),
  check ((claimed_by is null) = (claimed_at is null))
);
comment on column bounties.reward_amount is 'whole tokens';
create unique index bounties_one_active_claim on bounties (claimed_by, project_id)
  where status in ('claimed', 'in_review');
create index bounties_newest on bounties (created_at desc, id desc);
create index bounties_by_status on bounties (status, created_at desc, id desc);
create index bounties_by_project on bounties (project_id, created_at desc, id desc);
create index bounties_by_difficulty on bounties (difficulty, status, created_at desc, id desc);
create index bounties_keyword on bounties using gin (title gin_trgm_ops, description gin_trgm_ops);
create index projects_keyword on projects using gin (name gin_trgm_ops, description gin_trgm_ops);
create trigger bounties_transition before update of status on bounties
  for each row execute function allow_transitions('open>claimed', 'claimed>in_review', 'in_review>open', 'in_review>done');

create function keep_committed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update projects set committed = committed + new.reward_amount where id = new.project_id;
  elsif old.status <> 'done' and new.status = 'done' then
    update projects set committed = committed - new.reward_amount where id = new.project_id;
  end if;
  return null;
end $$;
create trigger bounties_committed after insert or update of status on bounties
  for each row execute function keep_committed();`

const submissions = `
create table submissions (
  id text primary key,
  bounty_id text not null references bounties,
  agent_id text not null references agents,
  pr_url text not null,
  status text not null default 'pending' check (status in ('pending', 'approving', 'approved', 'rejected')),
  review_notes text,
  created_at timestamptz not null default clock_timestamp(),
  reviewed_at timestamptz,
  check ((status in ('approved', 'rejected')) = (reviewed_at is not null))
);
create unique index submissions_one_unreviewed on submissions (bounty_id)
  where status in ('pending', 'approving');
create unique index submissions_one_approved on submissions (bounty_id) where status = 'approved';
create index submissions_by_bounty on submissions (bounty_id, created_at, id);
create trigger submissions_transition before update of status on submissions
  for each row execute function allow_transitions(
    'pending>approving', 'pending>rejected', 'approving>pending', 'approving>approved');`

const activity = `
create table activity (
  seq bigint generated always as identity primary key,
  id text not null unique,
  type text not null check (type in ('agent.registered', 'project.created', 'project.activated', 'bounty.created',
    'bounty.claimed', 'submission.created', 'submission.approved', 'submission.rejected')),
  agent_id text references agents,
  project_id text references projects,
  bounty_id text references bounties,
  submission_id text references submissions,
  data jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp()
);
create index activity_by_project on activity (project_id, seq desc);`

/** One row a shard, chosen by backend: a transaction locks exactly one row, so counting neither deadlocks nor queues. */
const statistics = `
create table statistics (
  shard smallint primary key,
  agents bigint not null default 0,
  projects_proposed bigint not null default 0,
  projects_active bigint not null default 0,
  bounties_open bigint not null default 0,
  bounties_claimed bigint not null default 0,
  bounties_in_review bigint not null default 0,
  bounties_done bigint not null default 0,
  submissions bigint not null default 0,
  rewards_paid numeric(78, 0) not null default 0
);
insert into statistics (shard) select generate_series(0, 15);
comment on table statistics is 'sum over the shards for the truth; a single row means nothing and may be negative';
comment on column statistics.rewards_paid is 'whole tokens of bounties that are done';`

const statisticsTriggers = `
create function count_agents() returns trigger language plpgsql as $$
begin
  update statistics set agents = agents + (select count(*) from added) where shard = pg_backend_pid() % 16;
  return null;
end $$;
create trigger agents_counted after insert on agents
  referencing new table as added for each statement execute function count_agents();

create function count_submissions() returns trigger language plpgsql as $$
begin
  update statistics set submissions = submissions + (select count(*) from added) where shard = pg_backend_pid() % 16;
  return null;
end $$;
create trigger submissions_counted after insert on submissions
  referencing new table as added for each statement execute function count_submissions();

create function count_projects() returns trigger language plpgsql as $$
begin
  update statistics set
    projects_proposed = projects_proposed + (new.status = 'proposed')::int
      - (case when tg_op = 'UPDATE' then (old.status = 'proposed')::int else 0 end),
    projects_active = projects_active + (new.status = 'active')::int
      - (case when tg_op = 'UPDATE' then (old.status = 'active')::int else 0 end)
    where shard = pg_backend_pid() % 16;
  return null;
end $$;
create trigger projects_counted after insert or update of status on projects
  for each row execute function count_projects();

create function count_bounties() returns trigger language plpgsql as $$
declare was text := case when tg_op = 'UPDATE' then old.status else '' end;
begin
  if was = new.status then return null; end if;
  update statistics set
    bounties_open = bounties_open + (new.status = 'open')::int - (was = 'open')::int,
    bounties_claimed = bounties_claimed + (new.status = 'claimed')::int - (was = 'claimed')::int,
    bounties_in_review = bounties_in_review + (new.status = 'in_review')::int - (was = 'in_review')::int,
    bounties_done = bounties_done + (new.status = 'done')::int - (was = 'done')::int,
    rewards_paid = rewards_paid + case when new.status = 'done' then new.reward_amount else 0 end
    where shard = pg_backend_pid() % 16;
  return null;
end $$;
create trigger bounties_counted after insert or update of status on bounties
  for each row execute function count_bounties();`
