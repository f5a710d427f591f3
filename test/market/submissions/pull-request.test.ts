import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../../server/errors.ts'
import { branchFor } from '../../../server/lifecycle/pull-requests/attribution.ts'
import type { HostRequest } from '../../support/code-host-proxy.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { createPullRequestMarket } from '../../support/pull-requests.ts'
import { secondaryLimit } from '../../support/request-faults.ts'
import { isoTime } from '../../support/values.ts'
import { refusal, visit } from '../../support/visitor.ts'

const scene = await createPullRequestMarket()
const { market, host, served, report } = scene
const project = await market.activeProject()
const reader = await market.register()
beforeEach(() => {
  host.respond = () => undefined
  host.requests.length = 0
})

/** A submission whose pull request was read more than a minute ago. */
const inReview = async () => {
  const bounty = await market.bountyInReview({ project })
  await scene.age(bounty.pr_url)
  return bounty
}
const get = (submissionId: string, key: string | undefined = reader.key, from = served) =>
  from.api('GET', `/api/submissions/${submissionId}/pull-request`, { key })
const head = 'a'.repeat(40)
const other = 'b'.repeat(40)
const foreign = { ref: 'main', repo: { id: 987_654, default_branch: 'main' } }
const unavailable = () => ({ status: 503, body: {} })
/** The repository is there, and none of its pull requests. */
const missing = ({ path }: HostRequest) =>
  path.includes('/pulls/') ? { status: 404, body: { message: 'Not Found' } } : undefined

test('200 with what the code host reports, for any agent', async () => {
  const { submissionId, pr_url, id, claimant } = await inReview()
  const submitted = (await scene.row(pr_url)).head_sha
  report(pr_url, {
    head: { ref: branchFor(claimant.id, id), sha: head },
    user: { id: 9, login: 'ada' },
    additions: 12,
    deletions: 3,
    changed_files: 2,
    mergeable: false,
  })
  host.checks.set(head, {
    runs: [
      ['build', 'completed', 'failure'],
      ['docs', 'completed', 'skipped'],
    ],
    statuses: [['lint', 'success']],
  })
  const { status, body } = await get(submissionId)
  expect(status).toBe(200)
  expect(body).toEqual({
    pull_request: {
      state: 'open',
      draft: false,
      merged: false,
      merge_commit_sha: null,
      head_sha: head,
      submitted_head_sha: submitted,
      author: { id: 9, login: 'ada' },
      names_claimant: true,
      additions: 12,
      deletions: 3,
      changed_files: 2,
      mergeable: false,
      base_ref: 'main',
      into_default: true,
      checks: { state: 'failure', failed: ['build'], neutral: [], skipped: ['docs'], total: 3 },
      updated_at: isoTime,
    },
  })
})

test('200 names_claimant only if the description names the bounty and the agent; an author that was known stays', async () => {
  const { submissionId, pr_url, id } = await inReview()
  const { author } = (await get(submissionId)).body.pull_request
  await scene.age(pr_url)
  report(pr_url, { body: `${id} agent_00000000000000000000`, user: null })
  expect((await get(submissionId)).body.pull_request).toMatchObject({ names_claimant: false, author })
})

test('200 after one reading a minute, however many agents ask at once', async () => {
  const { submissionId, pr_url } = await inReview()
  const ask = () => Promise.all(Array.from({ length: 20 }, () => get(submissionId)))
  expect(new Set((await ask()).map(({ status }) => status))).toEqual(new Set([200]))
  await ask()
  expect(host.requests).toHaveLength(4)
  await scene.age(pr_url)
  await ask()
  expect(host.requests).toHaveLength(8)
  expect(host.requests.slice(4).filter(({ headers }) => headers['if-none-match'])).toHaveLength(3)
})

