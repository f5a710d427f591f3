import { type Kysely, sql } from 'kysely'

/** Operator keys pay for deployments as for relays: so many an agent and day, within a gas budget. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table activations add column started_at timestamptz not null default '-infinity';
alter table activations alter column started_at set default clock_timestamp();
alter table activations add column gas_reserved_wei numeric(78, 0) not null default 0 check (gas_reserved_wei >= 0);
comment on column activations.started_at is 'when it was last asked for; what was stored before this column counts as long ago';
comment on column activations.gas_reserved_wei is 'most that its deployment can cost; once that has ended, what it has cost';
create index activations_by_start on activations (started_at);`)
    .execute(db)
}
