import { type Kysely, sql } from 'kysely'

/**
 * Removes the table of single letters and pairs of letters: it took more bytes than the bounties themselves and half of
 * the time of an insert. The statement that stores a bounty now writes `bounty_texts` itself, so its trigger goes too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
drop trigger bounties_grams on bounties;
drop trigger projects_grams on projects;
drop trigger bounties_texts on bounties;
drop table text_grams;
drop function keep_text_grams(), keep_bounty_texts(), text_grams(text);
comment on table bounty_texts is
  'title and description of each bounty in lower case, written with the bounty and never again';`)
    .execute(db)
}