test('200 with facts that are not from before the submission, if another request is just reading them', async () => {
  const { submissionId, pr_url } = await inReview()
  await sql`update pull_requests set refreshed_at = now() - interval '1 hour' where url = ${pr_url}`.execute(
    market.db,
  )
  let release = () => {}
  const released = new Promise<undefined>((resolve) => {
    release = () => resolve(undefined)
  })
  const asked = new Promise<void>((resolve) => {
    host.respond = () => {
      resolve()
      return released
    }
  })
  report(pr_url, { head: { sha: head } })
  const first = get(submissionId)
  await asked
  const second = get(submissionId)
  release()
  for (const response of [first, second])
    expect((await response).body.pull_request).toMatchObject({ head_sha: head })
})

test('200 with the stored facts while the code host does not answer, and with new ones after', async () => {
  const { submissionId, pr_url } = await inReview()
  const { head_sha } = await scene.row(pr_url)
  report(pr_url, { head: { sha: head } })
  host.respond = unavailable
  expect((await get(submissionId)).body.pull_request).toMatchObject({ head_sha })
  host.respond = () => undefined
  await scene.age(pr_url)
  expect((await get(submissionId)).body.pull_request).toMatchObject({ head_sha: head })
})

test('200 for a submission of an earlier version', async () => {
  const { submissionId, pr_url } = await inReview()
  await scene.forget(pr_url)
  const { body } = await get(submissionId)
  expect(body.pull_request).toMatchObject({ state: 'open', submitted_head_sha: null })
  expect(await scene.row(pr_url)).toMatchObject({
    project_id: project.id,
    number: Number(pr_url.split('/').at(-1)),
  })
})

test('200 without another reading once it is merged', async () => {
  const { submissionId, pr_url } = await inReview()
  report(pr_url, { merged: true, state: 'closed', merge_commit_sha: head })
  expect((await get(submissionId)).body.pull_request).toMatchObject({ merged: true })
  await scene.age(pr_url)
  host.requests.length = 0
  expect((await get(submissionId)).body.pull_request).toMatchObject({ merged: true })
  expect(host.requests).toEqual([])
})

describe('submitted', () => {
  const submit = async (members: Record<string, unknown>) => {
    const { id, claimant } = await market.claimedBounty({ project })
    const pr_url = await market.pullRequest(project)
    report(pr_url, members)
    const { key } = claimant
    return { pr_url, ...(await served.act({ id }, 'submit', { key }, { pr_url })) }
  }

  test('201 with its checks, which are no news later', async () => {
    host.checks.set(other, { runs: [['build', 'completed', 'failure']] })
    const { status, pr_url, body } = await submit({ head: { sha: other } })
    expect(status).toBe(201)
    expect(await scene.row(pr_url)).toMatchObject({ checks_state: 'failure', failed_checks: ['build'] })
    await scene.age(pr_url)
    host.requests.length = 0
    expect((await get(body.submission.id)).status).toBe(200)
    expect(host.requests.filter(({ headers }) => headers['if-none-match'])).not.toEqual([])
    expect(await scene.entries(pr_url)).toEqual([])
  })

  test('201 merged; 502 repository_unreachable merged at a time that nobody knows; 400 pull_request_invalid closed', async () => {
    const merged = { state: 'closed', merged: true, merge_commit_sha: other }
    expectError(await submit({ ...merged, merged_at: null }), 'repository_unreachable')
    const { status, pr_url } = await submit(merged)
    expect(status).toBe(201)
    expect((await scene.row(pr_url)).due_at).toBe(null)
    const refused = await submit({ state: 'closed' })
    expectError(refused, 'pull_request_invalid')
    expect(refused.body.error.message).toBe('The pull request is closed. Open it again, then submit it.')
  })
})

test("200 with what is stored while another repository has the project's name", async () => {
  const { submissionId, pr_url } = await inReview()
  report(pr_url, { base: foreign, head: { sha: head } })
  const { head_sha } = await scene.row(pr_url)
  expect((await get(submissionId)).body.pull_request).toMatchObject({ state: 'open', head_sha })
  expect(await scene.entries(pr_url)).toEqual([])
})

