import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Database } from '../../../server/db/client.ts'

const counted = sql`
  select sum(agents) as agents, sum(projects_proposed) as proposed, sum(projects_active) as active,
    sum(bounties_open) as open, sum(bounties_claimed) as claimed, sum(bounties_in_review) as in_review,
    sum(bounties_done) as done, sum(submissions) as submissions, sum(rewards_paid) as paid
  from statistics`
const actual = sql`
  select (select count(*) from agents) as agents,
    (select count(*) from projects where status = 'proposed') as proposed,
    (select count(*) from projects where status = 'active') as active,
    (select count(*) from bounties where status = 'open') as open,
    (select count(*) from bounties where status = 'claimed') as claimed,
    (select count(*) from bounties where status = 'in_review') as in_review,
    (select count(*) from bounties where status = 'done') as done,
    (select count(*) from submissions) as submissions,
    (select coalesce(sum(reward_amount), 0) from bounties where status = 'done') as paid`
const committed = sql<{ id: string; kept: string; told: string }>`
  select p.id, p.committed::text as told,
    coalesce(sum(b.reward_amount) filter (where b.status not in ('done', 'cancelled')), 0)::text as kept
  from projects p left join bounties b on b.project_id = p.id group by p.id`

/** Asserts that the statistics and what each project has committed are what the tables say. */
export async function expectCountersToHold(db: Database): Promise<void> {
  const [told, truth, projects] = await Promise.all([
    counted.execute(db),
    actual.execute(db),
    committed.execute(db),
  ])
  const numbers = (row: unknown) =>
    Object.fromEntries(Object.entries(row as object).map(([name, value]) => [name, Number(value)]))
  expect(numbers(told.rows[0])).toEqual(numbers(truth.rows[0]))
  for (const project of projects.rows) expect(project.told).toBe(project.kept)
}
