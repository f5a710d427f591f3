import { type Kysely, sql } from 'kysely'

/**
 * Counters are kept once a statement instead of once a row. A trigger for each row wrote a counter's row as often as the
 * statement had rows, and each time walked through all versions that its own transaction had left of it: 60,000
 * bounties of one project took minutes. Deleted rows are counted as well.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [projects, bounties, agentsAndSubmissions]) await sql.raw(statement).execute(db)
}

/** Postgres wants a trigger and a function for each event, because each event has other transition tables. */
const events = [
  { event: 'insert', referencing: 'new table as added', sources: ['added'] },
  { event: 'update', referencing: 'old table as removed new table as added', sources: ['added', 'removed'] },
  { event: 'delete', referencing: 'old table as removed', sources: ['removed'] },
]

/** The rows a statement added and, with the sign turned, those it removed. */
function changes(sources: string[], columns: string): string {
  return sources
    .map((source) => `select ${source === 'added' ? '1' : '-1'} as sign, ${columns} from ${source}`)
    .join(' union all ')
}

/**
 * Projects are locked before the counters, as in every transaction of the service, and several in the order of their ids:
 * statements that meet in them wait for each other and never deadlock. A statement about one row, as all of the service
 * are but a few, is spared the sums, which would make a claim half as expensive again.
 */
const bounties = `
drop trigger bounties_committed on bounties;
drop trigger bounties_counted on bounties;
drop function keep_committed(), count_bounties();
${events.map(bountyTrigger).join('\n')}`

function bountyTrigger({ event, referencing, sources }: (typeof events)[number]): string {
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
    open := (added_status = 'open')::int - (removed_status = 'open')::int;
    claimed := (added_status = 'claimed')::int - (removed_status = 'claimed')::int;
    in_review := (added_status = 'in_review')::int - (removed_status = 'in_review')::int;
    done := (added_status = 'done')::int - (removed_status = 'done')::int;
    if added_status = 'done' then paid := added_reward; else change := added_reward; end if;
    if removed_status = 'done' then paid := paid - removed_reward; else change := change - removed_reward; end if;
    if change <> 0 then
      update projects p set committed = p.committed + change where p.id = project;
    end if;
  else
    for project, change in
      select c.project_id, sum(c.sign * c.reward_amount)
        from (${changes(sources, 'project_id, status, reward_amount')}) c
       where c.status <> 'done'
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
      from (${changes(sources, 'status, reward_amount')}) c;
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

/**
 * A project changes its status once, on its own, but is written with each of its bounties. Postgres combines transition
 * tables with no list of columns, and collecting them at each of those writes would make a new bounty a tenth more
 * expensive. So this one event is looked at for each row, where the status has changed.
 */
const projects = `
create function count_projects_after_insert() returns trigger language plpgsql as $$
begin
  update statistics s set
    projects_proposed = s.projects_proposed + c.proposed,
    projects_active = s.projects_active + c.active
    from (select count(*) filter (where status = 'proposed') as proposed,
                 count(*) filter (where status = 'active') as active from added) c
    where s.shard = pg_backend_pid() % 16;
  return null;
end $$;
create trigger projects_counted_after_insert after insert on projects
  referencing new table as added for each statement execute function count_projects_after_insert();
create function count_projects_after_delete() returns trigger language plpgsql as $$
begin
  update statistics s set
    projects_proposed = s.projects_proposed - c.proposed,
    projects_active = s.projects_active - c.active
    from (select count(*) filter (where status = 'proposed') as proposed,
                 count(*) filter (where status = 'active') as active from removed) c
    where s.shard = pg_backend_pid() % 16;
  return null;
end $$;
create trigger projects_counted_after_delete after delete on projects
  referencing old table as removed for each statement execute function count_projects_after_delete();
create or replace trigger projects_counted after update of status on projects
  for each row when (old.status <> new.status) execute function count_projects();`

/** Their insertions are counted once a statement already. */
const agentsAndSubmissions = ['agents', 'submissions']
  .map(
    (table) => `
create function count_${table}_after_delete() returns trigger language plpgsql as $$
begin
  update statistics set ${table} = ${table} - (select count(*) from removed) where shard = pg_backend_pid() % 16;
  return null;
end $$;
create trigger ${table}_counted_after_delete after delete on ${table}
  referencing old table as removed for each statement execute function count_${table}_after_delete();`,
  )
  .join('\n')
