import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { storeDelivery } from '../../../server/code/pull-requests/deliveries.ts'
import { deleteOldReports, type PullReport } from '../../../server/code/pull-requests/reports.ts'
import { inTransaction } from '../../../server/db/transaction.ts'
import { branchFor } from '../../../server/lifecycle/pull-requests/attribution.ts'
import { lockBounty } from '../../../server/lifecycle/situation.ts'
import { expectError } from '../../support/errors.ts'
import { createPullRequestMarket } from '../../support/pull-requests.ts'
import type { ClaimedBounty, SubmittedBounty } from '../../support/scenarios.ts'
import { readRow, setRows } from '../../support/stored.ts'

/* The code host's interface shows less than its webhooks have said. */
const scene = await createPullRequestMarket()
const { market, host, served, report } = scene
const { db } = market
const project = await market.activeProject()
beforeEach(() => {
  host.respond = () => undefined
})

const minutes = (count: number) => new Date(Date.now() + count * 60_000)
const act = ({ id, founder }: ClaimedBounty, step: string) =>
  served.api('POST', `/api/bounties/${id}/${step}`, { key: founder.key, body: { review_notes: 'No.' } })
const mergedWork = () => ({
  merged: true,
  state: 'closed',
  merge_commit_sha: 'c'.repeat(40),
  merged_by: { id: 8 },
  merged_at: new Date().toISOString(),
  user: { id: 7, login: 'ada' },
})
const branchOf = ({ id, claimant }: ClaimedBounty) => branchFor(claimant.id, id)
const numberOf = ({ pr_url }: Pick<SubmittedBounty, 'pr_url'>) => Number(pr_url.split('/').at(-1))

/** A webhook about a pull request of the project. */
async function deliver(number: number, said: Partial<PullReport>, action = 'edited'): Promise<void> {
  const { repository_id } = await readRow(db, 'projects', { id: project.id })
  const ids = { id: randomUUID(), event: 'pull_request', action, head_sha: null, check_id: null }
  const is_opening = action === 'opened'
  const state = { is_open: true, merged: false, changed_at: new Date(), head_ref: 'weeks', ...said }
  await storeDelivery(db, {
    ...ids,
    repository_id,
    pull_number: number,
    report: { repository_id: repository_id ?? 0, number, is_opening, ...state },
  })
}

test('502 for a rejection while what a webhook called merged is shown as open; then 409 pull_request_merged', async () => {
  const bounty = await market.bountyInReview({ project })
  await setRows(db, 'submissions', { id: bounty.submissionId }, { is_attributed: true })
  await deliver(numberOf(bounty), { merged: true, is_open: false })
  expectError(await act(bounty, 'reject'), 'repository_unreachable')
  const { rows } = await sql`select from pull_requests where url = ${bounty.pr_url}
    and due_at between now() - interval '10 seconds' and now() + interval '1 minute'`.execute(db)
  expect(rows).toHaveLength(1)
  report(bounty.pr_url, mergedWork())
  expectError(await act(bounty, 'reject'), 'pull_request_merged')
})

test('502 for an approval of a commit while the shown pull request is older than a webhook about it, at most an hour', async () => {
  for (const end of ['shown', 'hour']) {
    const bounty = await market.bountyInReview({ project })
    const body = { expected_head_sha: '0'.repeat(40) }
    const approve = () =>
      served.api('POST', `/api/bounties/${bounty.id}/approve`, { key: bounty.founder.key, body })
    const changed_at = minutes(1)
    await deliver(numberOf(bounty), { changed_at })
    expectError(await approve(), 'repository_unreachable')
    if (end === 'shown') report(bounty.pr_url, { updated_at: changed_at.toISOString() })
    else
      await sql`update reported_pulls set received_at = now() - interval '61 minutes'
        where number = ${numberOf(bounty)}`.execute(db)
    expectError(await approve(), 'pull_request_changed')
  }
})

test('the newest commit is shown though the host goes on saying that nothing has changed since an older reading', async () => {
  const bounty = await market.bountyInReview({ project })
  report(bounty.pr_url, { mergeable: true })
  await scene.age(bounty.pr_url)
  const look = () =>
    served.api('GET', `/api/submissions/${bounty.submissionId}/pull-request`, { key: bounty.founder.key })
  expect((await look()).status).toBe(200)
  await scene.age(bounty.pr_url)
  const sha = 'e'.repeat(40)
  const changed_at = minutes(1)
  report(bounty.pr_url, { head: { sha }, updated_at: changed_at.toISOString() })
  await deliver(numberOf(bounty), { changed_at })
  host.respond = ({ path, headers }) =>
    /\/pulls\/\d+$/.test(path) && headers['if-none-match'] ? { status: 304 } : undefined
  const { body } = await look()
  expect(body.pull_request.head_sha).toBe(sha)
})

