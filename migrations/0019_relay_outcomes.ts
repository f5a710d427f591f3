import { type Kysely, sql } from 'kysely'

/**
 * A withdrawal of everything shows the amount that the chain shows: an earlier signature with its nonce, which the
 * database has lost, may have moved another one. A permit can be confirmed by the allowance alone. And a permit that a
 * reorganisation takes back runs again beside a later one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [outcomes, kept, permits]) await sql.raw(statement).execute(db)
}

const outcomes = `
alter table relays
  add column takes_all boolean not null default false,
  add column amount_moved numeric(78, 0),
  drop constraint relays_check4,
  add constraint relays_hash check (tx_hash is null or status = 'confirmed'),
  add constraint relays_confirmed_hash check (status <> 'confirmed' or kind = 'permit' or tx_hash is not null),
  add constraint relays_takes_all check (kind = 'withdrawal' or not takes_all),
  add constraint relays_moved check (amount_moved is null or status = 'confirmed'),
  add constraint relays_moved_all check (takes_all or amount_moved = amount);
comment on column relays.takes_all is 'the request asked for everything: the chain may have moved another amount than was signed';
comment on column relays.amount_moved is 'base units, as the chain shows; null unless it is confirmed';
comment on column relays.head_block is 'newest block when it was signed; a reorganisation can move its use to this block or an earlier one';
comment on column relays.gas_reserved_wei is 'most that its transaction can cost; once that has ended, what it has cost';`

const kept = `
create or replace function keep_relay() returns trigger language plpgsql as $$
begin
  if (old.kind, old.chain_id, old.token, old.wallet, old.amount, old.recipient, old.as_eth, old.nonce, old.valid_before,
      old.takes_all)
      is distinct from
      (new.kind, new.chain_id, new.token, new.wallet, new.amount, new.recipient, new.as_eth, new.nonce, new.valid_before,
      new.takes_all) then
    raise exception 'what was signed is never changed' using errcode = 'check_violation';
  end if;
  return new;
end $$;`

const permits = `
drop index relays_one_permit;
create unique index relays_one_permit on relays (project_id)
  where kind = 'permit' and status = 'running' and confirmed_at is null;`
