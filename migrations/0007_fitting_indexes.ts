import { type Kysely, sql } from 'kysely'

/** Indexes that fit what is asked, and keyword searches that look at texts whose letters are in lower case already. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [folded, indexes, statistics]) await sql.raw(statement).execute(db)
}

/*
 * `ilike` folds the whole text of each row it looks at, which is most of what looking through rows costs, and
 * hundreds of texts of the statistics each time a search is planned. Adding the columns writes both tables anew.
 */
const folded = `
drop index bounties_keyword, projects_keyword;
alter table bounties
  add column title_folded text not null generated always as (lower(title)) stored,
  add column description_folded text not null generated always as (lower(description)) stored;
alter table projects
  add column name_folded text not null generated always as (lower(name)) stored,
  add column description_folded text not null generated always as (lower(description)) stored;
comment on column bounties.title_folded is 'what keyword searches look through, as are all columns of this kind';`

/*
 * One for each way of narrowing lists: a project's bounties of other difficulties are left out by the index that has them
 * in order, without looking at their rows. The activations that are not done get an index of all of them, for whoever
 * watches them.
 */
const indexes = `
drop index bounties_by_project, activations_running;
create index bounties_keyword on bounties using gin (title_folded gin_trgm_ops, description_folded gin_trgm_ops);
create index projects_keyword on projects using gin (name_folded gin_trgm_ops, description_folded gin_trgm_ops);
create index bounties_of_project on bounties (project_id, created_at desc, id desc, difficulty);
create index bounties_by_project_and_status on bounties (project_id, status, created_at desc, id desc, difficulty);
create index bounties_of_difficulty on bounties (difficulty, created_at desc, id desc);
create index activations_unfinished on activations (status, lease_until) where status <> 'done';`

/*
 * By which the planner takes them: a list is planned before its values are known, and where few values share a column it
 * would rather walk through everything, newest first, which for a rare value is the whole table. Texts are sampled more
 * closely, so that it can tell a phrase that many have, which is found at once among the newest, from one that has to be
 * looked up.
 */
const statistics = `
alter table bounties
  alter column status set (n_distinct = 1000),
  alter column difficulty set (n_distinct = 1000),
  alter column project_id set (n_distinct = 100000),
  alter column title_folded set statistics 500,
  alter column description_folded set statistics 500;
alter table projects
  alter column status set (n_distinct = 1000),
  alter column name_folded set statistics 500,
  alter column description_folded set statistics 500;
alter table activity alter column project_id set (n_distinct = 100000);
analyze bounties, projects, activity;`
