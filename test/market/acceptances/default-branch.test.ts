import { expect, test } from 'vitest'
import { branchFor } from '../../../server/lifecycle/attribution.ts'
import { expectError } from '../../support/errors.ts'
import { readRow } from '../../support/stored.ts'
import { author, createAcceptanceScene } from './support.ts'

const scene = await createAcceptanceScene()
const { market, db, project, post, report, reject, inReview, merge, expectPaid } = scene

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
