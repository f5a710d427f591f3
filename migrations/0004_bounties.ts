import { type Kysely, sql } from 'kysely'

/** Bounties, what searches look through, and claims with their deadlines. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [bounties, indexes, revisions, texts, heartbeat, claims])
    await sql.raw(statement).execute(db)
}

const bounties = `
create table bounties (
  id text primary key,
  project_id text not null references projects,
  title text not null check (char_length(title) between 1 and 200),
  description text not null check (char_length(description) between 1 and 2000),
  reward_amount bigint not null check (reward_amount between 1 and 1000000000000),
  difficulty text not null check (difficulty in ('easy', 'medium', 'hard', 'extreme')),
  revision integer not null default 1 check (revision > 0),
  tags text[] not null default '{}',
  status text not null default 'open' check (status in ('open', 'claimed', 'in_review', 'done', 'cancelled')),
  claimed_by text references agents,
  claimed_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  claim_expires_at timestamptz,
  extensions_left smallint check (extensions_left between 0 and 2),
  postponed_from timestamptz,
  extended_by interval not null default '0',
  min_approved smallint check (min_approved between 0 and 50),
  acceptance jsonb,
  comments_min_approved smallint not null default 0 check (comments_min_approved between 0 and 50),
  proof_due_at timestamptz,
  seen_sha text,
  look_at timestamptz,
  looked_at timestamptz,
  listed_at timestamptz,
  check ((status in ('open', 'cancelled')) = (claimed_by is null)),
  check ((claimed_by is null) = (claimed_at is null)),
  constraint bounties_claim_expires check ((status = 'claimed') = (claim_expires_at is not null)),
  constraint bounties_extensions check ((status = 'claimed') = (extensions_left is not null)),
  constraint bounties_proof check (proof_due_at is null or (status = 'claimed' and seen_sha is null)),
  check (look_at is null or status = 'claimed')
);
comment on column bounties.reward_amount is 'whole tokens';
comment on column bounties.min_approved is 'standing that a claimant needs; null: as much as the project wants';
comment on column bounties.acceptance is 'the checks with their posters, paths and hours by which the silence of the founder accepts; null: it never does';
comment on column bounties.comments_min_approved is 'standing that an agent without a claim or work on it needs to comment';
comment on column bounties.proof_due_at is 'until when work of the claimant has to be seen; null where it was, or need not be';
comment on column bounties.seen_sha is 'the commit by which work of the claimant was seen last';
comment on column bounties.look_at is 'when the code host is to be asked for work of the claimant';
comment on column bounties.looked_at is 'when it was asked last for work of a claimant';
comment on column bounties.listed_at is 'when it was asked for the list of work that it has shown since a deadline of a claim';
comment on column bounties.extended_by is 'how much of the time until claim_expires_at extensions have added';
comment on column bounties.postponed_from is 'when the claim would have ended if the code host had not been away when its claimant submitted';
create trigger bounties_transition before update of status on bounties for each row execute function
  allow_transitions('open>claimed', 'open>cancelled', 'claimed>open', 'claimed>in_review', 'in_review>claimed', 'in_review>open',
    'in_review>done');`

/**
 * One for each way of narrowing lists: a project's bounties of other difficulties are left out by the index that has them
 * in order, without looking at their rows; so are lower rewards than a list wants. Lists without a status leave cancelled
 * bounties out, so their indexes do too. Lists by reward have open bounties alone, so that a claim writes to none of their
 * indexes. A bounty without tags costs the index of tags nothing.
 * About the numbers of distinct values see the projects.
 */
const indexes = `
create unique index bounties_one_active_claim on bounties (claimed_by, project_id)
  where status in ('claimed', 'in_review');
create index bounties_newest on bounties (created_at desc, id desc, reward_amount) where status <> 'cancelled';
create index bounties_by_status on bounties (status, created_at desc, id desc, reward_amount);
create index bounties_of_project on bounties (project_id, created_at desc, id desc, difficulty, reward_amount) where status <> 'cancelled';
create index bounties_by_project_and_status on bounties (project_id, status, created_at desc, id desc, difficulty, reward_amount);
create index bounties_of_difficulty on bounties (difficulty, created_at desc, id desc, reward_amount) where status <> 'cancelled';
create index bounties_by_difficulty on bounties (difficulty, status, created_at desc, id desc, reward_amount);
create index bounties_open_by_reward on bounties (reward_amount desc, created_at desc, id desc) where status = 'open';
create index bounties_open_of_project_by_reward on bounties (project_id, reward_amount desc, created_at desc, id desc) where status = 'open';
create index bounties_by_tag on bounties using gin (tags) where tags <> '{}';
create index bounties_lapsing on bounties (claim_expires_at) where status = 'claimed';
create index bounties_to_look_at on bounties (look_at) where look_at is not null;
alter table bounties
  alter column status set (n_distinct = 1000),
  alter column difficulty set (n_distinct = 1000),
  alter column project_id set (n_distinct = 100000);`

