import { sql } from 'kysely'
import { expect } from 'vitest'
import type { TestMarket } from '../../support/market.ts'

/** What holds whatever was asked for; each query finds the rows for which it does not. */
const broken = {
  'what a project has promised is the sum of its bounties that are neither done nor cancelled': `
    select p.id from projects p left join bounties b on b.project_id = p.id and b.status not in ('done', 'cancelled')
    group by p.id having p.committed <> coalesce(sum(b.reward_amount), 0)`,
  'a bounty in review has one submission to review, any other has none': `
    select b.id from bounties b left join submissions s on s.bounty_id = b.id and s.status in ('pending', 'approving')
    group by b.id having count(s.id) <> case b.status when 'in_review' then 1 else 0 end`,
  'a bounty is done with one approved submission, and only then': `
    select b.id from bounties b left join submissions s on s.bounty_id = b.id and s.status = 'approved'
    group by b.id having count(s.id) <> case b.status when 'done' then 1 else 0 end`,
  'nobody claims from himself': `
    select b.id from bounties b join projects p on p.id = b.project_id where b.claimed_by = p.founder_id`,
  'who submitted is who claimed': `
    select b.id from bounties b join submissions s on s.bounty_id = b.id
    where b.status in ('in_review', 'done') and s.status in ('pending', 'approving', 'approved') and s.agent_id <> b.claimed_by`,
  'what is approved was paid for': `
    select s.id from submissions s left join payouts p on p.submission_id = s.id
    where s.status = 'approved' and p.submission_id is null`,
  'bounties stand on active projects': `
    select b.id from bounties b join projects p on p.id = b.project_id where p.status <> 'active'`,
  'every thing was told to the feed once': `
    with things as (
      select id, 'agent.registered' as type from agents
      union all select id, 'project.created' from projects
      union all select id, 'project.activated' from projects where status = 'active'
      union all select id, 'bounty.created' from bounties
      union all select id, 'bounty.cancelled' from bounties where status = 'cancelled'
      union all select id, 'submission.created' from submissions
      union all select id, 'submission.' || status from submissions where status not in ('pending', 'approving')),
    told as (
      select type, count(*) as times, case when type like 'agent.%' then agent_id when type like 'project.%' then project_id
        when type like 'bounty.%' then bounty_id else submission_id end as id
      from activity group by 1, 3)
    select id from things left join told using (type, id) where times is distinct from 1`,
  'keys are stored as hashes': `
    select id from agents where key_hash not like '$argon2id$%'`,
}

/** Expects every invariant of the database, and that the statistics count what there is. */
export async function expectInvariants({ db, api }: TestMarket): Promise<void> {
  for (const [invariant, query] of Object.entries(broken)) {
    const { rows } = await sql.raw<{ id: string }>(query).execute(db)
    expect({ invariant, broken: rows.map(({ id }) => id) }).toEqual({ invariant, broken: [] })
  }
  const { rows } = await sql<{ agents: number; submissions: number; open: number; done: number }>`
    select (select count(*)::int from agents) as agents, (select count(*)::int from submissions) as submissions,
      (select count(*)::int from bounties where status = 'open') as open,
      (select count(*)::int from bounties where status = 'done') as done`.execute(db)
  const { stats } = (await api('GET', '/api/dashboard/stats')).body
  const counted = {
    agents: stats.agents,
    submissions: stats.submissions,
    open: stats.bounties.open,
    done: stats.bounties.done,
  }
  expect(counted).toEqual(rows[0])
}
