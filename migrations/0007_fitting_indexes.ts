import { type Kysely, sql } from 'kysely'

/**
 * An index for each way of narrowing lists: a project's bounties of other difficulties are left out by the index that
 * has them in order, without looking at their rows. And statistics by which the planner takes it: a list is planned
 * before its values are known, and where few values share a column it would rather walk through everything, newest
 * first, which for a rare value is the whole table. Texts are sampled more closely, so that it can tell a phrase that
 * many have, which is found at once among the newest, from one that has to be looked up. The activations that are not
 * done get an index of all of them, for whoever watches them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create index bounties_of_project on bounties (project_id, created_at desc, id desc, difficulty);
create index bounties_by_project_and_status on bounties (project_id, status, created_at desc, id desc, difficulty);
create index bounties_of_difficulty on bounties (difficulty, created_at desc, id desc);
create index activations_unfinished on activations (status, lease_until) where status <> 'done';
alter table bounties
  alter column status set (n_distinct = 1000),
  alter column difficulty set (n_distinct = 1000),
  alter column project_id set (n_distinct = 100000),
  alter column title set statistics 500,
  alter column description set statistics 500;
alter table projects
  alter column status set (n_distinct = 1000),
  alter column name set statistics 500,
  alter column description set statistics 500;
alter table activity alter column project_id set (n_distinct = 100000);
analyze bounties, projects, activity;
drop index bounties_by_project, activations_running;`)
    .execute(db)
}
