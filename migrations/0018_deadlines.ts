import { type Kysely, sql } from 'kysely'

/**
 * Deadlines: a claim and a review last only so long, an open bounty can be cancelled, and a submission can be retracted or sent
 * back for changes. Claims and submissions that wait at the time of the migration get the whole of their time from then on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [heartbeat, claims, submissions, cancelled, own, activity])
    await sql.raw(statement).execute(db)
  for (const name of ['count_bounties_after_update', 'count_bounties_after_delete'])
    await leaveCancelledOut(db, name)
}

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
alter table bounties
  add column claim_expires_at timestamptz,
  add column extensions_left smallint check (extensions_left between 0 and 2);
update bounties set extensions_left = 2, claim_expires_at = now() + make_interval(hours =>
    case difficulty when 'easy' then 24 when 'medium' then 72 when 'hard' then 168 else 336 end)
  where status = 'claimed';
alter table bounties
  add constraint bounties_claim_expires check ((status = 'claimed') = (claim_expires_at is not null)),
  add constraint bounties_extensions check ((status = 'claimed') = (extensions_left is not null));
create index bounties_lapsing on bounties (claim_expires_at) where status = 'claimed';
drop trigger bounties_transition on bounties;
create trigger bounties_transition before update of status on bounties for each row execute function
  allow_transitions('open>claimed', 'open>cancelled', 'claimed>open', 'claimed>in_review', 'in_review>claimed', 'in_review>open',
    'in_review>done');
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
  ending text not null check (ending in ('released', 'lapsed')),
  primary key (bounty_id, agent_id, claimed_at)
);
create index ended_claims_of_agent on ended_claims (agent_id, ending);
comment on table ended_claims is 'claims that ended without a submission';`

const submissions = `
alter table submissions
  add column project_id text,
  add column review_due_at timestamptz,
  drop constraint submissions_check,
  drop constraint submissions_status_check;
update submissions s set project_id = b.project_id,
    review_due_at = case when s.reviewed_at is null then now() else s.created_at end + interval '7 days'
  from bounties b where b.id = s.bounty_id;
alter table submissions
  alter column project_id set not null,
  alter column review_due_at set not null,
  add constraint submissions_status_check check (status in ('pending', 'approving', 'approved', 'rejected', 'changes_requested',
    'retracted')),
  add constraint submissions_check check ((status in ('pending', 'approving')) = (reviewed_at is null));
comment on column submissions.reviewed_at is 'when its review ended; of a retracted submission when that was';
create index submissions_of_agent on submissions (agent_id, status, created_at desc, id desc);
create index submissions_of_project on submissions (project_id, status, created_at, id) include (reviewed_at, review_due_at);
create index submissions_of_pull_request on submissions using hash (pr_url);
drop trigger submissions_transition on submissions;
create trigger submissions_transition before update of status on submissions for each row execute function
  allow_transitions('pending>approving', 'pending>rejected', 'pending>changes_requested', 'pending>retracted',
    'approving>pending', 'approving>approved');`

/** Lists without a status leave cancelled bounties out, so their indexes do too. */
const cancelled = `
alter table bounties
  drop constraint bounties_status_check,
  drop constraint bounties_check,
  add constraint bounties_status_check check (status in ('open', 'claimed', 'in_review', 'done', 'cancelled')),
  add constraint bounties_check check ((status in ('open', 'cancelled')) = (claimed_by is null));
drop index bounties_newest;
drop index bounties_of_project;
drop index bounties_of_difficulty;
create index bounties_newest on bounties (created_at desc, id desc) where status <> 'cancelled';
create index bounties_of_project on bounties (project_id, created_at desc, id desc, difficulty) where status <> 'cancelled';
create index bounties_of_difficulty on bounties (difficulty, created_at desc, id desc) where status <> 'cancelled';
analyze bounties;
analyze submissions;`

const own = `
create index projects_of_founder on projects (founder_id, created_at desc, id desc);`

const activity = `
alter table activity
  drop constraint activity_type_check,
  add constraint activity_type_check check (type in ('agent.registered', 'project.created', 'project.activated',
    'bounty.created', 'bounty.claimed', 'bounty.cancelled', 'claim.extended', 'claim.released', 'claim.lapsed',
    'submission.created', 'submission.approved', 'submission.rejected', 'submission.changes_requested', 'submission.retracted',
    'withdrawal.requested', 'withdrawal.confirmed', 'withdrawal.failed',
    'allowance.requested', 'allowance.confirmed', 'allowance.failed', 'wallet.exported'));`

/** A cancelled bounty is in no counter and in no project's `committed`. The functions stay as they were otherwise. */
async function leaveCancelledOut(db: Kysely<unknown>, name: string): Promise<void> {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_functiondef(${name}::regproc) as definition`.execute(db)
  const definition = rows[0]?.definition ?? ''
  const changed = definition
    .replaceAll(/else change := (.*?); end if;/g, (whole, term: string) => {
      const status = term.endsWith('added_reward') ? 'added_status' : 'removed_status'
      return whole.replace('else change', `elsif ${status} <> 'cancelled' then change`)
    })
    .replace("c.status <> 'done'", "c.status not in ('done', 'cancelled')")
  if (changed === definition) throw new Error(`${name} is not as the migrations left it`)
  await sql.raw(changed).execute(db)
}
