import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { PullRequestReading } from '../../../server/code/host/pull-requests.ts'
import { record } from '../../../server/code/pull-requests/record.ts'
import { leaseDue, leaseIfStale, leaseNow } from '../../../server/code/pull-requests/store.ts'
import { createPullRequestMarket } from '../../support/pull-requests.ts'
import type { SubmittedBounty } from '../../support/scenarios.ts'
import { afterPush, readRow, setRows } from '../../support/stored.ts'

const scene = await createPullRequestMarket()
const { market } = scene
const { db } = market
const project = await market.activeProject()
beforeEach(() => sql`update pull_requests set due_at = null`.execute(db))

const tracked = ({ pr_url }: SubmittedBounty) => ({
  url: pr_url,
  projectId: project.id,
  repoUrl: project.repo_url,
})
const inReview = () => market.bountyInReview({ project })
const typesOf = async ({ pr_url }: SubmittedBounty) => (await scene.entries(pr_url)).map(({ type }) => type)

/** What the host would report: what is stored, with these changes. */
async function readingOf(
  bounty: SubmittedBounty,
  { repositoryId, ...facts }: Partial<PullRequestReading['facts'] & { repositoryId: number }> = {},
  state: PullRequestReading['checks']['state'] = 'none',
): Promise<PullRequestReading> {
  const row = await scene.row(bounty.pr_url)
  const { repository_id } = await readRow(db, 'projects', { id: project.id })
  return {
    repositoryId: repositoryId ?? repository_id ?? 0,
    facts: {
      state: 'open',
      draft: row.draft,
      base_ref: row.base_ref,
      into_default: row.into_default,
      opened_at: row.opened_at ?? null,
      changed_at: row.changed_at,
      merged: false,
      merged_at: null,
      merged_by_itself: false,
      merged_by_id: null,
      merge_commit_sha: null,
      head_sha: row.head_sha,
      author_id: null,
      author_login: null,
      fork_owner_id: null,
      head_ref: row.head_ref,
      mergeable: true,
      additions: 1,
      deletions: 0,
      changed_files: 1,
      ...facts,
    },
    checks: { state, failed: [], neutral: [], skipped: [], total: 0 },
    cache: {},
    isEmpty: false,
  }
}

async function report(
  bounty: SubmittedBounty,
  ...changes: Parameters<typeof readingOf> extends [unknown, ...infer Rest] ? Rest : never
) {
  const lease = await leaseNow(db, tracked(bounty))
  return record(db, tracked(bounty), lease, await readingOf(bounty, ...changes))
}

const merged = { state: 'closed', merged: true, merge_commit_sha: 'c'.repeat(40) } as const

test.each<[string, Parameters<typeof report>[1], PullRequestReading['checks']['state'], string[]]>([
  ['another commit', { head_sha: 'b'.repeat(40) }, 'none', ['pull_request.updated']],
  ['a draft', { draft: true }, 'none', ['pull_request.updated']],
  ['checks that failed', {}, 'failure', ['pull_request.updated']],
  ['checks that the host does not show', {}, 'unknown', ['pull_request.updated']],
  ['closed', { state: 'closed' }, 'none', ['pull_request.closed']],
  ['merged with another commit', { ...merged, head_sha: 'b'.repeat(40) }, 'success', ['pull_request.merged']],
  ['a conflict', { mergeable: false, additions: 5 }, 'none', []],
])('%s: %s', async (_, facts, state, types) => {
  const bounty = await inReview()
  await report(bounty, facts, state)
  await report(bounty, facts, state)
  expect(await typesOf(bounty)).toEqual(types)
})

test('closed, gone for a while and opened again: closed, then updated; a transfer is no entry, and heals', async () => {
  const bounty = await inReview()
  await report(bounty, { state: 'closed' })
  await report(bounty, { repositoryId: 987_654 })
  await report(bounty, { state: 'closed' })
  await report(bounty)
  await report(bounty, { repositoryId: 987_654 })
  expect((await scene.row(bounty.pr_url)).state).toBe('gone')
  await report(bounty)
  expect((await scene.row(bounty.pr_url)).state).toBe('open')
  const entries = await scene.entries(bounty.pr_url)
  expect(entries.map(({ type, data }) => [type, (data as { state: string }).state])).toEqual([
    ['pull_request.closed', 'closed'],
    ['pull_request.updated', 'open'],
  ])
})