test('404 pull_request_gone if the code host has none and nothing is stored', async () => {
  const { submissionId, pr_url } = await inReview()
  await scene.forget(pr_url)
  host.respond = missing
  expectError(await get(submissionId), 'pull_request_gone')
})

test('404 pull_request_gone for a visitor of the board if nothing is stored, else 200 with what is, asking nobody', async () => {
  const { submissionId, pr_url } = await inReview()
  const { head_sha } = await scene.row(pr_url)
  report(pr_url, { head: { sha: head } })
  const input = { id: submissionId }
  expect(await visit(served.services, 'submissions.pullRequest', input)).toMatchObject({
    pull_request: { head_sha },
  })
  await scene.forget(pr_url)
  expect(await refusal(served.services, 'submissions.pullRequest', input)).toBe('pull_request_gone')
  expect(host.requests).toEqual([])
})

test('502 repository_unreachable if nothing is stored, and 200 after', async () => {
  const { submissionId, pr_url } = await inReview()
  await scene.forget(pr_url)
  host.respond = unavailable
  expectError(await get(submissionId), 'repository_unreachable')
  host.respond = () => undefined
  expect((await get(submissionId)).status).toBe(200)
})

test.each([
  ['503 repository_limited', secondaryLimit(60)],
  ['502 repository_unauthorized', { status: 401, body: { message: 'Bad credentials' } }],
  ['502 repository_blocked', { status: 451, body: { message: 'Repository access blocked' } }],
] as const)('%s if nothing is stored, else 200 with what is', async (outcome, response) => {
  const { submissionId, pr_url } = await inReview()
  const from = await createTestMarket({ sharing: scene.sharing, engines: false })
  host.respond = () => response
  expect((await get(submissionId, reader.key, from)).status).toBe(200)
  await scene.forget(pr_url)
  expectError(await get(submissionId, reader.key, from), outcome.split(' ')[1] as ErrorCode)
})

test('503 repositories_not_configured if nothing is stored, else 200 with what is', async () => {
  const { submissionId, pr_url } = await inReview()
  const without = await createTestMarket({ sharing: market, without: ['repositories'], engines: false })
  expect((await get(submissionId, reader.key, without)).status).toBe(200)
  await scene.forget(pr_url)
  expectError(await get(submissionId, reader.key, without), 'repositories_not_configured')
})

test('stored facts after 20 readings a minute for one agent, and 60 for all; where nothing is stored, 429 that says until when', async () => {
  // Its minute begins here.
  const fresh = await createTestMarket({ sharing: scene.sharing, engines: false })
  const { pr_url } = await inReview()
  const { id: projectId, repo_url: repoUrl } = project
  await sql`insert into pull_requests select (jsonb_populate_record(p, jsonb_build_object('number', n,
    'url', ${repoUrl} || '/pull/' || n))).* from pull_requests p, generate_series(1000, 1083) n where url = ${pr_url}`.execute(
    market.db,
  )
  host.respond = missing
  const states: (string | undefined)[][] = []
  for (let agent = 0; agent < 4; agent++) {
    const numbers = Array.from({ length: 21 }, (_, nth) => 1000 + 21 * agent + nth)
    const found = await Promise.all(
      numbers.map((number) => {
        const pull = { url: `${repoUrl}/pull/${number}`, projectId, repoUrl }
        return fresh.services.pullRequests.refresh(pull, `agent_${agent}`, new Date(0))
      }),
    )
    states.push(found.map((row) => row?.state))
  }
  expect(states[0]?.sort()).toEqual([...Array(20).fill('gone'), 'open'])
  expect(new Set(states[3])).toEqual(new Set(['open']))
  const unknown = { url: `${repoUrl}/pull/2000`, projectId, repoUrl }
  const refused = await fresh.services.pullRequests
    .refresh(unknown, 'agent_0', new Date(0))
    .catch((error) => error)
  expect(refused).toMatchObject({ code: 'rate_limited' })
  expect(refused.retryAfter).toBeGreaterThan(0)
  expect(refused.retryAfter).toBeLessThanOrEqual(60)
})