/** Rows are never changed. A bounty that was never changed has none: its own row is the first revision. */
const revisions = `
create table bounty_revisions (
  bounty_id text not null references bounties,
  revision integer not null,
  title text not null,
  description text not null,
  difficulty text not null check (difficulty in ('easy', 'medium', 'hard', 'extreme')),
  reward_amount bigint not null,
  tags text[] not null,
  min_approved smallint,
  acceptance jsonb,
  created_at timestamptz not null,
  primary key (bounty_id, revision)
);
comment on table bounty_revisions is 'every revision, also the present one, of each bounty that was changed';`

/**
 * A table of its own, because a bounty's row is written at each step of its life, and each time every index of it gets an
 * entry for the new row: the trigrams of its texts were half of what a claim cost. Title and description are indexed
 * together, because each distinct trigram of a column costs an entry. New bounties wait in a list that is merged into the
 * index when it has 12 MB, about 8,000 bounties. The larger the list, the less log a bounty writes (about 7 kB, with 4 MB
 * 8.1 kB) and the more of it each search has to read.
 */
const texts = `
create table bounty_texts (
  id text primary key,
  created_at timestamptz not null,
  title_folded text not null,
  description_folded text not null
);
comment on table bounty_texts is 'title and description of each bounty in lower case';
create index bounty_texts_keyword on bounty_texts
  using gin ((title_folded || ' ' || description_folded) gin_trgm_ops) with (gin_pending_list_limit = 12288);
alter table bounty_texts
  alter column title_folded set statistics 500,
  alter column description_folded set statistics 500;`

const heartbeat = `
create table heartbeat (
  is_the_row boolean primary key default true check (is_the_row),
  beaten_at timestamptz not null default clock_timestamp(),
  nothing_lapses_before timestamptz not null default '-infinity'
);
insert into heartbeat default values;
comment on table heartbeat is 'one row: when a process of the service last ran, so that outages end no deadline';
comment on column heartbeat.nothing_lapses_before is 'the end of the latest outage plus its length';`

const claims = `
create function keep_claim() returns trigger language plpgsql as $$
begin
  if old.status <> 'claimed' or new.status <> 'claimed' or old.claim_expires_at > now()
      or exists (select from heartbeat where nothing_lapses_before > now() or beaten_at < now() - interval '30 seconds') then
    raise exception 'only a claim that has lapsed passes to another agent'
      using errcode = 'check_violation', constraint = 'bounties_claim_kept';
  end if;
  return new;
end $$;
create trigger bounties_claim_kept before update of claimed_by on bounties for each row
  when (old.claimed_by <> new.claimed_by) execute function keep_claim();

create table ended_claims (
  bounty_id text not null references bounties (id),
  agent_id text not null references agents (id),
  claimed_at timestamptz not null,
  ended_at timestamptz not null default clock_timestamp(),
  ending text not null check (ending in ('released', 'lapsed', 'dismissed')),
  work_seen boolean not null default false,
  while_lost boolean not null default false,
  primary key (bounty_id, agent_id, claimed_at)
);
create index ended_claims_of_agent on ended_claims (agent_id, ending);
create index ended_claims_dismissed on ended_claims (bounty_id) where ending = 'dismissed';
comment on table ended_claims is 'claims that ended without a submission';
comment on column ended_claims.work_seen is 'whether work of the claimant had been seen';
comment on column ended_claims.while_lost is 'whether the repository was lost, so that it does not count as given up';
create table seen_heads (
  project_id text not null references projects (id),
  agent_id text not null references agents (id),
  head_sha text not null,
  seen_at timestamptz not null default clock_timestamp(),
  primary key (project_id, agent_id, head_sha)
);
comment on column seen_heads.seen_at is 'when it was there first: a pull request that another account opens with the commit later does not say whose it is';
comment on table seen_heads is 'commits that the code host showed when an agent claimed a bounty, or that have shown or were submitted as its work since: they are no new work';
create table seen_pulls (
  bounty_id text not null references bounties (id),
  agent_id text not null references agents (id),
  number integer not null check (number > 0),
  head_sha text,
  seen_at timestamptz not null default clock_timestamp(),
  merged_at timestamptz,
  look_at timestamptz check (merged_at is not null or look_at is null),
  primary key (bounty_id, agent_id, number)
);
create index seen_pulls_due on seen_pulls (look_at) where look_at is not null;
create index seen_pulls_number on seen_pulls (number);
comment on column seen_pulls.merged_at is 'when the code host reported that it is merged, unless a reading has shown that this accepts nothing';
comment on column seen_pulls.look_at is 'when that reading is due; once it has shown an acceptance, the deadline of the claim, at which it is submitted';
comment on column seen_pulls.head_sha is 'its newest commit that was found to change files against the default branch';
comment on column seen_pulls.seen_at is 'when that was found, or the pull request was seen first';
comment on table seen_pulls is 'pull requests whose branch names the agent and the bounty';`
