import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { paidElsewhere } from '../../../server/code/pull-requests/store.ts'
import { expectError } from '../../support/errors.ts'
import { createPullRequestMarket } from '../../support/pull-requests.ts'
import type { SubmittedBounty } from '../../support/scenarios.ts'
import { readRow } from '../../support/stored.ts'

const scene = await createPullRequestMarket()
const { market, host, served, report } = scene
const project = await market.activeProject()
const repositoryId = Number((await readRow(market.db, 'projects', { id: project.id })).repository_id)
beforeEach(() => {
  host.respond = () => undefined
  host.requests.length = 0
})

const other = 'b'.repeat(40)
const done = () => market.doneBounty({ project })
const headOf = async ({ pr_url }: SubmittedBounty) => (await scene.row(pr_url)).head_sha
const merge = async (bounty: SubmittedBounty, sha?: string, from = served) =>
  from.act(bounty, 'merge', bounty.founder, { expected_head_sha: sha ?? (await headOf(bounty)) })
const post = ({ id, founder }: SubmittedBounty, body: unknown) => served.act({ id }, 'merge', founder, body)
const puts = () => host.requests.filter(({ method }) => method === 'PUT')
const posts = () => host.requests.filter(({ method }) => method === 'POST')
const typesOf = async ({ pr_url }: SubmittedBounty) => (await scene.entries(pr_url)).map(({ type }) => type)

/** The code host answers merges so. */
const refuse = (status: number, body: unknown = { message: 'no' }) => {
  host.respond = ({ method }) => (method === 'PUT' ? { status, body } : undefined)
}

test('200 merges exactly that commit, with one entry; again 200 with the same merge', async () => {
  const bounty = await done()
  const first = await merge(bounty)
  expect(first.status).toBe(200)
  expect(first.body).toEqual({
    bounty_id: bounty.id,
    submission_id: bounty.submissionId,
    merged: true,
    merge_commit_sha: expect.stringMatching(/^[0-9a-f]{40}$/),
  })
  expect(puts()).toMatchObject([
    {
      body: {
        sha: await headOf(bounty),
        merge_method: 'squash',
        commit_title: `Add division (#${bounty.pr_url.split('/').at(-1)})`,
        commit_message: `Bounty: ${bounty.id}\nSubmission: ${bounty.submissionId}`,
      },
    },
  ])
  expect(await scene.entries(bounty.pr_url)).toMatchObject([
    {
      type: 'pull_request.merged',
      bounty_id: bounty.id,
      agent_id: bounty.claimant.id,
      data: { merge_commit_sha: first.body.merge_commit_sha, head_sha: await headOf(bounty) },
    },
  ])
  expect((await merge(bounty)).body).toEqual(first.body)
  expect(puts()).toHaveLength(1)
  expect(await typesOf(bounty)).toEqual(['pull_request.merged'])
})

