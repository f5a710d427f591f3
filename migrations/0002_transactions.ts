import { type Kysely, sql } from 'kysely'

/** The signers' lanes, the transactions that they send, and what was read from the chain's logs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [lanes, transactions, attempts, followers, payments, trades])
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
  purpose text not null check (purpose in ('payout', 'deploy', 'withdrawal', 'permit', 'deposit', 'refund', 'noop')),
  entity_id text,
  from_address text check (from_address ~ '^0x[0-9a-f]{40}$'),
  nonce bigint check (nonce >= 0),
  to_address text not null check (to_address ~ '^0x[0-9a-f]{40}$'),
  data bytea not null,
  gas_limit bigint check (gas_limit > 0),
  status text not null default 'queued'
    check (status in ('queued', 'refused', 'unconfirmed', 'mined', 'confirmed', 'reverted', 'needs_operator', 'abandoned')),
  mined_hash text,
  block_number bigint,
  block_hash text,
  is_final boolean not null default false,
  receipt_checks integer not null default 0,
  error text,
  goes_last boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  vanished_hash text,
  vanished_at timestamptz,
  check ((purpose = 'noop') = (entity_id is null)),
  check ((status in ('queued', 'refused')) = (nonce is null)),
  check (nonce is null or num_nulls(from_address, gas_limit) = 0),
  check ((status in ('mined', 'confirmed', 'reverted')) = (block_hash is not null)),
  check (num_nulls(mined_hash, block_number, block_hash) in (0, 3)),
  check (not is_final or status in ('confirmed', 'reverted')),
  unique (chain_id, from_address, nonce)
);
comment on column transactions.entity_id is 'submission id of a payout, project id of a deploy, relay id of a withdrawal, a permit or a deposit, bounty id of a refund';
comment on column transactions.status is 'abandoned: a person found the nonce used up by a transaction that is not ours';
comment on column transactions.receipt_checks is 'how often the nonce was found used up without a receipt of ours';
comment on column transactions.goes_last is 'of a payout that no buyer stands behind: the queue sends the others first';
comment on column transactions.vanished_hash is 'attempt that had been mined when its block left the chain; sent again first';
create unique index transactions_one_queued on transactions (purpose, entity_id) where status = 'queued';
create index transactions_by_entity_id on transactions (entity_id);
create index transactions_queue on transactions (chain_id, id) where status = 'queued';
create index transactions_watched on transactions (chain_id, from_address, nonce)
  where nonce is not null and not is_final;
create trigger transactions_transition before update of status on transactions
  for each row execute function allow_transitions(
    'queued>refused', 'queued>unconfirmed',
    'unconfirmed>mined', 'unconfirmed>confirmed', 'unconfirmed>reverted', 'unconfirmed>needs_operator',
    'mined>confirmed', 'mined>reverted', 'mined>unconfirmed', 'mined>needs_operator',
    'confirmed>unconfirmed', 'reverted>unconfirmed', 'needs_operator>unconfirmed', 'abandoned>unconfirmed',
    'unconfirmed>abandoned', 'needs_operator>abandoned');`

const attempts = `
create table transaction_attempts (
  hash text primary key check (hash ~ '^0x[0-9a-f]{64}$'),
  transaction_id bigint not null references transactions,
  raw bytea not null check (length(raw) > 0),
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

const followers = `
create table followers (
  chain_id bigint primary key,
  wallets text[] not null,
  block_number bigint check (block_number >= 0),
  block_hash text,
  head_block bigint,
  caught_up_at timestamptz not null default clock_timestamp(),
  lease_owner text,
  lease_until timestamptz not null default '-infinity',
  fence bigint not null default 0,
  check ((block_number is null) = (block_hash is null))
);
comment on table followers is 'one row a chain; whoever holds its lease reads the logs of the chain';
comment on column followers.wallets is 'platform wallets whose payments count, in lower case';
comment on column followers.block_number is 'the last final block whose logs are stored for good; null before the first read';
comment on column followers.head_block is 'the newest block whose logs are stored';
comment on column followers.caught_up_at is 'when the logs of the newest block were last known to be stored';`

/** Where a log is on the chain. */
const place = `
  chain_id bigint not null,
  block_number bigint not null,
  log_index integer not null,
  block_hash text not null,
  block_time timestamptz not null,
  tx_hash text not null,
  primary key (chain_id, block_number, log_index)`

const payments = `
create table payments (
  platform_wallet text not null,
  payout_id text not null,
  token text not null,
  from_address text not null,
  to_address text not null,
  amount numeric(78, 0) not null,
  fee numeric(78, 0) not null,
  ${place}
);
comment on table payments is 'every Paid event of a known platform wallet; addresses in lower case, amounts in base units';
create index payments_by_payout_id on payments (payout_id);`

const trades = `
create table trades (
  curve text not null,
  side text not null check (side in ('buy', 'sell')),
  trader text not null,
  recipient text not null,
  amount numeric(78, 0) not null,
  eth numeric(78, 0) not null,
  fee numeric(78, 0) not null,
  sold numeric(78, 0) not null,
  price numeric(78, 0) not null,
  ${place}
);
comment on table trades is 'every purchase and sale on a known curve; addresses in lower case, amounts in base units';
comment on column trades.eth is 'wei that the buyer paid, fee included, or the seller got, fee deducted';
comment on column trades.sold is 'base units that the curve had sold after the trade';
comment on column trades.price is 'wei for one whole token after the trade, before the fee';
create index trades_of_curve on trades (curve, block_number desc, log_index desc);
create index trades_bought on trades (recipient, curve) where side = 'buy';`
