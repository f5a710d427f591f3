import { type Kysely, sql } from 'kysely'

/** Submissions with their reviews, and the pull requests behind them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [submissions, pullRequests, deliveries, reports])
    await sql.raw(statement).execute(db)
}

const submissions = `
create table submissions (
  id text primary key,
  bounty_id text not null references bounties,
  agent_id text not null references agents,
  pr_url text not null,
  status text not null default 'pending'
    check (status in ('pending', 'approving', 'approved', 'rejected', 'changes_requested', 'retracted')),
  review_notes text,
  created_at timestamptz not null default clock_timestamp(),
  reviewed_at timestamptz,
  project_id text not null,
  review_due_at timestamptz not null,
  overdue_at timestamptz,
  head_sha text,
  is_attributed boolean not null default false,
  bar boolean not null default false check (not bar or status = 'rejected'),
  while_lost boolean not null default false check (not while_lost or status = 'retracted'),
  merge_counts_from timestamptz not null default clock_timestamp(),
  accepted_by text check (accepted_by in ('founder', 'merge', 'rule')),
  acceptance_blocked text check (acceptance_blocked in
    ('insufficient_funds', 'payouts_disabled', 'payout_limit_reached', 'dollars_lock_over',
    'contributor_wallet_missing', 'contributor_wallet_is_founders')),
  accepts_at timestamptz,
  accepts_sha text,
  acceptance_seen jsonb,
  check ((accepts_at is null) = (accepts_sha is null)),
  check ((status in ('pending', 'approving')) = (reviewed_at is null))
);
comment on column submissions.reviewed_at is 'when its review ended; of a retracted submission when that was';
comment on column submissions.overdue_at is 'when the log was told that its review is overdue';
comment on column submissions.head_sha is 'newest commit of the pull request when it was submitted';
comment on column submissions.is_attributed is 'whether the branch of the pull request names the agent and the bounty';
comment on column submissions.bar is 'its rejection keeps the agent from claiming the bounty again';
comment on column submissions.while_lost is 'whether it was retracted while the repository was lost, so that it does not count as given up';
comment on column submissions.merge_counts_from is 'when its bounty was claimed: a merge before that is older work';
comment on column submissions.accepted_by is 'whether the founder approved it, merged it, or has set a rule by which its silence accepts, once its payout has begun; null also where only the chain shows that';
comment on column submissions.acceptance_blocked is 'why it cannot be paid yet although it is accepted; null until that is found';
comment on column submissions.accepts_at is 'when the silence of the founder pays for the commit accepts_sha; kept when it is rejected, and null while the rule of the bounty does not hold';
comment on column submissions.acceptance_seen is 'what the last look at it by the rule of its bounty has found';
create unique index submissions_one_unreviewed on submissions (bounty_id)
  where status in ('pending', 'approving');
create unique index submissions_one_approved on submissions (bounty_id) where status = 'approved';
create unique index submissions_one_live_of_pull_request on submissions (pr_url)
  where status in ('pending', 'approving', 'approved');
create index submissions_by_bounty on submissions (bounty_id, created_at, id);
create index submissions_of_agent on submissions (agent_id, status, created_at desc, id desc);
create index submissions_approved on submissions (agent_id) where status = 'approved';
create index submissions_of_project on submissions (project_id, status, created_at, id) include (reviewed_at, review_due_at, overdue_at);
create index submissions_of_rules on submissions (project_id) where acceptance_seen is not null;
create index submissions_of_pull_request on submissions using hash (pr_url);
create index submissions_reviews_due on submissions (review_due_at) where status = 'pending' and overdue_at is null;
create trigger submissions_transition before update of status on submissions for each row execute function
  allow_transitions('pending>approving', 'pending>rejected', 'pending>changes_requested', 'pending>retracted',
    'approving>pending', 'approving>approved');`

/**
 * `pull_requests_unmerged` finds the paid pull requests that a founder has not merged. Over 200 projects with 20,000 pull
 * requests, 2,300 of them open, a list of tasks takes 7 ms with it and 35 ms without it.
 */
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
  base_ref text not null check (char_length(base_ref) between 1 and 1000),
  into_default boolean not null,
  opened_at timestamptz,
  changed_at timestamptz not null,
  author_id bigint,
  author_login text,
  fork_owner_id bigint,
  head_ref text not null,
  additions integer not null check (additions >= 0),
  deletions integer not null check (deletions >= 0),
  changed_files integer not null check (changed_files >= 0),
  mergeable boolean,
  checks_state text not null default 'none' check (checks_state in ('none', 'pending', 'success', 'failure', 'unknown')),
  failed_checks text[] not null default '{}',
  neutral_checks text[] not null default '{}',
  skipped_checks text[] not null default '{}',
  checks_total integer default 0 check (checks_total >= 0),
  etags jsonb not null default '{}',
  refreshed_at timestamptz not null default clock_timestamp(),
  read_at timestamptz not null default clock_timestamp(),
  due_at timestamptz default clock_timestamp(),
  merged_at timestamptz,
  merged_by_itself boolean not null default false,
  merged_by_hash boolean not null default false,
  merged_by_id bigint,
  acceptance_due_at timestamptz,
  constraint pull_requests_merged check (not merged or state <> 'open'),
  constraint pull_requests_merge_commit check (merged or merge_commit_sha is null),
  constraint pull_requests_merged_by check (
    merged or num_nonnulls(nullif(merged_by_itself, false), merged_by_id) = 0),
  constraint pull_requests_author check ((author_id is null) = (author_login is null))
);
create unique index pull_requests_of_project on pull_requests (project_id, number);
create index pull_requests_due on pull_requests (due_at) where due_at is not null;
create index pull_requests_acceptances on pull_requests (acceptance_due_at) where acceptance_due_at is not null;
create index pull_requests_merged on pull_requests (project_id, merge_commit_sha) where merged;
create index pull_requests_unmerged on pull_requests (project_id) where not merged and state <> 'gone';
comment on table pull_requests is 'facts about pull requests that were submitted, as the code host reported them; url is that of their submissions';
comment on column pull_requests.state is 'gone: the code host no longer has it, the other columns are what it reported last';
comment on column pull_requests.base_ref is 'the branch that it is to be merged into';
comment on column pull_requests.into_default is 'whether that is the default branch';
comment on column pull_requests.opened_at is 'when it was opened, by the clock of the code host';
comment on column pull_requests.changed_at is 'when it changed last, by the clock of the code host';
comment on column pull_requests.author_id is 'id that the code host gave the account that opened it; null where it was deleted';
comment on column pull_requests.fork_owner_id is 'id of the account whose fork it comes from; null where it comes from the repository itself, or the host does not say';
comment on column pull_requests.head_ref is 'the name of its branch, which says whose work it is';
comment on column pull_requests.mergeable is 'null: the code host has not found out yet';
comment on column pull_requests.checks_total is 'check runs and statuses of the newest commit at the code host; null: it does not show them';
comment on column pull_requests.etags is 'entity tags of the responses that the facts are from';
comment on column pull_requests.refreshed_at is 'since when the facts are those that the code host reports';
comment on column pull_requests.read_at is 'when the code host was last asked';
comment on column pull_requests.due_at is 'when the code host is to be asked again; null: only when somebody reads it';
comment on column pull_requests.merged_at is 'when it was merged, by the clock of the code host, or when it was seen open last, if that is later';
comment on column pull_requests.merged_by_hash is 'whether this service has brought the paid commit itself to the default branch, or has asked for that and does not know the outcome, and no squash of it';
comment on column pull_requests.merged_by_itself is 'whether it was merged, and did not only come along with the commits of another one';
comment on column pull_requests.merged_by_id is 'id of the account that merged it; null if the code host does not say';
comment on column pull_requests.acceptance_due_at is 'when its merge, or the silence of the founder, is to be taken for an acceptance, or it is looked at again; null: nothing waits for that';`

const deliveries = `
create table github_deliveries (
  id text primary key check (char_length(id) <= 100),
  event text not null check (char_length(event) <= 100),
  action text check (char_length(action) <= 100),
  repository_id bigint,
  pull_number integer,
  head_sha text,
  check_id bigint,
  received_at timestamptz not null default clock_timestamp()
);
create index github_deliveries_of_repository on github_deliveries (repository_id, received_at);
create index github_deliveries_received on github_deliveries using brin (received_at);
comment on table github_deliveries is 'webhooks that the code host has sent, so that none counts twice; ids only, no text';`

const reports = `
create table reported_pulls (
  repository_id bigint not null,
  number integer not null check (number > 0),
  is_open boolean not null,
  merged boolean not null,
  changed_at timestamptz not null,
  received_at timestamptz not null default clock_timestamp(),
  merge jsonb,
  primary key (repository_id, number)
);
create index reported_pulls_received on reported_pulls using brin (received_at);
comment on table reported_pulls is 'what webhooks of the code host have said last about pull requests: what is read from it and older does not count';
comment on column reported_pulls.is_open is 'whether it was open then';
comment on column reported_pulls.changed_at is 'when it had changed last, by the clock of the code host';
comment on column reported_pulls.received_at is 'when the last webhook with news came';
comment on column reported_pulls.merge is 'who merged what by which commit, where a webhook has said all of it';`
