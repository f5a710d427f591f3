import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { prove } from '../../../server/code/claims/store.ts'
import type { Work } from '../../../server/code/host/work.ts'
import { keepPulls } from '../../../server/lifecycle/pull-requests/seen-pulls.ts'
import { submittedHead } from '../../support/code-host.ts'
import { expectError } from '../../support/errors.ts'
import { setRows } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { author, createAcceptanceScene, naming, secondsAgo } from './support.ts'

/* The founder merges work before it is submitted, or after it was sent back. */
const scene = await createAcceptanceScene()
const {
  market,
  host,
  report,
  db,
  project,
  post,
  reject,
  isDone,
  inReview,
  merge,
  hear,
  start,
  wasLookedAt,
  payments,
  eventsOf,
  push,
} = scene
beforeEach(() => {
  host.respond = () => undefined
})

/** A claimed bounty whose pull request is merged before it is submitted. */
async function mergedInClaim({
  branch = naming,
  wasSeen = false,
  secondsSince = 60,
}: {
  branch?: typeof naming
  wasSeen?: boolean
  secondsSince?: number
}) {
  const bounty = await market.claimedBounty({ project })
  const head_ref = branch(bounty)
  const pr_url = await market.pullRequest(bounty.project, head_ref)
  report(pr_url, { user: author })
  const number = Number(pr_url.split('/').at(-1))
  if (wasSeen) await seen({ id: bounty.id, agentId: bounty.claimant.id }, { ...unmerged, head_ref, number })
  await sql`update bounties set claimed_at = now() - interval '1 hour' where id = ${bounty.id}`.execute(db)
  merge({ ...bounty, pr_url, submissionId: '' }, { merged_at: secondsAgo(secondsSince) })
  const submit = () => post(`/api/bounties/${bounty.id}/submit`, bounty.claimant.key, { pr_url })
  return { ...bounty, pr_url, submit }
}
/** The loop finds work of a claim. */
const seen = async (claim: { id: string; agentId: string }, work: Omit<Work, 'base'>) => {
  await keepPulls(db, claim, [work])
  await prove(db, claim, work)
}
const unmerged = { head_sha: 'b'.repeat(40), opened_at: new Date(), merged_at: null }

test.each<[string, Parameters<typeof mergedInClaim>[0]]>([
  ['that was seen to be the claimant’s', { wasSeen: true }],
  ['that was not seen before', {}],
  ['that was merged a moment ago', { secondsSince: 0 }],
])(
  'work %s, merged in the claim and then submitted: it is paid, and cannot be rejected',
  async (_, options) => {
    const bounty = await mergedInClaim(options)
    const { status, body } = await bounty.submit()
    expect([status, body.warnings]).toEqual([201, [expect.stringContaining('the payout begins by itself')]])
    const submitted = { ...bounty, submissionId: body.submission.id }
    expectError(await reject(submitted), 'pull_request_merged')
    start()
    await until(() => isDone(submitted))
    expect(await payments(submitted)).toMatchObject({ paid: 1 })
  },
)

test('work whose branch names nobody, merged before it was submitted: the founder decides', async () => {
  const bounty = await mergedInClaim({ branch: () => 'weeks' })
  const { status, body } = await bounty.submit()
  expect([status, body.warnings]).toEqual([
    201,
    [
      expect.stringContaining('the founder decides'),
      expect.stringContaining(`not named ${bounty.claimant.id}/${bounty.id}`),
    ],
  ])
  const submitted = { ...bounty, submissionId: body.submission.id }
  const stop = start()
  await wasLookedAt(submitted)
  await stop()
  expect((await reject(submitted)).status).toBe(200)
  expect(await payments(submitted)).toEqual({ commits: [], paid: 0 })
})

test('merged at any request of its submission, then rejected, sent back and approved at once: it is paid once', async () => {
  start()
  for (let nth = 1, sent = nth; sent >= nth; nth++) {
    const bounty = await market.claimedBounty({ project })
    const pr_url = await market.work(bounty)
    report(pr_url, { user: author })
    sent = 0
    host.respond = () => {
      if (++sent === nth) merge({ ...bounty, pr_url, submissionId: '' })
      return undefined
    }
    const { body } = await post(`/api/bounties/${bounty.id}/submit`, bounty.claimant.key, { pr_url })
    host.respond = () => undefined
    if (sent < nth) merge({ ...bounty, pr_url, submissionId: '' })
    const submitted = { ...bounty, pr_url, submissionId: body.submission.id }
    const path = `/api/bounties/${bounty.id}`
    const [rejected, changes] = await Promise.all([
      reject(submitted),
      post(`${path}/request-changes`, bounty.founder.key, { review_notes: 'No.' }),
      post(`${path}/approve`, bounty.founder.key, {}),
    ])
    expect([rejected.status, changes.status]).not.toContain(200)
    await until(() => isDone(submitted))
    expect(await payments(submitted)).toMatchObject({ paid: 1 })
  }
})