test('one entry for the newest submission of each bounty that has the pull request', async () => {
  const first = await inReview()
  await market.act(first, 'reject', project.founder, { review_notes: 'Not for this one.' })
  const second = await market.claimedBounty({ project })
  const submit = async () => {
    const { key } = second.claimant
    const { body } = await market.act(second, 'submit', { key }, { pr_url: first.pr_url })
    return body.submission.id as string
  }
  await submit()
  await market.act(second, 'request-changes', project.founder, { review_notes: 'More.' })
  await afterPush(market.db, second)
  await submit()
  await report(first, merged)
  const entries = await scene.entries(first.pr_url)
  expect(new Map(entries.map(({ bounty_id, agent_id }) => [bounty_id, agent_id]))).toEqual(
    new Map([
      [first.id, first.claimant.id],
      [second.id, second.claimant.id],
    ]),
  )
  expect(entries).toHaveLength(2)
})

test('no entry for a submission that was retracted', async () => {
  const copied = await inReview()
  const kept = await market.claimedBounty({ project })
  await sql`update submissions set status = 'retracted', reviewed_at = now() where id = ${copied.submissionId}`.execute(
    db,
  )
  const body = { pr_url: copied.pr_url }
  await market.act(kept, 'submit', kept.claimant, body)
  await report(copied, merged)
  expect((await scene.entries(copied.pr_url)).map(({ bounty_id }) => bounty_id)).toEqual([kept.id])
})

test('a replica of the host that does not know of the merge yet changes nothing', async () => {
  const bounty = await inReview()
  await report(bounty, merged)
  await report(bounty)
  expect(await scene.row(bounty.pr_url)).toMatchObject({ merged: true, state: 'closed' })
  await report(bounty, merged)
  expect(await typesOf(bounty)).toEqual(['pull_request.merged'])
})

test('a merge of which the host does not say the commit', async () => {
  const bounty = await inReview()
  await report(bounty, { ...merged, merge_commit_sha: null })
  expect(await scene.entries(bounty.pr_url)).toMatchObject([{ data: { merge_commit_sha: null } }])
})

test('a reading that began before the stored one changes nothing', async () => {
  const bounty = await inReview()
  const early = await leaseNow(db, tracked(bounty))
  await report(bounty, merged)
  await record(db, tracked(bounty), early, await readingOf(bounty))
  expect(await scene.row(bounty.pr_url)).toMatchObject({ merged: true, state: 'closed' })
  expect(await typesOf(bounty)).toEqual(['pull_request.merged'])
})

test('the first reading says which repository the project has; another one is believed never after', async () => {
  const bounty = await inReview()
  const { repositoryId } = await readingOf(bounty)
  const repository = (repository_id: number | null) =>
    db.updateTable('projects').set({ repository_id }).where('id', '=', project.id).execute()
  onTestFinished(async () => void (await repository(repositoryId)))
  await repository(null)
  await report(bounty, { repositoryId: 4711 })
  await report(bounty, { repositoryId: 4712, head_sha: 'b'.repeat(40) })
  expect((await scene.row(bounty.pr_url)).state).toBe('gone')
  await report(bounty, { repositoryId: 4711 })
  expect((await scene.row(bounty.pr_url)).state).toBe('open')
})

const minutesUntilDue = async ({ pr_url }: SubmittedBounty) => {
  const { rows } = await sql<{ minutes: number | null }>`
    select extract(epoch from due_at - now())::float8 / 60 as minutes from pull_requests where url = ${pr_url}`.execute(
    db,
  )
  const minutes = rows[0]?.minutes
  return typeof minutes === 'number' ? Math.ceil(minutes * 2) / 2 : minutes
}

