import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../../../server/db/transaction.ts'
import { storeDelivery } from '../../../server/engines/pull-requests/deliveries.ts'
import { deleteOldReports, type PullReport } from '../../../server/engines/pull-requests/reports.ts'
import { lockBounty } from '../../../server/lifecycle/situation.ts'
import { unshown } from '../../../server/repositories/named-ids.ts'
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
const mergedWorkOf = ({ id, claimant }: SubmittedBounty) => ({
  body: `Bounty: ${id}\nAgent: ${claimant.id}`,
  ...{ merged: true, state: 'closed', merge_commit_sha: 'c'.repeat(40), merged_by: { id: 8 } },
  ...{ merged_at: new Date().toISOString(), user: { id: 7, login: 'ada' } },
})
const numberOf = ({ pr_url }: SubmittedBounty) => Number(pr_url.split('/').at(-1))

/** A webhook about a pull request of the project. */
async function deliver(number: number, said: Partial<PullReport>, action = 'edited'): Promise<void> {
  const { repository_id } = await readRow(db, 'projects', { id: project.id })
  const ids = { id: randomUUID(), event: 'pull_request', action, head_sha: null }
  const opened_at = action === 'opened' ? new Date() : null
  const work = { named_ids: [], author_login: null, opened_at, former_ids: null }
  const state = { is_open: true, merged: false, changed_at: new Date(), ...work, ...said }
  await storeDelivery(db, {
    ...{ ...ids, repository_id, pull_number: number },
    report: { repository_id: repository_id ?? 0, number, ...state },
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
  report(bounty.pr_url, mergedWorkOf(bounty))
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

test('edits that are reported and not yet shown keep no review from ending', async () => {
  const bounty = await market.bountyInReview({ project })
  const number = numberOf({ ...bounty, pr_url: await market.pullRequest(project) })
  await deliver(number, { named_ids: [bounty.claimant.id, bounty.id], changed_at: minutes(1) })
  await deliver(numberOf(bounty), { changed_at: minutes(1) })
  expect((await act(bounty, 'reject')).status).toBe(200)
})

test('400 for a submission of what its author has just changed to name another bounty; what mentions both is not attributed', async () => {
  const { id, claimant } = await market.claimedBounty({ project })
  const small = await market.openBounty({ project })
  const pr_url = await market.pullRequest(project)
  const number = Number(pr_url.split('/').at(-1))
  const opened_at = new Date()
  report(pr_url, { body: `Bounty: ${id}`, updated_at: opened_at.toISOString() })
  const submit = () =>
    served.api('POST', `/api/bounties/${id}/submit`, { key: claimant.key, body: { pr_url } })
  const edited = { former_ids: [id], opened_at: null, changed_at: opened_at }
  await deliver(number, { ...edited, named_ids: [small.id] })
  expectError(await submit(), 'pull_request_invalid')
  await deliver(number, { ...edited, named_ids: [claimant.id, id, small.id] })
  const { submission } = (await submit()).body
  expect((await readRow(db, 'submissions', { id: submission.id })).is_attributed).toBe(false)
})

test('502 for a pull request that the host has reported and does not show', async () => {
  const bounty = await market.bountyInReview({ project })
  await deliver(numberOf(bounty), {})
  host.respond = ({ path }) =>
    path.endsWith(`/pulls/${numberOf(bounty)}`) ? { status: 404, body: {} } : undefined
  expectError(await act(bounty, 'reject'), 'repository_unreachable')
  expect((await scene.row(bounty.pr_url)).state).toBe('open')
})

test('502 for the end of a claim while the list lacks a pull request that was reported since; else 200', async () => {
  const bounty = await market.claimedBounty({ project })
  await deliver(4711, {})
  expectError(await act(bounty, 'dismiss'), 'repository_unreachable')
  await deliver(4711, { is_open: false })
  expect((await act(bounty, 'dismiss')).status).toBe(200)
})

test.each(['reject', 'request-changes'])(
  '409 pull_request_merged for %s where a merge of another pull request of the claim is reported, whatever was read',
  async (verb) => {
    const bounty = await market.bountyInReview({ project })
    const number = numberOf({ ...bounty, pr_url: await market.pullRequest(project) })
    const named_ids = [bounty.claimant.id, bounty.id]
    await deliver(number, { named_ids, changed_at: minutes(-5) }, 'opened')
    const seen = { bounty_id: bounty.id, number }
    await setRows(db, 'seen_pulls', seen, { merged_at: new Date() })
    expectError(await act(bounty, verb), 'pull_request_merged')
    await setRows(db, 'seen_pulls', seen, { merged_at: null })
    expect((await act(bounty, verb)).status).toBe(200)
  },
)

test('only the event of the merge says that a pull request of the claim was merged: others can be caused again and again', async () => {
  const { id, claimant } = await market.claimedBounty({ project })
  const [number, named_ids] = [4710, [claimant.id, id]]
  const isMerged = async () => (await readRow(db, 'seen_pulls', { bounty_id: id, number })).merged_at !== null
  await deliver(number, { named_ids }, 'opened')
  const merged = { named_ids, merged: true, is_open: false }
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
  const ofNobody = { named_ids: [], author_login: null, former_ids: null, opened_at: null }
  const ids = { id: randomUUID(), event: 'pull_request', action: 'opened', head_sha: null }
  await storeDelivery(db, {
    ...{ ...ids, repository_id: 999_999_999, pull_number: 4713 },
    report: { ...foreign, ...ofNobody, changed_at: new Date() },
  })
  expect(await db.selectFrom('reported_pulls').where('number', '=', 4713).execute()).toEqual([])
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

test('named, taken back and named again, merges of it count only after its founder can have noticed', async () => {
  const { id, claimant } = await market.claimedBounty({ project })
  const number = 4720
  const countsFrom = async () => (await readRow(db, 'seen_pulls', { bounty_id: id, number })).counts_from
  const opened_at = new Date(Date.now() - 10_000)
  const named_ids = [claimant.id, id]
  await deliver(number, { named_ids, opened_at })
  expect(await countsFrom()).toEqual(opened_at)
  await deliver(number, { named_ids: [claimant.id], former_ids: named_ids })
  await deliver(number, { named_ids, former_ids: [claimant.id] })
  expect((await countsFrom()).getTime() - Date.now()).toBeGreaterThan(240_000)
  // What its author does to it afterwards changes nothing.
  const counts_from = await countsFrom()
  await deliver(number, { named_ids, former_ids: named_ids })
  expect(await countsFrom()).toEqual(counts_from)
})

test('names that its author restores while the pull request is closed are known again', async () => {
  const { id, claimant } = await market.claimedBounty({ project })
  const [number, named_ids] = [4721, [claimant.id, id]]
  const isTakenBack = async () => (await readRow(db, 'seen_pulls', { bounty_id: id, number })).is_taken_back
  await deliver(number, { named_ids }, 'opened')
  await deliver(number, { named_ids: [claimant.id], former_ids: named_ids })
  expect(await isTakenBack()).toBe(true)
  await deliver(number, { named_ids, former_ids: [claimant.id], is_open: false })
  expect(await isTakenBack()).toBe(false)
})

describe('what an author says last counts, in whatever order webhooks come', () => {
  const second = new Date(Math.floor(Date.now() / 1000) * 1000 - 20_000)
  const seenOf = (bounty_id: string) =>
    db
      .selectFrom('seen_pulls')
      .where('bounty_id', '=', bounty_id)
      .where('is_taken_back', '=', false)
      .select('number')
      .execute()

  test.each([
    ['in the second of the opening', 4730, 0],
    ['in the second after it', 4731, 1000],
  ])('an edit %s that comes before it', async (_, number, later) => {
    const { id, claimant } = await market.claimedBounty({ project })
    const small = await market.openBounty({ project })
    const opening = { named_ids: [claimant.id, id], opened_at: second, changed_at: second }
    const edit = { named_ids: [claimant.id, small.id], former_ids: opening.named_ids }
    await deliver(number, { ...edit, changed_at: new Date(second.getTime() + later) })
    await deliver(number, opening, 'opened')
    expect(await seenOf(id)).toEqual([])
    expect(await seenOf(small.id)).toEqual([{ number }])
  })

  test('two edits, the later one first', async () => {
    const { id, claimant } = await market.claimedBounty({ project })
    const number = 4732
    const named_ids = [claimant.id, id]
    const none = [claimant.id]
    await deliver(number, { named_ids, opened_at: second, changed_at: second }, 'opened')
    await deliver(number, { named_ids: none, former_ids: [], changed_at: minutes(2) })
    await deliver(number, { named_ids: [], former_ids: named_ids, changed_at: minutes(1) })
    expect(await seenOf(id)).toEqual([])
  })

  test('two edits of one second, the later one first: their names count for nothing', async () => {
    const big = await market.claimedBounty({ project })
    const small = await market.openBounty({ project })
    const number = 4734
    const me = big.claimant.id
    const changed_at = minutes(1)
    await deliver(number, { named_ids: [me] }, 'opened')
    await deliver(number, { named_ids: [me, small.id], former_ids: [me, big.id], changed_at })
    await deliver(number, { named_ids: [me, big.id], former_ids: [me], changed_at })
    expect([await seenOf(big.id), await seenOf(small.id)]).toEqual([[], []])
  })

  test('an edit after which the names stand below HTML takes nothing back', async () => {
    const { id, claimant } = await market.claimedBounty({ project })
    const number = 4735
    const named_ids = [claimant.id, unshown, id]
    const former_ids = [claimant.id, id]
    await deliver(number, { named_ids: former_ids }, 'opened')
    await deliver(number, { named_ids, former_ids })
    expect(await seenOf(id)).toEqual([{ number }])
  })

  test('an edit that names another agent', async () => {
    const { id, claimant } = await market.claimedBounty({ project })
    const number = 4733
    const named_ids = [claimant.id, id]
    await deliver(number, { named_ids }, 'opened')
    expect(await seenOf(id)).toEqual([{ number }])
    const other = await market.register()
    await deliver(number, { named_ids: [other.id, id], former_ids: named_ids })
    expect(await seenOf(id)).toEqual([{ number: 4733 }])
    expect(await readRow(db, 'seen_pulls', { agent_id: claimant.id, number })).toMatchObject({
      is_taken_back: true,
    })
  })
})

test.each(['whose claim goes on', 'that has yet to claim'])(
  '400 for an agent that others name in the description of work that is known to be of another one %s',
  async (owns) => {
    const owner = await market.claimedBounty({ project })
    const other = await market.claimedBounty({ project })
    const owners = (verb: string) =>
      served.api('POST', `/api/bounties/${owner.id}/${verb}`, { key: owner.claimant.key })
    if (owns.endsWith('yet to claim')) expect((await owners('release')).status).toBe(200)
    const pr_url = await market.pullRequest(project)
    const number = numberOf({ ...owner, pr_url, submissionId: '' })
    const submit = ({ id, claimant }: ClaimedBounty) =>
      served.api('POST', `/api/bounties/${id}/submit`, { key: claimant.key, body: { pr_url } })
    await deliver(number, { named_ids: [owner.claimant.id, owner.id] }, 'opened')
    await deliver(number, { named_ids: [other.claimant.id, other.id] })
    // What was said by webhooks is forgotten after an hour.
    await db.deleteFrom('reported_pulls').where('number', '=', number).execute()
    report(pr_url, {
      body: `Bounty: ${other.id}\nAgent: ${other.claimant.id}`,
      user: { id: 7, login: 'ada' },
    })
    expectError(await submit(other), 'pull_request_invalid')
    if (owns.endsWith('yet to claim')) expect((await owners('claim')).status).toBe(200)
    const { status, body } = await submit(owner)
    expect(status, JSON.stringify(body)).toBe(201)
  },
)

test('a webhook about an open pull request that names claimant and bounty attributes it, also the second one: merged a moment later it is accepted', async () => {
  const bounty = await market.claimedBounty({ project })
  const { id, claimant } = bounty
  const pr_url = await market.pullRequest(project)
  const number = Number(pr_url.split('/').at(-1))
  const seen = async () => {
    const { id: agent_id } = claimant
    const ids = { bounty_id: id, agent_id }
    const rows = await db
      .selectFrom('seen_pulls')
      .select('number')
      .where((eb) => eb.and(ids))
      .execute()
    return rows.map((row) => row.number)
  }
  const named_ids = [claimant.id, id]
  const former_ids: string[] = []
  await deliver(number + 2000, { named_ids, former_ids, is_open: false })
  await deliver(number + 2000, { named_ids: [claimant.id], former_ids })
  await deliver(number + 2000, { named_ids: [(await market.register()).id, id], former_ids })
  await deliver(number + 2000, { named_ids })
  expect(await seen()).toEqual([])
  // Refused requests of others hold the bounty's lock meanwhile.
  await inTransaction(db, async (trx) => {
    await lockBounty(trx, id)
    await deliver(number + 1000, { named_ids }, 'opened')
    await deliver(number, { named_ids }, 'opened')
  })
  await deliver(number + 3000, { named_ids, is_open: false }, 'opened')
  expect(await seen()).toEqual([number, number + 1000])
  report(pr_url, { ...mergedWorkOf({ ...bounty, pr_url, submissionId: '' }), body: 'Edited by its founder.' })
  const submitted = await served.api('POST', `/api/bounties/${id}/submit`, {
    key: claimant.key,
    body: { pr_url },
  })
  expect(submitted.status).toBe(201)
  expect(submitted.body.warnings).toEqual([expect.stringContaining('the payout begins by itself')])
})
