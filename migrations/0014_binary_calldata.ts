import { type Kysely, sql } from 'kysely'

/** Calldata and signed bytes are stored as bytes: hex took twice the room. Both tables are rewritten. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table transactions
  drop constraint transactions_data_check,
  alter column data type bytea using decode(substr(data, 3), 'hex');
alter table transaction_attempts
  drop constraint transaction_attempts_raw_check,
  alter column raw type bytea using decode(substr(raw, 3), 'hex'),
  add constraint transaction_attempts_raw_check check (length(raw) > 0);`)
    .execute(db)
}
