import { expect, test } from 'vitest'
import { branchFor } from '../../../server/lifecycle/pull-requests/attribution.ts'
import { submittedHead } from '../../support/code-host.ts'
import { expectError } from '../../support/errors.ts'
import { readRow } from '../../support/stored.ts'
import { author, createAcceptanceScene, secondsAgo } from './support.ts'

const scene = await createAcceptanceScene()
const { market, db, host, project, post, report, reject, inReview, merge, expectPaid } = scene
const { start, hear, wasLookedAt, payments } = scene

/** The branch into which it was merged, and the one that is the default when it is read. */
async function base(ref: string, default_branch: string) {
  const { repository_id } = await readRow(db, 'projects', { id: project.id })
  return { base: { ref, repo: { id: Number(repository_id), default_branch } } }
}

test.each([
  ['the default branch, which has another name, or is another one, when that is read', 'main', 'trunk'],
  ['a branch that never was the default one', 'staging', 'main'],
])('paid, and 409 pull_request_merged for a reject: merged into %s', async (_, ref, default_branch) => {
  const bounty = await inReview()
  merge(bounty, await base(ref, default_branch))
  expectError(await reject(bounty), 'pull_request_merged')
  await expectPaid(bounty)
})

test('paid: merged into another branch before its submission', async () => {
  const bounty = await market.claimedBounty({ project })
  const pr_url = await market.pullRequest(project, branchFor(bounty.claimant.id, bounty.id))
  report(pr_url, { user: author })
  merge({ ...bounty, pr_url, submissionId: '' }, await base('main', 'trunk'))
  const submitted = await post(`/api/bounties/${bounty.id}/submit`, bounty.claimant.key, { pr_url })
  expect(submitted.status).toBe(201)
  await expectPaid({ ...bounty, pr_url, submissionId: submitted.body.submission.id })
})

test('a commit that another agent has shown first is not paid to who copied it, though the code host lists the copy alone', async () => {
  const sha = await submittedHead(db, (await inReview()).submissionId)
  const user = { id: 55, login: 'mallory' }
  const copy = await inReview({ members: { head: { sha }, user } })
  const listed = { number: Number(copy.pr_url.split('/').at(-1)), user, created_at: secondsAgo(9) }
  host.respond = ({ path }) =>
    path.includes(`/commits/${sha}/pulls`) ? { status: 200, body: [listed] } : undefined
  host.contained.add(sha)
  merge(copy)
  const stop = start()
  await hear(copy)
  await wasLookedAt(copy)
  await stop()
  expect(await payments(copy)).toEqual({ commits: [], paid: 0 })
  expect((await reject(copy)).status).toBe(200)
})
