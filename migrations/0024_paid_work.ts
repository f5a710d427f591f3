import { type Kysely, sql } from 'kysely'

/** One pull request backs one payment, what was paid is a commit, and no claim lasts for as long as the code host is away. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table pull_requests add column merged_at timestamptz;
comment on column pull_requests.merged_at is 'when it was merged, by the clock of the code host';

drop index pull_requests_open;
create index pull_requests_unmerged on pull_requests (project_id) where not merged and state <> 'gone';

alter table submissions add column is_attributed boolean not null default false;
comment on column submissions.is_attributed is 'the pull request named the agent when it was submitted, or the code host knows the agent as its author; else it gives way to the agent that the pull request names later';
create unique index submissions_one_live_of_pull_request on submissions (pr_url)
  where status in ('pending', 'approving', 'approved');

alter table bounties add column spared_from timestamptz;
comment on column bounties.spared_from is 'when the claim would have ended if the code host had not been away when its claimant submitted';

alter table payouts add column head_sha text check (head_sha ~ '^[0-9a-f]{40,64}$');
comment on column payouts.head_sha is 'the commit that was approved: the one that the founder named, else the newest one known then';`)
    .execute(db)
}
