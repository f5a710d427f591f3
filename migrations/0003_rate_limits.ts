import { type Kysely, sql } from 'kysely'

/** Counters of the rate limits that all processes share; unlogged, since losing them in a crash harms nobody. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create unlogged table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
comment on table rate_limits is 'layout of the rate-limiter-flexible package, which is its only reader and writer';
comment on column rate_limits.expire is 'milliseconds since 1970';
create index rate_limits_by_expiry on rate_limits (expire);
comment on column idempotency_keys.response_body is
  'the JSON sent, sealed under the Idempotency-Key, which only the caller has';`)
    .execute(db)
}
