import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { prove } from '../../../server/code/claims/store.ts'
import { keepMerged } from '../../../server/code/pull-requests/reports.ts'
import { keepPulls } from '../../../server/lifecycle/pull-requests/seen-pulls.ts'
import { openLapsed } from '../../../server/market/deadlines/store.ts'
import { lapse } from '../../support/deadlines.ts'
import type { ClaimedBounty } from '../../support/scenarios.ts'
import { until } from '../../support/until.ts'
import { author, createAcceptanceScene, maintainer, naming, secondsAgo } from './support.ts'

/* A claim whose work was seen ends, and the founder merges the work then. */
const { market, host, report, db, post, merge, hear, start, inReview, reject, retract } =
  await createAcceptanceScene()
beforeEach(() => {
  host.respond = () => undefined
})

/** A claimed bounty of which work was seen. */
async function seen() {
  const bounty = await market.claimedBounty({ project: await market.activeProject() })
  const claim = { id: bounty.id, agentId: bounty.claimant.id }
  const pr_url = await market.pullRequest(bounty.project, naming(bounty))
  report(pr_url, { user: author })
  const number = Number(pr_url.split('/').at(-1))
  const work = { number, head_ref: naming(bounty), head_sha: 'b'.repeat(40) }
  await keepPulls(db, claim, [work])
  await prove(db, claim, work)
  return { ...bounty, pr_url, number, submissionId: '' }
}

/** The founder has ended its claim at half of its time, although work was seen. */
async function dismissed() {
  const bounty = await seen()
  await endClaim(bounty)
  return bounty
}

/** More than half of the time of the claim is over, and the founder ends it. */
async function endClaim({ id, founder }: ClaimedBounty): Promise<void> {
  await sql`update bounties set claimed_at = now() - interval '30 days' where id = ${id}`.execute(db)
  await sql`update submissions set reviewed_at = now() - interval '29 days' where bounty_id = ${id}`.execute(
    db,
  )
  const notes = { review_notes: 'Too slow.' }
  expect((await post(`/api/bounties/${id}/dismiss`, founder.key, notes)).status).toBe(200)
}

/** The code host reports that it is merged, and the loop looks at it. */
async function hearOfMerge({ id, project, number }: ClaimedBounty & { number: number }) {
  const { repository_id } = await db
    .selectFrom('projects')
    .where('id', '=', project.id)
    .select('repository_id')
    .executeTakeFirstOrThrow()
  await keepMerged(db, { repository_id: Number(repository_id), number })
  const stop = start()
  await until(async () => {
    const { rows } =
      await sql`select from seen_pulls where bounty_id = ${id} and look_at is not null`.execute(db)
    return rows.length === 0
  })
  await stop()
}

/** What preflights say of the founder of a bounty. */
async function founderOf({ id, claimant }: ClaimedBounty) {
  const { body } = await market.api('GET', `/api/bounties/${id}/preflight`, { key: claimant.key })
  return body.preflight.founder
}

test('what is merged after its claim was dismissed counts as merged without being paid', async () => {
  const bounty = await dismissed()
  merge(bounty)
  await hearOfMerge(bounty)
  expect(await founderOf(bounty)).toMatchObject({ merged_unpaid: 1, dismissed_with_work_seen: 1 })
  const { body } = await market.api('GET', `/api/agents/${bounty.founder.id}`, { key: bounty.claimant.key })
  expect(body.agent.as_founder).toMatchObject({ merged_unpaid: 1 })
})

test.each([
  ['its author', { merged_by: author }],
  ['the founder before the claim', { merged_by: maintainer, merged_at: secondsAgo(40 * 24 * 3600) }],
])('what %s has merged does not', async (_, members) => {
  const bounty = await dismissed()
  merge(bounty, members)
  await hearOfMerge(bounty)
  expect(await founderOf(bounty)).toMatchObject({ merged_unpaid: 0, dismissed_with_work_seen: 1 })
})

test('sent back, dismissed and merged counts once', async () => {
  const bounty = await inReview({ project: await market.activeProject() })
  const notes = { review_notes: 'No.' }
  const path = `/api/bounties/${bounty.id}`
  expect((await post(`${path}/request-changes`, bounty.founder.key, notes)).status).toBe(200)
  await endClaim(bounty)
  merge(bounty)
  await hear(bounty)
  const number = Number(bounty.pr_url.split('/').at(-1))
  await keepPulls(db, { id: bounty.id, agentId: bounty.claimant.id }, [{ number, head_ref: naming(bounty) }])
  await hearOfMerge({ ...bounty, number })
  expect(await founderOf(bounty)).toMatchObject({ merged_unpaid: 1 })
})

test('taken back, claimed again, dismissed and merged counts once', async () => {
  const bounty = await inReview({ project: await market.activeProject() })
  expect((await retract(bounty)).status).toBe(200)
  expect((await post(`/api/bounties/${bounty.id}/claim`, bounty.claimant.key)).status).toBe(200)
  const number = Number(bounty.pr_url.split('/').at(-1))
  await keepPulls(db, { id: bounty.id, agentId: bounty.claimant.id }, [{ number, head_ref: naming(bounty) }])
  await endClaim(bounty)
  merge(bounty)
  await hearOfMerge({ ...bounty, number })
  expect(await founderOf(bounty)).toMatchObject({ merged_unpaid: 1 })
})

test('what is merged after another pull request of its agent was rejected counts', async () => {
  const bounty = await inReview({ project: await market.activeProject() })
  const pr_url = await market.pullRequest(bounty.project, `${naming(bounty)}-2`)
  report(pr_url, { user: author })
  const number = Number(pr_url.split('/').at(-1))
  await keepPulls(db, { id: bounty.id, agentId: bounty.claimant.id }, [{ number, head_ref: naming(bounty) }])
  expect((await reject(bounty)).status).toBe(200)
  merge({ ...bounty, pr_url })
  await hearOfMerge({ ...bounty, number })
  expect(await founderOf(bounty)).toMatchObject({ merged_unpaid: 1 })
})

test('what is merged after its claim has lapsed counts', async () => {
  const bounty = await seen()
  await lapse(db, bounty)
  expect(await openLapsed(db, 10)).toMatchObject([{ bountyId: bounty.id }])
  merge(bounty)
  await hearOfMerge(bounty)
  expect(await founderOf(bounty)).toMatchObject({ merged_unpaid: 1, dismissed_with_work_seen: 0 })
})

test('another agent has claimed the bounty meanwhile: its claim goes on', async () => {
  const bounty = await dismissed()
  const next = await market.register()
  expect((await post(`/api/bounties/${bounty.id}/claim`, next.key)).status).toBe(200)
  merge(bounty)
  await hearOfMerge(bounty)
  expect(await founderOf(bounty)).toMatchObject({ merged_unpaid: 1 })
  const { body } = await market.api('GET', `/api/bounties/${bounty.id}`, { key: next.key })
  expect(body.bounty).toMatchObject({ status: 'claimed' })
})
