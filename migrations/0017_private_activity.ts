import { type Kysely, sql } from 'kysely'

/**
 * Entries of the activity log that the public feed never shows. Both feeds get partial indexes, so that private entries
 * cost them nothing. They replace the indexes that the feeds used before: an entry is still written to three.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [visibility, indexes]) await sql.raw(statement).execute(db)
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
