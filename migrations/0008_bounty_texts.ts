import { type Kysely, sql } from 'kysely'

/**
 * What keyword searches look through moves into a table of its own. A bounty's row is written at each step of its life,
 * and each time every index of it gets an entry for the new row: the trigrams of its texts were half of what a claim cost.
 * No release had the columns that go. Whatever keeps readers out comes last.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(table).execute(db)
  await fill(db)
  await sql.raw(indexes).execute(db)
  await sql.raw(trigger).execute(db)
  // What other processes have stored before the trigger kept them from it.
  await fill(db)
  await sql.raw(removal).execute(db)
}

const table = `
create table bounty_texts (
  id text primary key,
  created_at timestamptz not null,
  title_folded text not null,
  description_folded text not null
);
comment on table bounty_texts is 'title and description of each bounty in lower case, kept by a trigger';`

async function fill(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into bounty_texts (id, created_at, title_folded, description_folded)
      select id, created_at, lower(title), lower(description) from bounties
       where not exists (select from bounty_texts where bounty_texts.id = bounties.id)
       order by created_at`.execute(db)
}

/* Texts are sampled closely, so that the planner can tell what is rare from what nearly every text has. */
const indexes = `
create index bounty_texts_newest on bounty_texts (created_at desc, id desc);
create index bounty_texts_keyword on bounty_texts using gin (title_folded gin_trgm_ops, description_folded gin_trgm_ops);
alter table bounty_texts
  alter column title_folded set statistics 500,
  alter column description_folded set statistics 500;
analyze bounty_texts;`

const trigger = `
create function keep_bounty_texts() returns trigger language plpgsql as $$
begin
  insert into bounty_texts (id, created_at, title_folded, description_folded)
    values (new.id, new.created_at, lower(new.title), lower(new.description))
    on conflict (id) do update
      set title_folded = excluded.title_folded, description_folded = excluded.description_folded;
  return null;
end $$;
create trigger bounties_texts after insert or update of title, description on bounties
  for each row execute function keep_bounty_texts();`

const removal = `
drop index bounties_keyword;
alter table bounties drop column title_folded, drop column description_folded;
comment on column projects.name_folded is 'what keyword searches look through, as are all columns of this kind';`
