import { expect, test } from 'vitest'
import { branchFor } from '../../../server/lifecycle/attribution.ts'
import { expectError } from '../../support/errors.ts'
import type { SubmittedBounty } from '../../support/scenarios.ts'
import { readRow } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { author, createAcceptanceScene } from './support.ts'

const scene = await createAcceptanceScene()
const {
  market,
  host,
  db,
  project,
  post,
  report,
  reject,
  submissionOf,
  isDone,
  inReview,
  merge,
  hear,
  start,
} = scene

const repository_id = async () => Number((await readRow(db, 'projects', { id: project.id })).repository_id)
const mergeCommit = 'c'.repeat(40)

/** The branch of a merge, and the one that is the default when it is read. */
const base = async (ref: string, default_branch: string) => ({
  base: { ref, repo: { id: await repository_id(), default_branch } },
})

async function isPaid(bounty: SubmittedBounty): Promise<void> {
  start()
  await hear(bounty)
  await until(() => isDone(bounty))
  expect((await scene.payments(bounty)).paid).toBe(1)
}

test('paid: merged into the default branch, which has another name, or is another branch, when that is read', async () => {
  const bounty = await inReview()
  merge(bounty, await base('main', 'trunk'))
  expectError(await reject(bounty), 'pull_request_merged')
  await isPaid(bounty)
})

test('paid: merged before its submission into what was the default branch when the project was activated', async () => {
  const claimed = await market.claimedBounty({ project })
  const pr_url = await market.pullRequest(project, branchFor(claimed.claimant.id, claimed.id))
  report(pr_url, { user: author })
  const bounty = { ...claimed, pr_url, submissionId: '' }
  merge(bounty, await base('main', 'trunk'))
  const submitted = await post(`/api/bounties/${bounty.id}/submit`, bounty.claimant.key, { pr_url })
  expect(submitted.status).toBe(201)
  await isPaid({ ...bounty, submissionId: submitted.body.submission.id })
})

test('paid: merged into what was the default branch when another pull request of the repository was read', async () => {
  const bounty = await inReview()
  const other = await inReview()
  report(other.pr_url, await base('next', 'next'))
  expect((await reject(other)).status).toBe(200)
  merge(bounty, await base('next', 'main'))
  await isPaid(bounty)
})

test('409 pull_request_merged: the default branch got the commit by a push, and is another branch now', async () => {
  const bounty = await inReview()
  report(bounty.pr_url, await base('main', 'trunk'))
  await scene.push(bounty)
  expectError(await reject(bounty), 'pull_request_merged')
})

test('paid: squashed into another branch, from where the default branch has it', async () => {
  const bounty = await inReview()
  merge(bounty, await base('staging', 'main'))
  host.contained.add(mergeCommit)
  await isPaid(bounty)
  host.contained.delete(mergeCommit)
})

test('200: a reject where the branch into which it was merged never was the default one, nor came there', async () => {
  const bounty = await inReview()
  merge(bounty, await base('staging', 'main'))
  expect((await reject(bounty)).status).toBe(200)
  expect((await submissionOf(bounty)).status).toBe('rejected')
})
