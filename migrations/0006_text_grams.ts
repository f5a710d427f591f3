import { type Kysely, sql } from 'kysely'

/** Rows a statement: far from what a connection takes for silence. */
const batch = 5000

/**
 * The single letters and pairs of letters in what keyword searches look through, for keywords that no trigram serves.
 * They are in a table of their own, not in an index on the texts: a bounty's row is written at each step of its life,
 * its texts once. The triggers come after the bulk of the rows, because making one keeps writers out until the end.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(grams).execute(db)
  await sql.raw(table).execute(db)
  await fill(db, 'bounties', 'title')
  await fill(db, 'projects', 'name')
  await sql.raw(triggers).execute(db)
  await fillMissing(db, 'bounties', 'title')
  await fillMissing(db, 'projects', 'name')
  await sql`analyze text_grams`.execute(db)
}

async function fill(db: Kysely<unknown>, table: string, heading: string): Promise<void> {
  let last: string | null = ''
  while (last !== null) {
    const { rows }: { rows: { last: string | null }[] } = await sql<{ last: string | null }>`
      with page as (
        select id, ${sql.ref(heading)} as heading, description from ${sql.table(table)}
         where id > ${last} order by id limit ${batch}),
      stored as (
        insert into text_grams (id, grams)
          select id, text_grams(heading) || text_grams(description) from page)
      select max(id) as last from page`.execute(db)
    last = rows[0]?.last ?? null
  }
}

/** What other processes have stored meanwhile. */
async function fillMissing(db: Kysely<unknown>, table: string, heading: string): Promise<void> {
  await sql`
    insert into text_grams (id, grams)
      select id, text_grams(${sql.ref(heading)}) || text_grams(description) from ${sql.table(table)} as texts
       where not exists (select from text_grams where text_grams.id = texts.id)`.execute(db)
}

// Three splits of the whole text: a row for each letter would take five times as long. The separator may itself occur in
// a text, where it counts as a space: grams only narrow a search down.
const grams = String.raw`
create function text_grams(whole text) returns text[] language sql immutable strict parallel safe as $$
  select tsvector_to_array(array_to_tsvector(array_remove(
           string_to_array(letters, null) ||
           string_to_array(regexp_replace(letters, '(..)', E'\\1\x01', 'g'), E'\x01') ||
           string_to_array(regexp_replace(substr(letters, 2), '(..)', E'\\1\x01', 'g'), E'\x01'), '')))
    from translate(lower(whole), E'\x01', ' ') as letters
$$;
comment on function text_grams is 'letters and pairs of neighbouring letters of a text in lower case, each once';`

const table = `
create table text_grams (
  id text primary key,
  grams text[] not null
);
comment on table text_grams is 'text_grams() of title, or name, and description of each bounty and project, kept by triggers';
create index text_grams_grams on text_grams using gin (grams);`

const triggers = `
create function keep_text_grams() returns trigger language plpgsql as $$
begin
  insert into text_grams (id, grams)
    values (new.id, text_grams(to_jsonb(new) ->> tg_argv[0]) || text_grams(new.description))
    on conflict (id) do update set grams = excluded.grams;
  return null;
end $$;
create trigger bounties_grams after insert or update of title, description on bounties
  for each row execute function keep_text_grams('title');
create trigger projects_grams after insert or update of name, description on projects
  for each row execute function keep_text_grams('name');`
