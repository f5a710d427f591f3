import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { beatHeart, listNothing } from '../../support/deadlines.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { proxyPage } from '../../support/request-faults.ts'
import { afterPush } from '../../support/stored.ts'
import { idOf, isoTime } from '../../support/values.ts'

let failGitHub = false
const market = await createTestMarket({
  onGitHubRequest: async () => (failGitHub ? proxyPage : undefined),
})
const project = await market.activeProject()

const submit = ({ id }: { id: string }, key: string | undefined, pr_url: unknown) =>
  market.act({ id }, 'submit', { key }, { pr_url })

test('201 pending, and the bounty in review', async () => {
  const bounty = await market.claimedBounty({ project })
  const { id, claimant } = bounty
  const pr_url = await market.work(bounty)
  const { status, body } = await submit({ id }, claimant.key, pr_url)
  expect(status).toBe(201)
  expect(body).toEqual({
    submission: {
      id: idOf('sub_'),
      bounty_id: id,
      agent_id: claimant.id,
      pr_url,
      status: 'pending',
      created_at: isoTime,
    },
  })
  const { body: after } = await market.api('GET', `/api/bounties/${id}`)
  expect(after.bounty).toMatchObject({ status: 'in_review', submissions: [{ id: body.submission.id }] })
})

test('201 stored in its canonical form', async () => {
  const { id, claimant } = await market.claimedBounty({ project })
  const url = await market.pullRequest(project)
  const { status, body } = await submit({ id }, claimant.key, `${url}/files#issuecomment-1`)
  expect({ status, url: body.submission.pr_url }).toEqual({ status: 201, url })
})

test('400 pull_request_invalid for a commit that was rejected; 201 for the same pull request with another one', async () => {
  const { id, founder, claimant, pr_url } = await market.bountyInReview({ project })
  const body = { review_notes: 'No.' }
  await market.act({ id }, 'reject', founder, body)
  await market.act({ id }, 'claim', claimant)
  const again = await submit({ id }, claimant.key, pr_url)
  expectError(again, 'pull_request_invalid')
  expect(again.body.error.message).toContain('rejected or sent back')
  await afterPush(market.db, { id })
  expect((await submit({ id }, claimant.key, pr_url)).status).toBe(201)
})

test.each([
  ["another project's repository", async () => market.pullRequest(await market.activeProject())],
  ['another host', (repo: string) => `https://github.com${new URL(repo).pathname}/pull/1`],
  ['no address', () => 'pull request 1'],
])('400 pull_request_invalid for %s', async (_, make) => {
  const { id, claimant } = await market.claimedBounty({ project })
  const pr_url = await make(project.repo_url)
  expectError(await submit({ id }, claimant.key, pr_url), 'pull_request_invalid')
  const { body } = await market.api('GET', `/api/bounties/${id}`)
  expect(body.bounty).toMatchObject({ status: 'claimed', submissions: [] })
})

test('400 pull_request_not_found for a number nobody created', async () => {
  const { id, claimant } = await market.claimedBounty({ project })
  expectError(await submit({ id }, claimant.key, `${project.repo_url}/pull/12345`), 'pull_request_not_found')
})

test('403 not_claimant for who held it before a rejection', async () => {
  const { id, founder, claimant, pr_url } = await market.bountyInReview({ project })
  const body = { review_notes: 'No.' }
  await market.act({ id }, 'reject', founder, body)
  const refused = await submit({ id }, claimant.key, pr_url)
  expectError(refused, 'not_claimant')
  expect(refused.body.error.message).toMatch(/rejected, which ended your claim. Claim the bounty again/)
  const other = await market.register()
  await market.act({ id }, 'claim', other)
  const late = await submit({ id }, claimant.key, pr_url)
  expectError(late, 'not_claimant')
  expect(late.body.error.message).toMatch(/rejected, which ended your claim. Another agent/)
})

test('502 repository_unreachable while the code host fails, which costs no claim, and 201 after', async () => {
  const { id, claimant } = await market.claimedBounty({ project })
  const pr_url = await market.pullRequest(project)
  await sql`update bounties set claim_expires_at = now() + interval '1 minute' where id = ${id}`.execute(
    market.db,
  )
  failGitHub = true
  expectError(await submit({ id }, claimant.key, pr_url), 'repository_unreachable')
  failGitHub = false
  const row = market.db.selectFrom('bounties').where('id', '=', id)
  const postponed = sql<boolean>`claim_expires_at between now() + interval '50 minutes' and now() + interval '1 hour'`
  expect(await row.select(postponed.as('postponed')).executeTakeFirst()).toEqual({ postponed: true })
  expect((await submit({ id }, claimant.key, pr_url)).status).toBe(201)
})

test('502 repository_unreachable for days: a claim gets a day in all, and one that has lapsed gets nothing', async () => {
  const { id, claimant } = await market.claimedBounty({ project })
  await listNothing(market.db, { id })
  const pr_url = await market.pullRequest(project)
  const end = async (interval: string) => {
    await beatHeart(market.db)
    await sql`update bounties set claim_expires_at = now() + ${interval}::interval where id = ${id}`.execute(
      market.db,
    )
    failGitHub = true
    expectError(await submit({ id }, claimant.key, pr_url), 'repository_unreachable')
    failGitHub = false
    const left = sql<number>`round(extract(epoch from claim_expires_at - now()) / 60)::int`
    const row = market.db.selectFrom('bounties').where('id', '=', id).select(left.as('minutes'))
    return (await row.executeTakeFirstOrThrow()).minutes
  }
  expect(await end('-1 minute')).toBe(-1)
  expect(await end('10 minutes')).toBe(60)
  // It would have ended 23 h 40 min ago without the hours that it got.
  await sql`update bounties set postponed_from = now() - interval '23 hours 40 minutes' where id = ${id}`.execute(
    market.db,
  )
  expect(await end('10 minutes')).toBe(20)
  expect(await end('20 minutes')).toBe(20)
})

test('403 not_claimant on an unclaimed bounty says how to claim it', async () => {
  const { id } = await market.openBounty()
  const { key } = await market.register()
  const { body } = await market.act({ id }, 'submit', { key }, { pr_url: 'https://a.b/pull/1' })
  expect(body.error.message).toContain(`Claim it first: POST /api/bounties/${id}/claim.`)
})
