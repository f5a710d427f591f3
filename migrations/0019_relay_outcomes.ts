import { type Kysely, sql } from 'kysely'

/**
 * A withdrawal of everything takes the amount that the chain shows: an earlier signature with its nonce, which the
 * database has lost, may have moved another one. And a permit can be confirmed by the allowance alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [outcomes, kept]) await sql.raw(statement).execute(db)
}

const outcomes = `
alter table relays
  add column takes_all boolean not null default false,
  drop constraint relays_check4,
  add constraint relays_hash check (tx_hash is null or status = 'confirmed'),
  add constraint relays_confirmed_hash check (status <> 'confirmed' or kind = 'permit' or tx_hash is not null),
  add constraint relays_takes_all check (kind = 'withdrawal' or not takes_all);
comment on column relays.takes_all is 'the request asked for everything: once it is confirmed, amount is what the chain shows';
comment on column relays.gas_reserved_wei is 'most that its transaction can cost; once that has ended, what it has cost';`

const kept = `
create or replace function keep_relay() returns trigger language plpgsql as $$
begin
  if (old.kind, old.chain_id, old.token, old.wallet, old.recipient, old.as_eth, old.nonce, old.valid_before, old.takes_all)
      is distinct from
      (new.kind, new.chain_id, new.token, new.wallet, new.recipient, new.as_eth, new.nonce, new.valid_before, new.takes_all)
    or (old.amount <> new.amount and not (new.takes_all and new.status = 'confirmed')) then
    raise exception 'what was signed is never changed' using errcode = 'check_violation';
  end if;
  return new;
end $$;`
