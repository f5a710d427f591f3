import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { storeDelivery } from '../../../server/engines/pull-requests/deliveries.ts'
import type { ReportedHead } from '../../../server/engines/pull-requests/origins.ts'
import { submittedHead } from '../../support/code-host.ts'
import { expectError } from '../../support/errors.ts'
import type { SubmittedBounty } from '../../support/scenarios.ts'
import { readRow } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { author, createAcceptanceScene, maintainer, naming, secondsAgo } from './support.ts'

const scene = await createAcceptanceScene()
const { host, db, project, reject, submissionOf, isDone, inReview, merge, hear, start, payments } = scene
const other = { id: 9, login: 'eve' }

beforeEach(() => {
  host.respond = () => undefined
})

/** A webhook shows the commit as the newest one of a branch. */
async function show(sha: string, head: Partial<ReportedHead>): Promise<void> {
  const { repository_id } = await readRow(db, 'projects', { id: project.id })
  await storeDelivery(db, {
    ...{ id: randomUUID(), event: 'push', action: null, repository_id },
    ...{ pull_number: null, head_sha: null, report: null },
    head: { sha, ref: 'topic', author_id: null, seen_at: new Date(), ...head },
  })
}

/** The host merges the pull request by a commit of its own: the default branch has its newest commit. */
function mergeWithHistory(bounty: SubmittedBounty, sha: string): void {
  merge(bounty, { head: { sha } })
  host.contained.add(sha)
}

async function expectPaid(bounty: SubmittedBounty): Promise<void> {
  expectError(await reject(bounty), 'pull_request_merged')
  start()
  await hear(bounty)
  await until(() => isDone(bounty))
  expect((await payments(bounty)).paid).toBe(1)
}

test('paid: the maintainer has brought the branch up to date before the merge, so its newest commit is by another account', async () => {
  const bounty = await inReview()
  const updated = '1'.repeat(40)
  await show(updated, { ref: naming(bounty), author_id: author.id })
  host.respond = ({ path }) =>
    path.includes(`/commits/${updated}?`) ? { status: 200, body: { author: maintainer } } : undefined
  mergeWithHistory(bounty, updated)
  await expectPaid(bounty)
})

test('paid: another account has opened a pull request with the same commit afterwards, which the merge took along', async () => {
  const bounty = await inReview()
  const sha = await submittedHead(db, bounty.submissionId)
  await show(sha, { ref: naming(bounty), author_id: author.id })
  await show(sha, { author_id: other.id })
  const created_at = secondsAgo(3600)
  host.alsoIn.set(sha, [{ number: 4711, user: { id: other.id }, created_at, merged_at: secondsAgo(0) }])
  mergeWithHistory(bounty, sha)
  await expectPaid(bounty)
})

test('paid: webhooks of the copy come first, and are of a later moment', async () => {
  const bounty = await inReview()
  const sha = '2'.repeat(40)
  await show(sha, { author_id: other.id })
  await show(sha, { ref: naming(bounty), seen_at: new Date(secondsAgo(1)) })
  mergeWithHistory(bounty, sha)
  await expectPaid(bounty)
})

test('paid: the newest commit was first in a branch of the maintainer, and has the submitted one in its history', async () => {
  const bounty = await inReview()
  const [submitted, newest] = [await submittedHead(db, bounty.submissionId), '3'.repeat(40)]
  await show(submitted, { ref: naming(bounty) })
  await show(newest, { author_id: maintainer.id })
  host.contained.add(submitted)
  mergeWithHistory(bounty, newest)
  await expectPaid(bounty)
})

test('paid: its account had the commit in a branch of another name first', async () => {
  const bounty = await inReview()
  const sha = '4'.repeat(40)
  await show(sha, { author_id: author.id })
  mergeWithHistory(bounty, sha)
  await expectPaid(bounty)
})

test('200: a reject where a commit that was copied from the branch of another account was merged', async () => {
  const bounty = await inReview()
  const sha = '5'.repeat(40)
  await show(sha, { author_id: other.id })
  mergeWithHistory(bounty, sha)
  expect((await reject(bounty)).status).toBe(200)
  expect((await submissionOf(bounty)).status).toBe('rejected')
})
