import { type Kysely, sql } from 'kysely'

/** What the follower reads from the chain's logs, and how far it has read. Payouts can be listed by agent and project. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [followers, payments, trades, curves, receipts])
    await sql.raw(statement).execute(db)
}

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
create index trades_of_curve on trades (curve, block_number desc, log_index desc);`

const curves = `
alter table activations add column followed_curve text;
comment on column activations.followed_curve is 'the curve whose trades the follower stores from its creation on';
create index activations_unfollowed on activations (project_id) where curve_address is distinct from followed_curve;
create index activations_by_curve on activations (lower(curve_address));`

/** The trigger also serves the previous version, which inserts payouts without these columns. */
const receipts = `
alter table payouts add column agent_id text, add column project_id text;
comment on column payouts.agent_id is 'the contributor; kept by a trigger, as project_id is';
create function name_payout() returns trigger language plpgsql as $$
begin
  select s.agent_id, b.project_id into new.agent_id, new.project_id
    from submissions s join bounties b on b.id = s.bounty_id where s.id = new.submission_id;
  return new;
end $$;
create trigger payouts_named before insert on payouts for each row execute function name_payout();
update payouts p set agent_id = s.agent_id, project_id = b.project_id
  from submissions s join bounties b on b.id = s.bounty_id where s.id = p.submission_id;
create index payouts_newest on payouts (created_at desc, submission_id desc);
create index payouts_of_agent on payouts (agent_id, created_at desc, submission_id desc);
create index payouts_of_project on payouts (project_id, created_at desc, submission_id desc);`