test('edits that are reported and not yet shown keep no review from ending', async () => {
  const bounty = await market.bountyInReview({ project })
  const number = numberOf({ pr_url: await market.pullRequest(project) })
  await deliver(number, { head_ref: branchOf(bounty), changed_at: minutes(1) })
  await deliver(numberOf(bounty), { changed_at: minutes(1) })
  expect((await act(bounty, 'reject')).status).toBe(200)
})

test('502 for a pull request that the host has reported and does not show', async () => {
  const bounty = await market.bountyInReview({ project })
  await deliver(numberOf(bounty), {})
  host.respond = ({ path }) =>
    path.endsWith(`/pulls/${numberOf(bounty)}`) ? { status: 404, body: { message: 'Not Found' } } : undefined
  expectError(await act(bounty, 'reject'), 'repository_unreachable')
  expect((await scene.row(bounty.pr_url)).state).toBe('open')
})

test('502 for the end of a claim while the list lacks a pull request of it that was reported since; else 200, whatever is reported of others', async () => {
  const bounty = await market.claimedBounty({ project })
  const pr_url = await market.pullRequest(project, branchOf(bounty))
  const number = numberOf({ pr_url })
  host.respond = ({ path }) => (/\/pulls\?/.test(path) ? { status: 200, body: [] } : undefined)
  await deliver(4708, {})
  await deliver(number, { head_ref: branchOf(bounty) })
  expectError(await act(bounty, 'dismiss'), 'repository_unreachable')
  report(pr_url, { state: 'closed' })
  const changed_at = new Date()
  await deliver(number, { is_open: false, changed_at })
  await deliver(number, { changed_at })
  expect((await act(bounty, 'dismiss')).status).toBe(200)
})

test.each(['reject', 'request-changes'])(
  '409 pull_request_merged for %s where a merge of another pull request of the claim is reported, whatever was read',
  async (verb) => {
    const bounty = await market.bountyInReview({ project })
    const number = numberOf({ pr_url: await market.pullRequest(project) })
    await deliver(number, { head_ref: branchOf(bounty), changed_at: minutes(-5) }, 'opened')
    const seen = { bounty_id: bounty.id, number }
    await setRows(db, 'seen_pulls', seen, { merged_at: new Date() })
    const refused = await act(bounty, verb)
    expectError(refused, 'pull_request_merged')
    expect(refused.body.error.message).toContain(
      `/api/bounties/${bounty.id}/approve {"submission_id":"${bounty.submissionId}"}`,
    )
    await setRows(db, 'seen_pulls', seen, { merged_at: null })
    expect((await act(bounty, verb)).status).toBe(200)
  },
)

test('409 pull_request_merged: the newest of more pull requests of the claim than are read, merged without a webhook', async () => {
  const bounty = await market.bountyInReview({ project })
  let newest = ''
  for (const _ of Array(11)) {
    newest = await market.pullRequest(project, branchOf(bounty))
    await deliver(numberOf({ pr_url: newest }), { head_ref: branchOf(bounty) }, 'opened')
  }
  report(newest, mergedWork())
  expectError(await act(bounty, 'reject'), 'pull_request_merged')
})

test('only the event of the merge says that a pull request of the claim was merged: others can be caused again and again', async () => {
  const bounty = await market.claimedBounty({ project })
  const number = 4710
  const seen = { bounty_id: bounty.id, number }
  const isMerged = async () => (await readRow(db, 'seen_pulls', seen)).merged_at !== null
  const head_ref = branchOf(bounty)
  await deliver(number, { head_ref }, 'opened')
  const merged = { head_ref, merged: true, is_open: false }
  await deliver(number, merged)
  expect(await isMerged()).toBe(false)
  await deliver(number, merged, 'closed')
  expect(await isMerged()).toBe(true)
})