test('200 for two at a time: one merge, one entry', async () => {
  const bounty = await done()
  const answers = await Promise.all([merge(bounty), merge(bounty)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers[0]?.body).toEqual(answers[1]?.body)
  expect(await typesOf(bounty)).toEqual(['pull_request.merged'])
})

test('200 after the response of the merge was lost', async () => {
  const bounty = await done()
  host.respond = async (request) => {
    if (request.method !== 'PUT') return undefined
    host.respond = () => undefined
    // The host merges, and the connection breaks.
    await fetch(host.apiUrl + request.path, {
      method: 'PUT',
      headers: { authorization: request.headers.authorization ?? '' },
      body: JSON.stringify(request.body),
    })
    return 'lost'
  }
  expect((await merge(bounty)).status).toBe(200)
  expect(await typesOf(bounty)).toEqual(['pull_request.merged'])
})

test('200 with null for a merge of which the code host does not say the commit', async () => {
  const bounty = await done()
  report(bounty.pr_url, { merged: true, state: 'closed', merge_commit_sha: null })
  expect(await merge(bounty)).toMatchObject({ status: 200, body: { merged: true, merge_commit_sha: null } })
})

test('200 when repeated after the service failed between the merge and its record', async () => {
  const bounty = await done()
  const sha = await headOf(bounty)
  await sql`alter table pull_requests add constraint failing check (not merged) not valid`.execute(market.db)
  expectError(await merge(bounty, sha), 'internal_error')
  await sql`alter table pull_requests drop constraint failing`.execute(market.db)
  expect((await scene.row(bounty.pr_url)).merged).toBe(false)
  expect((await merge(bounty, sha)).status).toBe(200)
  expect(puts()).toHaveLength(1)
  expect(await typesOf(bounty)).toEqual(['pull_request.merged'])
})

test('200 for a submission of an earlier version', async () => {
  const bounty = await done()
  const sha = await headOf(bounty)
  await scene.forget(bounty.pr_url)
  expect((await merge(bounty, sha)).status).toBe(200)
})

test('404 pull_request_gone if the code host no longer has it, 502 while another repository has its address', async () => {
  const deleted = await done()
  const transferred = await done()
  const sha = await headOf(transferred)
  report(transferred.pr_url, { base: { ref: 'main', repo: { id: 987_654, default_branch: 'main' } } })
  host.respond = ({ method, path }) =>
    method === 'GET' && /^\/repos\/[^/]+\/[^/]+$/.test(path)
      ? { status: 200, body: { id: 987_654, default_branch: 'main' } }
      : undefined
  expectError(await merge(transferred, sha), 'repository_unreachable')
  host.respond = ({ path }) =>
    /^\/repos\/[^/]+\/[^/]+$/.test(path) ? undefined : { status: 404, body: { message: 'Not Found' } }
  expectError(await merge(deleted), 'pull_request_gone')
  expect(puts()).toEqual([])
})

test('409 pull_request_changed for another commit than the paid one, which the message names', async () => {
  const bounty = await done()
  const paid = await headOf(bounty)
  report(bounty.pr_url, { head: { sha: other } })
  const refused = await merge(bounty, other)
  expectError(refused, 'pull_request_changed')
  expect(refused.body.error.message).toContain(paid)
  expect(host.requests).toEqual([])
})

test('409 pull_request_changed if the code host has merged another commit', async () => {
  const bounty = await done()
  const paid = await headOf(bounty)
  report(bounty.pr_url, { merged: true, state: 'closed', merge_commit_sha: other, head: { sha: other } })
  const refused = await merge(bounty, paid)
  expectError(refused, 'pull_request_changed')
  expect(refused.body.error.message).toContain(`${other} instead of the paid ${paid}`)
  expect([...puts(), ...posts()]).toEqual([])
})

test('409 pull_request_not_mergeable with the name of the branch, if the pull request was merged into another one than the default', async () => {
  const bounty = await done()
  const base = { ref: 'next', repo: { id: repositoryId, default_branch: 'main' } }
  report(bounty.pr_url, { merged: true, state: 'closed', merge_commit_sha: other, base })
  const refused = await merge(bounty)
  expectError(refused, 'pull_request_not_mergeable')
  expect(refused.body.error.message).toContain('into the branch next')
  expect([...puts(), ...posts()]).toEqual([])
})

test.each<[string, Record<string, unknown>]>([
  ['has another newest commit', { head: { sha: other } }],
  ['conflicts with its newest commit', { head: { sha: other }, mergeable: false }],
  ['is a draft', { draft: true }],
  ['is closed', { state: 'closed' }],
  [
    'goes into another branch by now',
    { base: { ref: 'next', repo: { id: repositoryId, default_branch: 'main' } } },
  ],
])('200 merges the paid commit by its hash where the pull request %s', async (_, members) => {
  const bounty = await done()
  const paid = await headOf(bounty)
  report(bounty.pr_url, members)
  const first = await post(bounty, {})
  expect(first.status).toBe(200)
  expect(puts()).toEqual([])
  expect(posts()).toMatchObject([{ body: { base: 'main', head: paid } }])
  const entries = await scene.entries(bounty.pr_url)
  const { merge_commit_sha } = first.body
  expect(entries.filter(({ type }) => type === 'pull_request.merged')).toMatchObject([
    { data: { head_sha: paid, merge_commit_sha } },
  ])
  expect((await merge(bounty, paid)).body).toEqual(first.body)
  expect(posts()).toHaveLength(1)
})

test('a merge by its hash whose response was lost brought what is below the paid commit, though it looks like a squash', async () => {
  const bounty = await done()
  const paid = await headOf(bounty)
  report(bounty.pr_url, { head: { sha: other } })
  host.respond = ({ method }) => {
    if (method !== 'POST') return undefined
    const merged = { merged: true, merged_at: new Date().toISOString(), merge_commit_sha: other }
    report(bounty.pr_url, { ...merged, state: 'closed', head: { sha: paid } })
    return 'lost'
  }
  expect((await merge(bounty, paid)).body).toMatchObject({ merged: true, merge_commit_sha: other })
  const brought = await paidElsewhere(market.db, { projectId: project.id, url: 'another' }, other)
  expect(brought.map(({ head_sha }) => head_sha)).toContain(paid)
})

test('200 merges the paid commit by its hash if another one arrives between the look and the merge', async () => {
  const bounty = await done()
  const sha = await headOf(bounty)
  host.respond = ({ method }) => {
    if (method === 'PUT') report(bounty.pr_url, { head: { sha: other } })
    return undefined
  }
  expect((await merge(bounty, sha)).status).toBe(200)
  expect(posts()).toMatchObject([{ body: { head: sha } }])
})

test('200 with null if the paid commit is in the branch already, also when repeated, with one entry', async () => {
  const bounty = await done()
  const paid = await headOf(bounty)
  report(bounty.pr_url, { head: { sha: other } })
  host.respond = ({ method }) => (method === 'POST' ? { status: 204 } : undefined)
  for (let turn = 0; turn < 2; turn++)
    expect((await merge(bounty, paid)).body).toMatchObject({ merged: true, merge_commit_sha: null })
  expect(await typesOf(bounty)).toEqual(['pull_request.updated', 'pull_request.merged'])
})

test.each([
  ['is newest', {}, { mergeable: false }],
  ['is not the newest', { status: 409, body: { message: 'Merge conflict' } }, { head: { sha: other } }],
])('409 pull_request_not_mergeable if the paid commit conflicts and %s', async (_, response, members) => {
  const bounty = await done()
  const paid = await headOf(bounty)
  report(bounty.pr_url, members)
  host.respond = ({ method }) =>
    method === 'POST' ? (response as { status: number; body: unknown }) : undefined
  const refused = await merge(bounty, paid)
  expectError(refused, 'pull_request_not_mergeable')
  expect(refused.body.error.message).toMatch(/conflicts/)
  expect((await scene.row(bounty.pr_url)).merged).toBe(false)
})

test('404 pull_request_gone if the code host no longer has the paid commit', async () => {
  const bounty = await done()
  const paid = await headOf(bounty)
  report(bounty.pr_url, { head: { sha: other } })
  host.respond = ({ method }) =>
    method === 'POST' ? { status: 404, body: { message: 'Head does not exist' } } : undefined
  expectError(await merge(bounty, paid), 'pull_request_gone')
})

test('409 pull_request_not_mergeable without a review that the repository requires, and says so', async () => {
  const bounty = await done()
  refuse(405, { message: 'At least 1 approving review is required by reviewers with write access.' })
  const refused = await merge(bounty)
  expectError(refused, 'pull_request_not_mergeable')
  expect(refused.body.error.message).toMatch(/requires a review/)
})

test('409 merge_queue_required, and 200 once the queue has merged it', async () => {
  const bounty = await done()
  const queue = {
    message: 'Repository rule violations found\n\nChanges must be made through the merge queue\n',
  }
  refuse(405, queue)
  expectError(await merge(bounty), 'merge_queue_required')
  const merged_at = new Date().toISOString()
  report(bounty.pr_url, { merged: true, merged_at, state: 'closed', merge_commit_sha: other })
  expect((await merge(bounty)).body).toMatchObject({ merged: true, merge_commit_sha: other })
})

test('409 merge_in_progress while the host is busy with another merge, and 200 after', async () => {
  const bounty = await done()
  refuse(405, { message: 'Base branch was modified. Review and try the merge again.' })
  const busy = await merge(bounty)
  expectError(busy, 'merge_in_progress')
  expect(busy.body.error.retryable).toBe(true)
  host.respond = () => undefined
  expect((await merge(bounty)).status).toBe(200)
})

test('409 merge_in_progress for 405 while the host has not found out whether it can merge', async () => {
  const bounty = await done()
  report(bounty.pr_url, { mergeable: null })
  refuse(405, { message: 'Pull Request is not mergeable' })
  expectError(await merge(bounty), 'merge_in_progress')
  host.respond = () => undefined
  expect((await merge(bounty)).status).toBe(200)
})

test('502 repository_unreachable for 405 without a reason while the pull request is shown as mergeable: it may be merged', async () => {
  const bounty = await done()
  report(bounty.pr_url, { mergeable: true })
  refuse(405, { message: 'Pull Request is not mergeable' })
  expectError(await merge(bounty), 'repository_unreachable')
  report(bounty.pr_url, { merged: true, state: 'closed', merge_commit_sha: 'c'.repeat(40) })
  expect((await merge(bounty)).status).toBe(200)
})

test('409 pull_request_not_mergeable for 405, which a missing review or check gives', async () => {
  const bounty = await done()
  refuse(405, { message: 'Required status check "build" is expected.' })
  const refused = await merge(bounty)
  expectError(refused, 'pull_request_not_mergeable')
  expect(refused.body.error.message).not.toContain('build')
})

test.each([403, 404, 422])('409 merge_refused for %i of the code host', async (status) => {
  const bounty = await done()
  refuse(status)
  expectError(await merge(bounty), 'merge_refused')
  expect(await typesOf(bounty)).toEqual([])
})

test('502 repository_blocked, which names the archive, while the repository is archived, and 200 after', async () => {
  const bounty = await done()
  refuse(403, { message: 'Repository was archived so is read-only.' })
  const refused = await merge(bounty)
  expectError(refused, 'repository_blocked')
  expect(refused.body.error.message).toContain('archived')
  host.respond = () => undefined
  expect((await merge(bounty)).status).toBe(200)
})

test('502 repository_unreachable for 502, and 200 after', async () => {
  const bounty = await done()
  refuse(502)
  expectError(await merge(bounty), 'repository_unreachable')
  host.respond = () => undefined
  expect((await merge(bounty)).status).toBe(200)
})

test('409 not_approved in review and open: only approved work is merged', async () => {
  const reviewed = await market.bountyInReview({ project })
  expectError(await merge(reviewed), 'not_approved')
  const open = { ...reviewed, ...(await market.openBounty({ project })) }
  expectError(await merge(open, other), 'not_approved')
  expect(host.requests).toEqual([])
})