test('sent back, merged, then submitted again: it is paid, and cannot be rejected', async () => {
  const bounty = await inReview()
  const path = `/api/bounties/${bounty.id}`
  const notes = { review_notes: 'Almost.' }
  expect((await post(`${path}/request-changes`, bounty.founder.key, notes)).status).toBe(200)
  start()
  merge(bounty)
  await hear(bounty)
  await until(async () => (await eventsOf(bounty, 'pull_request.merged')).length === 1)
  expectError(await post(`${path}/dismiss`, bounty.founder.key, notes), 'pull_request_merged')
  const again = await post(`${path}/submit`, bounty.claimant.key, { pr_url: bounty.pr_url })
  expect(again.status).toBe(201)
  const submitted = { ...bounty, submissionId: again.body.submission.id }
  expect((await reject(submitted)).status).toBe(409)
  await until(() => isDone(submitted))
  expect(await payments(submitted)).toMatchObject({ paid: 1 })
})

test('sent back, in the default branch, then submitted with a newer commit: what was sent back is paid', async () => {
  const bounty = await inReview()
  const path = `/api/bounties/${bounty.id}`
  expect((await post(`${path}/request-changes`, bounty.founder.key, { review_notes: 'No.' })).status).toBe(
    200,
  )
  await push(bounty)
  report(bounty.pr_url, { state: 'closed' })
  await sql`update bounties set claimed_at = now() - interval '30 days' where id = ${bounty.id}`.execute(db)
  expect((await post(`${path}/dismiss`, bounty.founder.key, { review_notes: 'No.' })).status).toBe(409)
  report(bounty.pr_url, { state: 'open', head: { sha: 'e'.repeat(40) } })
  const again = await post(`${path}/submit`, bounty.claimant.key, { pr_url: bounty.pr_url })
  const submitted = { ...bounty, submissionId: again.body.submission.id }
  start()
  await until(() => isDone(submitted))
  expect(await payments(submitted)).toEqual({
    commits: [await submittedHead(db, bounty.submissionId)],
    paid: 1,
  })
})

test('a pull request whose commits the default branch had before: 400 pull_request_invalid', async () => {
  const bounty = await market.claimedBounty({ project })
  const pr_url = await market.work(bounty)
  const sha = createHash('sha1').update(pr_url).digest('hex')
  report(pr_url, { user: author, head: { sha } })
  host.contained.add(sha)
  const submitted = await post(`/api/bounties/${bounty.id}/submit`, bounty.claimant.key, { pr_url })
  expectError(submitted, 'pull_request_invalid')
})

test('left to the founder and sent back, it is no approval when the same commit is submitted again', async () => {
  const bounty = await mergedInClaim({ branch: () => 'a-gift' })
  const { body } = await bounty.submit()
  expect(body.warnings).toContainEqual(expect.stringContaining('the founder decides'))
  const sent = await market.act(bounty, 'request-changes', bounty.founder, { review_notes: 'Tests, please.' })
  expect(sent.status).toBe(200)
  expectError(await bounty.submit(), 'pull_request_invalid')
})

test('400 pull_request_invalid for a pull request whose newest commit was paid for another bounty', async () => {
  const paid = await market.doneBounty({ project })
  const bounty = await market.claimedBounty({ project })
  const pr_url = await market.work(bounty)
  const sha = 'f'.repeat(40)
  report(pr_url, { user: author, head: { sha } })
  const submit = () => post(`/api/bounties/${bounty.id}/submit`, bounty.claimant.key, { pr_url })
  const payout = { submission_id: paid.submissionId }
  await setRows(db, 'payouts', payout, { head_sha: sha })
  await setRows(db, 'submissions', { id: paid.submissionId }, { agent_id: bounty.claimant.id })
  const submitted = await submit()
  expectError(submitted, 'pull_request_invalid')
  expect(submitted.body.error.message).toContain(`with bounty ${paid.id}.`)
  await setRows(db, 'payouts', payout, { head_sha: 'e'.repeat(40) })
  expect((await submit()).status).toBe(201)
})

test.each([
  ['its claimant was', 200],
  ['another agent was, who may have copied it,', 409],
])('a merge of a commit for which %s paid with another bounty: %i for a rejection', async (who, status) => {
  const paid = await market.doneBounty({ project })
  const bounty = await inReview()
  const sha = 'd'.repeat(40)
  await setRows(db, 'payouts', { submission_id: paid.submissionId }, { head_sha: sha })
  if (who.startsWith('its'))
    await setRows(db, 'submissions', { id: paid.submissionId }, { agent_id: bounty.claimant.id })
  merge(bounty, { head: { sha } })
  expect((await reject(bounty)).status).toBe(status)
})
