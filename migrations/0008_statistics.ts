import { type Kysely, sql } from 'kysely'

/**
 * The counters behind the statistics and each project's `committed`, kept once a statement. A trigger for each row would write
 * a counter's row as often as the statement has rows, and each time walk through all versions that its own transaction
 * has left of it: 60,000 bounties of one project took minutes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [statistics, ...agentsAndSubmissions, ...projects, ...events.map(bounties)])
    await sql.raw(statement).execute(db)
}

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

const agentsAndSubmissions = ['agents', 'submissions'].map(
  (table) => `
create function count_${table}() returns trigger language plpgsql as $$
begin
  update statistics set ${table} = ${table} + (select count(*) from added) where shard = pg_backend_pid() % 16;
  return null;
end $$;
create trigger ${table}_counted after insert on ${table}
  referencing new table as added for each statement execute function count_${table}();
create function count_${table}_after_delete() returns trigger language plpgsql as $$
begin
  update statistics set ${table} = ${table} - (select count(*) from removed) where shard = pg_backend_pid() % 16;
  return null;
end $$;
create trigger ${table}_counted_after_delete after delete on ${table}
  referencing old table as removed for each statement execute function count_${table}_after_delete();`,
)

/**
 * A project changes its status once, on its own, but is written with each of its bounties. Postgres combines transition
 * tables with no list of columns, and collecting them at each of those writes would make a new bounty a tenth more
 * expensive. So this one event is looked at for each row, where the status has changed.
 */
const projects = [
  `
create function count_projects() returns trigger language plpgsql as $$
begin
  update statistics set
    projects_proposed = projects_proposed + (new.status = 'proposed')::int - (old.status = 'proposed')::int,
    projects_active = projects_active + (new.status = 'active')::int - (old.status = 'active')::int
    where shard = pg_backend_pid() % 16;
  return null;
end $$;
create trigger projects_counted after update of status on projects
  for each row when (old.status <> new.status) execute function count_projects();`,
  ...[
    { event: 'insert', rows: 'new table as added', sign: '+', source: 'added' },
    { event: 'delete', rows: 'old table as removed', sign: '-', source: 'removed' },
  ].map(
    ({ event, rows, sign, source }) => `
create function count_projects_after_${event}() returns trigger language plpgsql as $$
begin
  update statistics s set
    projects_proposed = s.projects_proposed ${sign} c.proposed,
    projects_active = s.projects_active ${sign} c.active
    from (select count(*) filter (where status = 'proposed') as proposed,
                 count(*) filter (where status = 'active') as active from ${source}) c
    where s.shard = pg_backend_pid() % 16;
  return null;
end $$;
create trigger projects_counted_after_${event} after ${event} on projects
  referencing ${rows} for each statement execute function count_projects_after_${event}();`,
  ),
]

/** Postgres wants a trigger and a function for each event, because each event has other transition tables. */
const events = [
  { event: 'insert', referencing: 'new table as added', sources: ['added'] },
  { event: 'update', referencing: 'old table as removed new table as added', sources: ['added', 'removed'] },
  { event: 'delete', referencing: 'old table as removed', sources: ['removed'] },
]

/**
 * Projects are locked before the counters, as in every transaction of the service, and several in the order of their ids:
 * statements that meet in them wait for each other and never deadlock. A statement about one row, as all of the service
 * are but a few, is spared the sums, which would make a claim half as expensive again.
 */
function bounties({ event, referencing, sources }: (typeof events)[number]): string {
  return `
create function count_bounties_after_${event}() returns trigger language plpgsql as $$
declare
  rows bigint;
  added_status text := '';
  added_project text;
  added_reward bigint := 0;
  removed_status text := '';
  removed_project text;
  removed_reward bigint := 0;
  project text;
  change bigint := 0;
  open bigint;
  claimed bigint;
  in_review bigint;
  done bigint;
  paid numeric := 0;
begin
${sources
  .map(
    (source) => `
  select count(*), min(b.project_id), min(b.status), min(b.reward_amount)
    into rows, ${source}_project, ${source}_status, ${source}_reward from ${source} b;`,
  )
  .join('')}
  if rows = 0 then return null; end if;
  project := coalesce(added_project, removed_project);
  if rows = 1 and project = coalesce(removed_project, project) then
${countOne}
  else
${countSeveral(sources)}
  end if;
  if open <> 0 or claimed <> 0 or in_review <> 0 or done <> 0 or paid <> 0 then
    update statistics set
      bounties_open = bounties_open + open,
      bounties_claimed = bounties_claimed + claimed,
      bounties_in_review = bounties_in_review + in_review,
      bounties_done = bounties_done + done,
      rewards_paid = rewards_paid + paid
      where shard = pg_backend_pid() % 16;
  end if;
  return null;
end $$;
create trigger bounties_counted_after_${event} after ${event} on bounties
  referencing ${referencing} for each statement execute function count_bounties_after_${event}();`
}

const countOne = `\
    open := (added_status = 'open')::int - (removed_status = 'open')::int;
    claimed := (added_status = 'claimed')::int - (removed_status = 'claimed')::int;
    in_review := (added_status = 'in_review')::int - (removed_status = 'in_review')::int;
    done := (added_status = 'done')::int - (removed_status = 'done')::int;
    if added_status = 'done' then paid := added_reward; elsif added_status <> 'cancelled' then change := added_reward; end if;
    if removed_status = 'done' then paid := paid - removed_reward; elsif removed_status <> 'cancelled' then change := change - removed_reward; end if;
    if change <> 0 then
      update projects p set committed = p.committed + change where p.id = project;
    end if;`

function countSeveral(sources: string[]): string {
  return `\
    for project, change in
      select c.project_id, sum(c.sign * c.reward_amount)
        from (${changes(sources, 'project_id, status, reward_amount')}) c
       where c.status not in ('done', 'cancelled')
       group by c.project_id
      having sum(c.sign * c.reward_amount) <> 0
       order by c.project_id
    loop
      update projects p set committed = p.committed + change where p.id = project;
    end loop;
    select
        coalesce(sum(c.sign) filter (where c.status = 'open'), 0),
        coalesce(sum(c.sign) filter (where c.status = 'claimed'), 0),
        coalesce(sum(c.sign) filter (where c.status = 'in_review'), 0),
        coalesce(sum(c.sign) filter (where c.status = 'done'), 0),
        coalesce(sum(c.sign * c.reward_amount) filter (where c.status = 'done'), 0)
      into open, claimed, in_review, done, paid
      from (${changes(sources, 'status, reward_amount')}) c;`
}

/** The rows a statement added and, with the sign turned, those it removed. */
function changes(sources: string[], columns: string): string {
  return sources
    .map((source) => `select ${source === 'added' ? '1' : '-1'} as sign, ${columns} from ${source}`)
    .join(' union all ')
}