test.each<[string, Parameters<typeof report>[1], PullRequestReading['checks']['state'], number | null]>([
  ['in review', {}, 'success', 10],
  ['with checks under way', {}, 'pending', 2],
  ['with checks that the host does not show', {}, 'unknown', 10],
  ['while the host finds out whether it merges', { mergeable: null }, 'pending', 0.5],
  ['closed', { state: 'closed', mergeable: null }, 'none', 10],
  ['gone', { repositoryId: 987_654 }, 'none', 1],
  ['merged', merged, 'none', null],
])('read again %s after so many minutes', async (_, facts, state, minutes) => {
  const bounty = await inReview()
  await report(bounty, facts, state)
  expect(await minutesUntilDue(bounty)).toBe(minutes)
})

test('read once a day for a month after its last submission has ended', async () => {
  const bounty = await inReview()
  const end = (days: number) => sql`
    update submissions set status = 'rejected', created_at = now() - make_interval(days => ${days}),
      reviewed_at = now() - make_interval(days => ${days}) where id = ${bounty.submissionId}`
  await end(29).execute(db)
  await report(bounty)
  expect(await minutesUntilDue(bounty)).toBe(24 * 60)
  await end(31).execute(db)
  await report(bounty)
  expect(await minutesUntilDue(bounty)).toBe(null)
})

test('one that is gone for more than an hour is read once an hour', async () => {
  const bounty = await inReview()
  const { pr_url } = bounty
  await sql`update pull_requests set refreshed_at = now() - interval '61 minutes' where url = ${pr_url}`.execute(
    db,
  )
  await report(bounty, { repositoryId: 987_654 })
  await report(bounty, { repositoryId: 987_654 })
  expect(await minutesUntilDue(bounty)).toBe(60)
})

test('one that is gone for the first time since the host was away for hours is read again in a minute', async () => {
  const bounty = await inReview()
  await sql`update pull_requests set refreshed_at = now() - interval '5 hours' where url = ${bounty.pr_url}`.execute(
    db,
  )
  await report(bounty, { repositoryId: 987_654 })
  expect(await minutesUntilDue(bounty)).toBe(1)
})

test('the longer the host does not find out whether it merges, the longer the pauses, up to the usual one', async () => {
  const bounty = await inReview()
  await report(bounty, { mergeable: null })
  for (const [seconds, minutes] of [
    [55, 2],
    [235, 8],
    [480, 10],
  ] as const) {
    await sql`update pull_requests set refreshed_at = now() - make_interval(secs => ${seconds})
      where url = ${bounty.pr_url}`.execute(db)
    await report(bounty, { mergeable: null })
    expect(await minutesUntilDue(bounty)).toBe(minutes)
  }
})

test('one that has waited for its review for more than a month is read once a day', async () => {
  const bounty = await inReview()
  const created_at = new Date(Date.now() - 31 * 86_400_000)
  await setRows(db, 'submissions', { id: bounty.submissionId }, { created_at })
  await report(bounty)
  expect(await minutesUntilDue(bounty)).toBe(1440)
})

test('a host that reports changes itself is asked every 30 minutes', async () => {
  const bounty = await inReview()
  const lease = await leaseNow(db, tracked(bounty))
  await record(db, tracked(bounty), lease, await readingOf(bounty), true)
  expect(await minutesUntilDue(bounty)).toBe(30)
})

test('who wants another reading during one gets it', async () => {
  const bounty = await inReview()
  const lease = await leaseNow(db, tracked(bounty))
  await sql`update pull_requests set due_at = now() + interval '20 seconds' where url = ${bounty.pr_url}`.execute(
    db,
  )
  await record(db, tracked(bounty), lease, await readingOf(bounty))
  expect(await minutesUntilDue(bounty)).toBe(0.5)
})

test('of several that lease a reading one gets it', async () => {
  const bounty = await inReview()
  await sql`update pull_requests set due_at = now() where url = ${bounty.pr_url}`.execute(db)
  const leases = await Promise.all([
    ...Array.from({ length: 5 }, () => leaseIfStale(db, bounty.pr_url)),
    ...Array.from({ length: 5 }, async () => (await leaseDue(db, 5))[0]),
  ])
  expect(leases.filter(Boolean)).toHaveLength(1)
})
