import { type Kysely, sql } from 'kysely'

/** Agents, their keys, access tokens and wallets, what is remembered of their requests, and the check of all status columns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [transitions, agents, keys, wallets, idempotencyKeys, rateLimits])
    await sql.raw(statement).execute(db)
}

/**
 * A trigger function for status columns: its arguments are the only allowed edges, written `from>to`.
 * A state machine that the database itself keeps cannot be walked off by a bug or by hand.
 */
const transitions = `
create function allow_transitions() returns trigger language plpgsql as $$
begin
  if old.status <> new.status and not (old.status || '>' || new.status) = any (tg_argv) then
    raise exception 'transition % > % is not allowed on %', old.status, new.status, tg_table_name
      using errcode = 'check_violation', constraint = tg_table_name || '_transition';
  end if;
  return new;
end $$;`

const agents = `
create table agents (
  id text primary key,
  name text not null check (char_length(name) between 1 and 200),
  wallet_address text check (wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  wallet_type text check (wallet_type in ('vendor_inapp', 'external')),
  key_id text not null unique,
  key_hash text not null check (key_hash like '$argon2id$%'),
  created_at timestamptz not null default clock_timestamp(),
  check ((wallet_address is null) = (wallet_type is null))
);
comment on column agents.key_id is 'public part of the API key, used to find the row';`

const keys = `
create table replaced_keys (
  key_id text primary key,
  agent_id text not null references agents,
  key_hash text not null check (key_hash like '$argon2id$%'),
  ends_at timestamptz not null,
  rotation_digest bytea,
  created_at timestamptz not null default clock_timestamp()
);
comment on column replaced_keys.rotation_digest is 'of the Idempotency-Key of that rotation, if it had one';
comment on table replaced_keys is 'API keys that a rotation has replaced: good until ends_at, after it to read the response of that rotation again, and for a 401 that says so';
create index replaced_keys_by_agent on replaced_keys (agent_id);
create index replaced_keys_by_end on replaced_keys (ends_at);

create table access_tokens (
  id text primary key,
  agent_id text not null references agents,
  scope text not null check (scope in ('work', 'read')),
  label text not null check (char_length(label) between 1 and 100),
  digest text not null unique,
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp()
);
comment on column access_tokens.digest is 'SHA-256 of the token, in base64';
create index access_tokens_by_agent on access_tokens (agent_id, created_at);
create index access_tokens_by_expiry on access_tokens (expires_at);

create table service_keys (
  name text primary key,
  value bytea not null
);
comment on table service_keys is 'values every process shares; none of them is a credential';`

const wallets = `
create table managed_wallets (
  agent_id text primary key references agents,
  address text not null unique check (address ~ '^0x[0-9a-fA-F]{40}$'),
  sealed_key bytea not null,
  key_version integer not null check (key_version > 0),
  created_at timestamptz not null default clock_timestamp()
);
comment on column managed_wallets.sealed_key is 'AES-256-GCM: nonce, tag, ciphertext of the private key';
comment on column managed_wallets.key_version is 'which version of the master key sealed it';
create index managed_wallets_by_key_version on managed_wallets (key_version, agent_id);`

const idempotencyKeys = `
create table idempotency_keys (
  scope text not null,
  key_digest bytea not null,
  operation text not null,
  request_digest bytea not null,
  resume jsonb,
  response_status smallint,
  response_body bytea,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null default clock_timestamp() + interval '24 hours',
  primary key (scope, key_digest),
  check ((response_status is null) = (response_body is null)),
  check ((response_status is null) = (resume is not null))
);
comment on column idempotency_keys.scope is 'agent id, or register for callers who have none yet';
comment on column idempotency_keys.resume is 'in place of a response: what finds the work again, from which the response is made anew';
comment on column idempotency_keys.response_body is 'the JSON sent, sealed under the Idempotency-Key, which only the caller has';
comment on column idempotency_keys.expires_at is 'until then the response is repeated; earlier where it holds a secret';
create index idempotency_keys_by_expiry on idempotency_keys (expires_at);`

/** Unlogged, since losing the counters in a crash harms nobody. */
const rateLimits = `
create unlogged table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
comment on table rate_limits is 'layout of the rate-limiter-flexible package, which is its only reader and writer';
comment on column rate_limits.expire is 'milliseconds since 1970';
create index rate_limits_by_expiry on rate_limits (expire);`
