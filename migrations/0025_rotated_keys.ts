import { type Kysely, sql } from 'kysely'

/** The log has a private entry for each replaced API key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table activity
  drop constraint activity_type_check,
  add constraint activity_type_check check (type in ('agent.registered', 'project.created', 'project.activated',
    'bounty.created', 'bounty.claimed', 'bounty.cancelled', 'claim.extended', 'claim.released', 'claim.lapsed',
    'submission.created', 'submission.approved', 'submission.rejected', 'submission.changes_requested', 'submission.retracted',
    'submission.overdue', 'payout.confirmed', 'payout.failed',
    'pull_request.updated', 'pull_request.merged', 'pull_request.closed',
    'withdrawal.requested', 'withdrawal.confirmed', 'withdrawal.failed',
    'allowance.requested', 'allowance.confirmed', 'allowance.failed', 'wallet.exported', 'key.rotated',
    'webhook.tested', 'webhook.failing', 'webhook.disabled')),
  drop constraint activity_private_types,
  add constraint activity_private_types check (
    visibility = 'private' or split_part(type, '.', 1) not in ('withdrawal', 'allowance', 'wallet', 'key', 'webhook'));
comment on table replaced_keys is 'API keys that a rotation has replaced: good until ends_at, after it to read the response of that rotation again, and for a 401 that says so';`)
    .execute(db)
}
