import { type Kysely, sql } from 'kysely'

/**
 * API keys that a rotation has replaced. The key in force stays where it is, in `agents`, so that a process of the
 * previous version goes on knowing it; such a process takes a replaced key for unknown.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table replaced_keys (
  key_id text primary key,
  agent_id text not null references agents,
  key_hash text not null check (key_hash like '$argon2id$%'),
  ends_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp()
);
comment on table replaced_keys is 'API keys that a rotation has replaced: good until ends_at, after it only to read that rotation''s answer again';
create index replaced_keys_by_agent on replaced_keys (agent_id);
create index replaced_keys_by_end on replaced_keys (ends_at);`)
    .execute(db)
}
