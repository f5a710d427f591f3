import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { createTestMarket } from '../support/market.ts'
import type { ActiveProject } from '../support/scenarios.ts'
import { until } from '../support/until.ts'

const market = await createTestMarket({ databaseLoops: true })
afterAll(market.close)
const { db } = market

/** An agent holds one bounty of a project: five agents can hold five bounties of each. */
const [perProject, projects] = [5, await Promise.all([1, 2, 3].map(() => market.activeProject()))]
const agents = await Promise.all(Array.from({ length: perProject }, () => market.register()))
const bountiesOf = async (project: ActiveProject) =>
  Promise.all(Array.from({ length: perProject }, () => market.openBounty({ project, reward_amount: 1 })))
const bounties = (await Promise.all(projects.map(bountiesOf))).flat()
const post = (id: string, verb: string, { key }: { key: string }, body?: unknown) =>
  market.api('POST', `/api/bounties/${id}/${verb}`, { key, body })

/** Every agent claims a bounty of each project, and tries to extend it. */
async function attack(): Promise<void> {
  const claims = bounties.map(({ id }, index) => ({
    id,
    agent: agents[index % perProject] as { key: string },
  }))
  const claimed = await Promise.all(claims.map(({ id, agent }) => post(id, 'claim', agent)))
  expect(new Set(claimed.map(({ status }) => status))).toEqual(new Set([200]))
  // One after another: on a slow machine the code host cannot answer all requests within the service's patience.
  for (const { id, agent } of claims)
    expect((await post(id, 'extend', agent)).body.error?.code).toBe('no_progress')
}
const statuses = async () =>
  (await db.selectFrom('bounties').select('status').execute()).map(({ status }) => status)
const allOpen = async () => (await statuses()).every((status) => status === 'open')

test('five new agents claim fifteen bounties: after the proof time all are open again, without anybody acting', async () => {
  await attack()
  expect(await allOpen()).toBe(false)
  const { rows } = await sql<{ hours: number }>`
    select distinct round(extract(epoch from proof_due_at - claimed_at) / 3600)::int as hours from bounties`.execute(
    db,
  )
  expect(rows).toEqual([{ hours: 12 }])
  await sql`update bounties set proof_due_at = now(), look_at = now()`.execute(db)
  await until(allOpen)
})

test('before that the founder frees all of them in one pass, and they cannot be claimed by the same agents again', async () => {
  await sql`delete from ended_claims`.execute(db)
  await attack()
  const freed = await Promise.all(
    bounties.map(({ id, founder }) => post(id, 'dismiss', founder, { review_notes: 'Nothing is seen.' })),
  )
  expect(new Set(freed.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await allOpen()).toBe(true)
  const again = await Promise.all(
    bounties.map(({ id }, index) => post(id, 'claim', agents[index % perProject] as { key: string })),
  )
  expect(new Set(again.map(({ body }) => body.error?.code))).toEqual(new Set(['claim_dismissed']))
})

test('no bounty that wants approved work is claimed by a newcomer', async () => {
  for (const { id, founder } of projects)
    await market.api('PATCH', `/api/projects/${id}/claims`, { key: founder.key, body: { min_approved: 1 } })
  const others = await Promise.all(Array.from({ length: perProject }, () => market.register()))
  const claimed = await Promise.all(
    bounties.map(({ id }, index) => post(id, 'claim', others[index % perProject] as { key: string })),
  )
  expect(new Set(claimed.map(({ body }) => body.error?.code))).toEqual(new Set(['not_enough_approved_work']))
  expect(await allOpen()).toBe(true)
})
