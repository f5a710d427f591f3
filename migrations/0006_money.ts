import { type Kysely, sql } from 'kysely'

/** Payouts of approved submissions, relays (withdrawals, allowances and signatures of deposits), and deposits of dollars. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [payouts, payoutIndexes, relays, relayIndexes, deposits])
    await sql.raw(statement).execute(db)
}

const payouts = `
create table payouts (
  submission_id text primary key references submissions,
  payout_id text not null check (payout_id ~ '^0x[0-9a-f]{64}$'),
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
  agent_id text,
  project_id text,
  head_sha text check (head_sha ~ '^[0-9a-f]{40,64}$'),
  begun_at timestamptz not null default clock_timestamp(),
  worth_wei numeric(78, 0) check (worth_wei >= 0),
  is_backed boolean not null default false,
  dollars numeric(78, 0) not null default 0 check (dollars >= 0),
  dollar_fee numeric(78, 0) not null default 0 check (dollar_fee between 0 and dollars),
  dollar_address text check (dollar_address ~ '^0x[0-9a-f]{40}$'),
  check ((dollars > 0) = (dollar_address is not null)),
  check (lower(from_address) <> lower(to_address)),
  check ((status = 'settled') = (settled_at is not null)),
  check (status <> 'settled' or tx_hash is not null),
  check ((status = 'failed') = (error_code is not null))
);
comment on table payouts is 'one row a submission, permanently; the platform wallet pays each payout id once';
comment on column payouts.payout_id is 'derived from the bounty';
comment on column payouts.amount is 'base units the contributor gets, fee not included';
comment on column payouts.fee is 'base units the treasury gets';
comment on column payouts.dollars is 'base units of the coin that are locked for the bounty and paid with the tokens, fee included';
comment on column payouts.dollar_fee is 'the part of them that the treasury gets';
comment on column payouts.dollar_address is 'the coin';
comment on column payouts.round is 'how often the founder has asked for it';
comment on column payouts.served_by is 'the request that is waiting for it, while served_until lies ahead';
comment on column payouts.agent_id is 'the contributor; kept by a trigger, as project_id is';
comment on column payouts.head_sha is 'the commit that was approved: the one that the founder named, else the newest one known then';
comment on column payouts.begun_at is 'when the founder asked for it last';
comment on column payouts.worth_wei is 'what the curve would have paid then for the amount, had all been sold before that the project began to pay in the 24 hours before; null where nothing was read, as for a payment that this database had lost';
comment on column payouts.is_backed is 'whether that was enough: the payout counts for the standing of the contributor, and for no limit of the founder';
create trigger payouts_transition before update of status on payouts
  for each row execute function allow_transitions(
    'running>settled', 'running>failed', 'running>needs_operator', 'failed>running', 'failed>settled',
    'failed>needs_operator', 'needs_operator>running', 'needs_operator>settled', 'needs_operator>failed',
    'settled>needs_operator');

create function name_payout() returns trigger language plpgsql as $$
begin
  select s.agent_id, b.project_id into new.agent_id, new.project_id
    from submissions s join bounties b on b.id = s.bounty_id where s.id = new.submission_id;
  return new;
end $$;
create trigger payouts_named before insert on payouts for each row execute function name_payout();`

/**
 * A bounty whose first submission was refused by the chain and then rejected has two payouts with one id, of which one at most
 * is ever settled. The last index holds all that the weeks of a project need, so that its payouts are not read themselves.
 */
const payoutIndexes = `
create unique index payouts_settled_once on payouts (payout_id) where status = 'settled';
create index payouts_by_payout_id on payouts (payout_id);
create index payouts_unsettled on payouts (created_at) where status <> 'settled';
create index payouts_newest on payouts (created_at desc, submission_id desc);
create index payouts_of_agent on payouts (agent_id, created_at desc, submission_id desc);
create index payouts_of_project on payouts (project_id, created_at desc, submission_id desc);
create index payouts_begun on payouts (project_id, begun_at);
create index payouts_standing on payouts (agent_id, project_id) where status = 'settled' and is_backed;
create index payouts_received on payouts (lower(to_address)) where status = 'settled';
create index payouts_settled on payouts (settled_at) where status = 'settled';
create index payouts_settled_of_project on payouts (project_id, settled_at) include (amount) where status = 'settled';`

