import { type Kysely, sql } from 'kysely'

/**
 * Removes the table of single letters and pairs of letters: it took more bytes than the bounties themselves and half of
 * the time of an insert. The statement that stores a bounty now writes `bounty_texts` itself, so its trigger goes too.
 *
 * The trigrams of title and description are indexed together, because each distinct trigram of a column costs an entry.
 * New bounties wait in a list that is merged into the index when it has 12 MB, about 8,000 bounties. The larger the list,
 * the less log a bounty writes (about 7 kB, with 4 MB 8.1 kB) and the more of it each search has to read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [removal, index]) await sql.raw(statement).execute(db)
}

const removal = `
drop trigger bounties_grams on bounties;
drop trigger projects_grams on projects;
drop trigger bounties_texts on bounties;
drop table text_grams;
drop function keep_text_grams(), keep_bounty_texts(), text_grams(text);
comment on table bounty_texts is
  'title and description of each bounty in lower case, written with the bounty and never again';`

const index = `
drop index bounty_texts_keyword, bounty_texts_newest;
create index bounty_texts_keyword on bounty_texts
  using gin ((title_folded || ' ' || description_folded) gin_trgm_ops) with (gin_pending_list_limit = 12288);
analyze bounty_texts;`
