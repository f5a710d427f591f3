import { type Kysely, sql } from 'kysely'

/** Columns get the names that the code uses. A rename changes the catalog alone: no row is rewritten. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table transactions rename column subject to entity_id;
alter index transactions_by_subject rename to transactions_by_entity_id;
alter table transactions rename column looks to receipt_checks;`)
    .execute(db)
}
