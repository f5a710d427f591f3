import { beforeEach, expect, test } from 'vitest'
import type { ApiResponse } from '../../support/api.ts'
import { expectError } from '../../support/errors.ts'
import { createPullRequestMarket } from '../../support/pull-requests.ts'
import type { ClaimedBounty } from '../../support/scenarios.ts'
import { setRows } from '../../support/stored.ts'

// What the requests of agents may use of the quota that the code host grants the service.
const scene = await createPullRequestMarket()
const { market, host, served } = scene
const project = await market.activeProject()

let window = 0
/** The code host says that so many of 400 requests are left. */
const left = (remaining: number, clock = 0) => {
  host.headers = {
    date: new Date(Date.now() + clock * 1000).toUTCString(),
    'x-ratelimit-limit': '400',
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(window + clock),
  }
}
beforeEach(() => {
  window = Math.max(window + 10, Math.ceil(Date.now() / 1000) + 1000)
  left(400)
})

const submit = ({ id, claimant }: ClaimedBounty, pr_url: string) =>
  served.act({ id }, 'submit', claimant, { pr_url })
const claimed = () => market.claimedBounty({ project })
/** The service reads what is left. */
const noteQuota = async () => submit(await claimed(), `${project.repo_url}/pull/999`)

function expectLimited(response: ApiResponse): void {
  expectError(response, 'rate_limited')
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(900)
}

test('429 rate_limited for an agent that has used a twentieth of the quota; another one submits', async () => {
  await noteQuota()
  const bounty = await claimed()
  const attempts = []
  // Twenty requests are five readings.
  for (let attempt = 0; attempt < 5; attempt++)
    attempts.push((await submit(bounty, `${project.repo_url}/pull/999`)).body.error.code)
  expect(attempts).toEqual(Array(5).fill('pull_request_not_found'))
  const before = host.requests.length
  expectLimited(await submit(bounty, await market.pullRequest(project)))
  expect(host.requests).toHaveLength(before)
  expect((await submit(await claimed(), await market.pullRequest(project))).status).toBe(201)
})

test('429 rate_limited for approvals that name another commit, time and again', async () => {
  await noteQuota()
  const bounty = await market.bountyInReview({ project: await market.activeProject() })
  const approve = (expected_head_sha: string) =>
    served.act(bounty, 'approve', bounty.founder, { expected_head_sha })
  for (let attempt = 0; attempt < 5; attempt++)
    expectError(await approve('b'.repeat(40)), 'pull_request_changed')
  expectLimited(await approve('b'.repeat(40)))
})

test('429 rate_limited for rejections of work with many pull requests: a founder that has used its share causes no reading', async () => {
  await noteQuota()
  const bounty = await market.bountyInReview({ project: await market.activeProject() })
  for (let nth = 1; nth <= 6; nth++) {
    const pr_url = await market.work(bounty)
    const seen = { bounty_id: bounty.id, agent_id: bounty.claimant.id, head_sha: 'd'.repeat(40) }
    const number = Number(pr_url.split('/').at(-1))
    await market.db
      .insertInto('seen_pulls')
      .values({ ...seen, number })
      .execute()
  }
  const reject = () => served.act(bounty, 'reject', bounty.founder, { review_notes: 'No.' })
  // Four approvals and the list of pull requests are five readings.
  const other = { expected_head_sha: 'b'.repeat(40) }
  for (let attempt = 0; attempt < 4; attempt++)
    expectError(await served.act(bounty, 'approve', bounty.founder, other), 'pull_request_changed')
  expectLimited(await reject())
  const before = host.requests.length
  expectLimited(await reject())
  expect(host.requests).toHaveLength(before)
})

test('what an agent reads leaves its own approvals alone, and a code host with another clock has the same quota', async () => {
  const clock = -7200
  window += 7200
  left(400, clock)
  await noteQuota()
  const bounty = await market.bountyInReview({ project: await market.activeProject() })
  const own = await market.claimedBounty({ claimant: bounty.founder })
  for (let attempt = 0; attempt < 5; attempt++) await submit(own, `${own.project.repo_url}/pull/999`)
  expectError(await submit(own, `${own.project.repo_url}/pull/999`), 'rate_limited')
  const body = { expected_head_sha: (await scene.row(bounty.pr_url)).head_sha }
  const approve = { key: bounty.founder.key, body }
  expect((await served.api('POST', `/api/bounties/${bounty.id}/approve`, approve)).status).toBe(200)
})

test('a claim is postponed where others have used up the quota, not where its claimant has', async () => {
  await noteQuota()
  const bounty = await claimed()
  const soon = new Date(Date.now() + 60_000)
  await setRows(market.db, 'bounties', { id: bounty.id }, { claim_expires_at: soon })
  const expiry = async () => {
    const path = `/api/bounties/${bounty.id}/claim`
    const { claim } = (await served.api('GET', path, { key: bounty.claimant.key })).body
    return Date.parse(claim.expires_at)
  }
  for (let attempt = 0; attempt < 6; attempt++) await submit(bounty, `${project.repo_url}/pull/999`)
  expect(await expiry()).toBe(soon.getTime())
  left(80)
  await noteQuota()
  expectLimited(await submit(bounty, `${project.repo_url}/pull/999`))
  expect(await expiry()).toBeGreaterThan(soon.getTime() + 3_000_000)
})

// The last one, because the service asks no more after it.
test('429 rate_limited for submissions once a fifth is left, which approvals and merges may still use', async () => {
  const bounty = await market.bountyInReview({ project })
  const expected_head_sha = (await scene.row(bounty.pr_url)).head_sha
  left(80)
  await noteQuota()
  expectLimited(await submit(await claimed(), await market.pullRequest(project)))
  const decide = (verb: string) => served.act(bounty, verb, bounty.founder, { expected_head_sha })
  expect((await decide('approve')).status).toBe(200)
  expect((await decide('merge')).status).toBe(200)
})