test('webhooks that come late take nothing back, and repositories of others are not kept', async () => {
  const of = (number: number) => readRow(db, 'reported_pulls', { number })
  await deliver(4712, { changed_at: minutes(0), is_open: false })
  await deliver(4712, { changed_at: minutes(-1) })
  expect(await of(4712)).toMatchObject({ is_open: false, merged: false })
  await deliver(4712, { changed_at: minutes(1), is_open: false, merged: true })
  await deliver(4712, { changed_at: minutes(2) })
  expect(await of(4712)).toMatchObject({ is_open: false, merged: true })
  const foreign = { repository_id: 999_999_999, number: 4713, is_open: true, merged: false }
  const ofNobody = { head_ref: 'weeks', is_opening: true }
  const ids = { id: randomUUID(), event: 'pull_request', action: 'opened', head_sha: null, check_id: null }
  await storeDelivery(db, {
    ...ids,
    repository_id: 999_999_999,
    pull_number: 4713,
    report: { ...foreign, ...ofNobody, changed_at: new Date() },
  })
  expect(await db.selectFrom('reported_pulls').where('number', '=', 4713).execute()).toEqual([])
})

test('a merge is reported whatever clock dates it', async () => {
  await deliver(4709, { changed_at: minutes(1) })
  await deliver(4709, { changed_at: minutes(0), is_open: false, merged: true }, 'closed')
  expect(await readRow(db, 'reported_pulls', { number: 4709 })).toMatchObject({ merged: true })
})

test('502 for the end of a claim whose work the list shows as merged and a reading of its own as open', async () => {
  const bounty = await market.claimedBounty({ project })
  const pr_url = await market.work(bounty)
  const { repository_id } = await readRow(db, 'projects', { id: project.id })
  const now = new Date().toISOString()
  const listed = {
    number: numberOf({ pr_url }),
    state: 'closed',
    merged_at: now,
    created_at: now,
    updated_at: now,
    head: { ref: branchOf(bounty), sha: 'a'.repeat(40) },
    base: { repo: { id: repository_id } },
  }
  host.respond = ({ path }) => (/\/pulls\?/.test(path) ? { status: 200, body: [listed] } : undefined)
  expectError(await act(bounty, 'dismiss'), 'repository_unreachable')
})

test('after an hour reports are deleted', async () => {
  await deliver(4714, {})
  await sql`update reported_pulls set received_at = now() - interval '61 minutes' where number = 4714`.execute(
    db,
  )
  await deliver(4715, {})
  await deleteOldReports(db)
  const left = await db.selectFrom('reported_pulls').where('number', '>=', 4714).select('number').execute()
  expect(left).toEqual([{ number: 4715 }])
})

test.each(['opened', 'synchronize', 'closed'])(
  'a webhook (%s) about a pull request whose branch names claimant and bounty keeps that, also while others hold the lock of the bounty',
  async (action) => {
    const bounty = await market.claimedBounty({ project })
    const other = await market.claimedBounty({ project })
    const seenOf = async ({ id }: ClaimedBounty) => {
      const rows = await db.selectFrom('seen_pulls').selectAll().where('bounty_id', '=', id).execute()
      return rows.map(({ agent_id, number }) => [agent_id, number])
    }
    await inTransaction(db, async (trx) => {
      await lockBounty(trx, bounty.id)
      await deliver(4800, { head_ref: branchOf(bounty) }, action)
      await deliver(4801, { head_ref: `${branchOf(bounty)}-2` }, action)
      await deliver(4802, { head_ref: bounty.claimant.id }, action)
      await deliver(4803, { head_ref: branchFor(`agent_${'9'.repeat(20)}`, bounty.id) }, action)
    })
    expect(await seenOf(bounty)).toEqual([
      [bounty.claimant.id, 4800],
      [bounty.claimant.id, 4801],
    ])
    expect(await seenOf(other)).toEqual([])
  },
)

test('reported, merged and never read before: submitted, it is accepted, whatever its description says', async () => {
  const bounty = await market.claimedBounty({ project })
  const other = await market.claimedBounty({ project })
  const pr_url = await market.work(bounty)
  const body = `Bounty: ${other.id}\nAgent: ${other.claimant.id}`
  report(pr_url, { ...mergedWork(), body })
  const submit = ({ id, claimant }: ClaimedBounty) =>
    served.api('POST', `/api/bounties/${id}/submit`, { key: claimant.key, body: { pr_url } })
  expectError(await submit(other), 'pull_request_invalid')
  const submitted = await submit(bounty)
  expect(submitted.status).toBe(201)
  expect(submitted.body.warnings).toEqual([expect.stringContaining('the payout begins by itself')])
})