const relays = `
create table relays (
  id text primary key,
  kind text not null check (kind in ('withdrawal', 'permit', 'deposit')),
  agent_id text not null references agents,
  project_id text references projects,
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
  amount_moved numeric(78, 0),
  check ((kind = 'withdrawal') = (request_digest is not null)),
  check (kind = 'withdrawal' or not as_eth),
  check (kind = 'permit' or amount > 0),
  check (kind = 'withdrawal' or project_id is not null),
  check (project_id is not null or not as_eth),
  check (as_eth or num_nonnulls(min_eth, eth_paid) = 0),
  check (status <> 'confirmed' or confirmed_at is not null),
  check (status <> 'failed' or error_code is not null),
  check ((error_code is null) = (error is null)),
  constraint relays_hash check (tx_hash is null or status = 'confirmed'),
  constraint relays_confirmed_hash check (status <> 'confirmed' or kind = 'permit' or tx_hash is not null),
  constraint relays_moved check (amount_moved is null or status = 'confirmed')
);
comment on table relays is 'signed once and sent by an operator key; the chain lets each signature through once';
comment on column relays.project_id is 'null: a withdrawal of dollars';
comment on column relays.token is 'the project''s, or the coin';
comment on column relays.wallet is 'the wallet that signed: a managed one, or of a deposit the founder''s own';
comment on column relays.amount is 'base units; of a permit the new allowance';
comment on column relays.recipient is 'as the agent wrote it; of a permit or a deposit the platform wallet';
comment on column relays.min_eth is 'lowest acceptable payment in wei';
comment on column relays.nonce is 'of the authorization, derived from the Idempotency-Key; of a permit nonces(wallet), of a deposit the hash of its payout id and the project''s token';
comment on column relays.request_digest is 'what a request with the same Idempotency-Key must match, permanently';
comment on column relays.head_block is 'newest block when it was signed; a reorganisation can move its use to this block or an earlier one';
comment on column relays.valid_before is 'block time in seconds from which on the chain refuses it';
comment on column relays.gas_reserved_wei is 'most that its transaction can cost; once that has ended, what it has cost';
comment on column relays.error_code is 'of a running relay: why the chain has refused it so far';
comment on column relays.confirmed_at is 'when it was first reported confirmed';
comment on column relays.amount_moved is 'base units, as the chain shows, which may be an earlier signature with the same nonce; null unless it is confirmed';
create trigger relays_transition before update of status on relays
  for each row execute function allow_transitions(
    'running>confirmed', 'running>failed', 'confirmed>running', 'failed>running');

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

/** A permit that a reorganisation takes back runs again beside a later one. */
const relayIndexes = `
create unique index relays_one_nonce on relays (chain_id, wallet, nonce) where kind = 'withdrawal';
create unique index relays_one_permit on relays (project_id)
  where kind = 'permit' and status = 'running' and confirmed_at is null;
create index relays_running on relays (valid_before) where status = 'running';
create index relays_of_agent on relays (agent_id, created_at desc, id desc);
create index relays_permits on relays (project_id, created_at desc, id desc) where kind = 'permit';
create index relays_newest on relays (created_at);`

/**
 * A lock that the chain has given is never lost: the amount changes only while nothing is locked, for another signature. A
 * database that has fallen back behind a deposit has no row for it; payouts and refunds read the chain.
 */
const deposits = `
create table deposits (
  bounty_id text primary key references bounties,
  agent_id text not null references agents,
  project_id text not null references projects,
  payout_id text not null check (payout_id ~ '^0x[0-9a-f]{64}$'),
  chain_id bigint not null,
  platform_wallet text not null check (platform_wallet ~ '^0x[0-9a-f]{40}$'),
  amount numeric(78, 0) not null check (amount > 0),
  status text not null default 'queued'
    check (status in ('queued', 'locked', 'failed', 'paid', 'refunding', 'refunded')),
  relay_id text not null references relays,
  locked_until timestamptz,
  fund_tx text check (fund_tx ~ '^0x[0-9a-f]{64}$'),
  transaction_id bigint references transactions,
  end_tx text check (end_tx ~ '^0x[0-9a-f]{64}$'),
  error_code text,
  error text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check (status not in ('locked', 'refunding') or num_nulls(locked_until, fund_tx) = 0),
  check (status not in ('queued', 'failed') or num_nonnulls(locked_until, fund_tx) = 0),
  constraint deposits_ended check ((status in ('paid', 'refunded')) = (end_tx is not null)),
  check (status <> 'failed' or error_code is not null),
  check ((error_code is null) = (error is null))
);
comment on table deposits is 'dollars that a founder locks for a bounty in the platform wallet: one row a bounty, permanently';
comment on column deposits.agent_id is 'the founder';
comment on column deposits.payout_id is 'derived from the bounty; the platform wallet takes one deposit for each';
comment on column deposits.amount is 'base units of the coin';
comment on column deposits.relay_id is 'what carries the founder''s signature';
comment on column deposits.locked_until is 'as the chain shows: from then on the dollars can only be refunded';
comment on column deposits.fund_tx is 'the transaction that locked them; also where somebody else sent it';
comment on column deposits.transaction_id is 'of its refund';
comment on column deposits.end_tx is 'the transaction that paid or refunded them';
comment on column deposits.error_code is 'of one that is refunding: why the chain has refused that so far';
create trigger deposits_transition before update of status on deposits
  for each row execute function allow_transitions(
    'queued>locked', 'queued>failed', 'queued>paid', 'locked>queued', 'locked>paid', 'locked>refunding', 'locked>refunded',
    'failed>queued', 'failed>paid', 'refunding>queued', 'refunding>locked', 'refunding>paid', 'refunding>refunded',
    'refunded>locked', 'refunded>paid');

create function keep_deposit() returns trigger language plpgsql as $$
begin
  if (old.agent_id, old.project_id, old.payout_id) is distinct from (new.agent_id, new.project_id, new.payout_id)
      or (old.status not in ('queued', 'failed') and (old.amount, old.chain_id, old.platform_wallet)
        is distinct from (new.amount, new.chain_id, new.platform_wallet)) then
    raise exception 'what is locked is never changed' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger deposits_kept before update on deposits for each row execute function keep_deposit();
create unique index deposits_of_relay on deposits (relay_id);
create index deposits_locked on deposits (locked_until) where status = 'locked';
create index deposits_locked_by_amount on deposits (amount desc) where status = 'locked';
create index deposits_refunding on deposits (bounty_id) where status = 'refunding';`
