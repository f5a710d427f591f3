import { type Kysely, sql } from 'kysely'

/** What the transaction lanes, the payout engine and the activation engine remember, and idempotency keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [lanes, transactions, payouts, activations, idempotency])
    await sql.raw(statement).execute(db)
}

const lanes = `
create table lanes (
  chain_id bigint not null,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  next_nonce bigint not null check (next_nonce >= 0),
  lease_owner text,
  lease_until timestamptz not null default '-infinity',
  fence bigint not null default 0,
  primary key (chain_id, address)
);
comment on table lanes is 'one row an operator key; whoever holds its lease is the only sender';
comment on column lanes.fence is 'raised at every change of hands; a write carrying an older number is refused';`

const transactions = `
create table transactions (
  id bigint generated always as identity primary key,
  chain_id bigint not null,
  purpose text not null check (purpose in ('payout', 'deploy', 'noop')),
  subject text,
  from_address text check (from_address ~ '^0x[0-9a-f]{40}$'),
  nonce bigint check (nonce >= 0),
  to_address text not null check (to_address ~ '^0x[0-9a-f]{40}$'),
  data text not null check (data ~ '^0x([0-9a-f]{2})*$'),
  gas_limit bigint check (gas_limit > 0),
  status text not null default 'queued'
    check (status in ('queued', 'refused', 'unconfirmed', 'mined', 'confirmed', 'reverted', 'needs_operator', 'abandoned')),
  mined_hash text,
  block_number bigint,
  block_hash text,
  is_final boolean not null default false,
  looks integer not null default 0,
  error text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check ((purpose = 'noop') = (subject is null)),
  check ((status in ('queued', 'refused')) = (nonce is null)),
  check (nonce is null or num_nulls(from_address, gas_limit) = 0),
  check ((status in ('mined', 'confirmed', 'reverted')) = (block_hash is not null)),
  check (num_nulls(mined_hash, block_number, block_hash) in (0, 3)),
  check (not is_final or status in ('confirmed', 'reverted')),
  unique (chain_id, from_address, nonce)
);
comment on column transactions.subject is 'submission id of a payout, project id of a deploy';
comment on column transactions.status is 'abandoned: a person found the nonce used up by a transaction that is not ours';
comment on column transactions.looks is 'how often the nonce was found used up without a receipt of ours';
create unique index transactions_one_queued on transactions (purpose, subject) where status = 'queued';
create index transactions_by_subject on transactions (subject);
create index transactions_queue on transactions (chain_id, id) where status = 'queued';
create index transactions_watched on transactions (chain_id, from_address, nonce)
  where nonce is not null and not is_final;
create trigger transactions_transition before update of status on transactions
  for each row execute function allow_transitions(
    'queued>refused', 'queued>unconfirmed',
    'unconfirmed>mined', 'unconfirmed>confirmed', 'unconfirmed>reverted', 'unconfirmed>needs_operator',
    'mined>needs_operator',
    'mined>confirmed', 'mined>reverted', 'mined>unconfirmed',
    'confirmed>unconfirmed', 'reverted>unconfirmed', 'needs_operator>unconfirmed');

create table transaction_attempts (
  hash text primary key check (hash ~ '^0x[0-9a-f]{64}$'),
  transaction_id bigint not null references transactions,
  raw text not null check (raw ~ '^0x([0-9a-f]{2})+$'),
  max_fee_per_gas numeric(78, 0) not null,
  max_priority_fee_per_gas numeric(78, 0) not null,
  head_block bigint not null,
  sends integer not null default 0,
  sent_at timestamptz,
  last_error text,
  created_at timestamptz not null default clock_timestamp()
);
comment on column transaction_attempts.head_block is 'newest block when it was signed: fees are not raised while the chain stands still';
comment on table transaction_attempts is 'signed bytes, stored before they are sent; append-only';
create index transaction_attempts_by_transaction on transaction_attempts (transaction_id, created_at);

create function keep_attempt() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (old.hash, old.raw, old.transaction_id) is distinct from (new.hash, new.raw, new.transaction_id) then
    raise exception 'a signed transaction is never forgotten or changed' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger transaction_attempts_kept before update or delete on transaction_attempts
  for each row execute function keep_attempt();`

const payouts = `
create table payouts (
  submission_id text primary key references submissions,
  payout_id text not null unique check (payout_id ~ '^0x[0-9a-f]{64}$'),
  chain_id bigint not null,
  platform_wallet text not null,
  token text not null,
  from_address text not null,
  to_address text not null,
  amount numeric(78, 0) not null check (amount > 0),
  fee numeric(78, 0) not null check (fee >= 0),
  status text not null default 'running' check (status in ('running', 'failed', 'settled', 'needs_operator')),
  round integer not null default 1 check (round > 0),
  transaction_id bigint references transactions,
  tx_hash text,
  error_code text,
  error text,
  served_by text,
  served_until timestamptz not null default '-infinity',
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz,
  check (lower(from_address) <> lower(to_address)),
  check ((status = 'settled') = (settled_at is not null)),
  check (status <> 'settled' or tx_hash is not null),
  check ((status = 'failed') = (error_code is not null))
);
comment on table payouts is 'one row a submission, for ever: its payout id is what the platform wallet pays once';
comment on column payouts.amount is 'base units the contributor gets, fee not included';
comment on column payouts.fee is 'base units the treasury gets';
comment on column payouts.round is 'how often the founder has asked for it';
comment on column payouts.served_by is 'the request that is waiting for it, while served_until lies ahead';
create index payouts_unsettled on payouts (created_at) where status <> 'settled';
create trigger payouts_transition before update of status on payouts
  for each row execute function allow_transitions(
    'running>settled', 'running>failed', 'running>needs_operator', 'failed>running',
    'needs_operator>running', 'needs_operator>settled', 'settled>needs_operator');`

const activations = `
create table activations (
  project_id text primary key references projects,
  status text not null default 'running' check (status in ('running', 'failed', 'done', 'needs_operator')),
  founder_wallet text not null,
  round integer not null default 1 check (round > 0),
  repo_url text,
  deployer text,
  token_address text,
  curve_address text,
  transaction_id bigint references transactions,
  error_code text,
  error text,
  lease_owner text,
  lease_until timestamptz not null default '-infinity',
  fence bigint not null default 0,
  served_by text,
  served_until timestamptz not null default '-infinity',
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check (status <> 'done' or num_nulls(repo_url, token_address, curve_address) = 0),
  check ((status = 'failed') = (error_code is not null)),
  check (num_nulls(deployer, token_address, curve_address) in (0, 3))
);
comment on column activations.deployer is 'the operator key whose project address this is; fixed once chosen';
create index activations_running on activations (lease_until) where status = 'running';
create trigger activations_transition before update of status on activations
  for each row execute function allow_transitions(
    'running>done', 'running>failed', 'running>needs_operator', 'failed>running', 'needs_operator>running', 'needs_operator>done');`

const idempotency = `
create table idempotency_keys (
  scope text not null,
  key_digest bytea not null,
  operation text not null,
  request_digest bytea not null,
  lease_owner text,
  lease_until timestamptz not null,
  resume jsonb,
  response_status smallint,
  response_body bytea,
  created_at timestamptz not null default clock_timestamp(),
  primary key (scope, key_digest),
  check ((response_status is null) = (response_body is null))
);
comment on column idempotency_keys.scope is 'agent id, or register for callers who have none yet';
comment on column idempotency_keys.resume is 'what a repeated request needs to join work whose answer was never stored';
comment on column idempotency_keys.response_body is 'the JSON sent, sealed under the caller''s own key where it holds an API key';
create index idempotency_keys_by_age on idempotency_keys (created_at);`
