import { type Kysely, sql } from 'kysely'

/**
 * The id of a payout is that of its bounty. A bounty whose first submission was refused by the chain and then rejected has
 * two payouts with one id, of which one at most is ever settled. Attempts whose block vanished are remembered.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(payouts).execute(db)
  await sql.raw(transactions).execute(db)
}

const payouts = `
alter table payouts drop constraint payouts_payout_id_key;
create unique index payouts_settled_once on payouts (payout_id) where status = 'settled';
create index payouts_by_payout_id on payouts (payout_id);
comment on table payouts is 'one row a submission, for ever; the platform wallet pays each payout id once';
comment on column payouts.payout_id is 'derived from the bounty; in rows of version 0.1.0 from the submission';`

const transactions = `
alter table transactions add column vanished_hash text, add column vanished_at timestamptz;
comment on column transactions.vanished_hash is 'attempt that had been mined when its block left the chain; sent again first';`
