import { type Kysely, sql } from 'kysely'

/**
 * When an idempotent response is forgotten depends on what it holds, so each row says it. The first default costs no
 * rewrite of the table: it gives every row that is there the same value, at most a day later than its own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table idempotency_keys add column expires_at timestamptz not null default now() + interval '24 hours';
alter table idempotency_keys alter column expires_at set default clock_timestamp() + interval '24 hours';
comment on column idempotency_keys.expires_at is 'until then the response is repeated; earlier where it holds a secret';
update idempotency_keys set expires_at = created_at + interval '1 hour'
 where operation in ('agents.register', 'agents.rotateKey');
create index idempotency_keys_by_expiry on idempotency_keys (expires_at);
drop index idempotency_keys_by_age;`)
    .execute(db)
}
