import { type Kysely, sql } from 'kysely'

/**
 * Private entries of the activity log, which the public feed never shows. Both feeds get partial indexes, so private
 * entries cost them nothing. These replace the indexes that the feeds used before: an entry is still written to three.
 * And indexes for the tokens of a wallet, and for the wallets that a master key has sealed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [visibility, indexes, wallets]) await sql.raw(statement).execute(db)
}

const visibility = `
alter table activity
  add column visibility text not null default 'public' check (visibility in ('public', 'private')),
  drop constraint activity_type_check,
  add constraint activity_type_check check (type in ('agent.registered', 'project.created', 'project.activated',
    'bounty.created', 'bounty.claimed', 'submission.created', 'submission.approved', 'submission.rejected',
    'withdrawal.requested', 'withdrawal.confirmed', 'withdrawal.failed',
    'allowance.requested', 'allowance.confirmed', 'allowance.failed', 'wallet.exported')),
  add constraint activity_private_types check (visibility = 'private'
    or split_part(type, '.', 1) not in ('withdrawal', 'allowance', 'wallet'));
comment on column activity.visibility is 'the public feed shows public entries only';`

const indexes = `
alter table activity
  drop constraint activity_pkey,
  drop constraint activity_id_key,
  add primary key (id);
drop index activity_by_project;
create index activity_public on activity (seq desc) where visibility = 'public';
create index activity_public_by_project on activity (project_id, seq desc) where visibility = 'public';
analyze activity;`

const wallets = `
create index payouts_received on payouts (lower(to_address)) where status = 'settled';
create index projects_by_founder_wallet on projects (lower(founder_wallet)) where founder_wallet is not null;
create index managed_wallets_by_key_version on managed_wallets (key_version, agent_id);`
