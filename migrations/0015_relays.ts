import { type Kysely, sql } from 'kysely'

/** Signatures of managed wallets that an operator key sends to the chain: withdrawals and allowances of founders. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [purposes, relays, indexes]) await sql.raw(statement).execute(db)
}

const purposes = `
alter table transactions drop constraint transactions_purpose_check;
alter table transactions add constraint transactions_purpose_check
  check (purpose in ('payout', 'deploy', 'withdrawal', 'permit', 'noop'));
comment on column transactions.entity_id is
  'submission id of a payout, project id of a deploy, relay id of a withdrawal or a permit';`

const relays = `
create table relays (
  id text primary key,
  kind text not null check (kind in ('withdrawal', 'permit')),
  agent_id text not null references agents,
  project_id text not null references projects,
  chain_id bigint not null,
  token text not null check (token ~ '^0x[0-9a-f]{40}$'),
  wallet text not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  amount numeric(78, 0) not null check (amount >= 0),
  recipient text not null check (recipient ~ '^0x[0-9a-fA-F]{40}$'),
  as_eth boolean not null default false,
  min_eth numeric(78, 0) check (min_eth >= 0),
  nonce text not null check (nonce ~ '^0x[0-9a-f]{64}$'),
  request_digest bytea,
  head_block bigint not null,
  valid_before bigint not null,
  gas_reserved_wei numeric(78, 0) not null check (gas_reserved_wei >= 0),
  transaction_id bigint references transactions,
  status text not null default 'running' check (status in ('running', 'confirmed', 'failed')),
  tx_hash text check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  eth_paid numeric(78, 0) check (eth_paid > 0),
  error_code text,
  error text,
  confirmed_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check ((kind = 'withdrawal') = (request_digest is not null)),
  check (kind = 'withdrawal' or not as_eth),
  check (kind = 'permit' or amount > 0),
  check (as_eth or num_nonnulls(min_eth, eth_paid) = 0),
  check ((status = 'confirmed') = (tx_hash is not null)),
  check (status <> 'confirmed' or confirmed_at is not null),
  check (status <> 'failed' or error_code is not null),
  check ((error_code is null) = (error is null))
);
comment on table relays is 'signed once and sent by an operator key; the chain lets each signature through once';
comment on column relays.wallet is 'the managed wallet that signed';
comment on column relays.amount is 'base units; of a permit the new allowance';
comment on column relays.recipient is 'as the agent wrote it; of a permit the platform wallet';
comment on column relays.min_eth is 'lowest acceptable payment in wei';
comment on column relays.nonce is 'of the authorization, derived from the Idempotency-Key; of a permit nonces(wallet)';
comment on column relays.request_digest is 'what a request with the same Idempotency-Key must match, for ever';
comment on column relays.head_block is 'newest block when it was signed: nobody can have used it before';
comment on column relays.valid_before is 'block time in seconds from which on the chain refuses it';
comment on column relays.transaction_id is 'null where the chain had used the nonce before this row was stored';
comment on column relays.error_code is 'of a running relay: why the chain has refused it so far';
comment on column relays.confirmed_at is 'when it was first reported confirmed';
create trigger relays_transition before update of status on relays
  for each row execute function allow_transitions(
    'running>confirmed', 'running>failed', 'confirmed>running', 'failed>confirmed');

create function keep_relay() returns trigger language plpgsql as $$
begin
  if (old.kind, old.chain_id, old.token, old.wallet, old.amount, old.recipient, old.as_eth, old.nonce, old.valid_before)
      is distinct from
      (new.kind, new.chain_id, new.token, new.wallet, new.amount, new.recipient, new.as_eth, new.nonce, new.valid_before) then
    raise exception 'what was signed is never changed' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger relays_kept before update on relays for each row execute function keep_relay();`

const indexes = `
create unique index relays_one_nonce on relays (chain_id, wallet, nonce) where kind = 'withdrawal';
create unique index relays_one_permit on relays (project_id) where kind = 'permit' and status = 'running';
create index relays_running on relays (valid_before) where status = 'running';
create index relays_of_agent on relays (agent_id, created_at desc, id desc);
create index relays_permits on relays (project_id, created_at desc, id desc) where kind = 'permit';
create index relays_newest on relays (created_at);`
