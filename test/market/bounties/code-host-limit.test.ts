import { expect, test } from 'vitest'
import type { ApiResponse } from '../../support/api.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { createPullRequestMarket } from '../../support/pull-requests.ts'
import { secondaryLimit } from '../../support/request-faults.ts'
import { readRow, setRows } from '../../support/stored.ts'
import { until } from '../../support/until.ts'

// A limit of the code host holds for the process that met it, so each test has its own.
const scene = await createPullRequestMarket()
const { market, host, sharing } = scene
const project = await market.activeProject()

/** A process whose next request of the code host meets a limit of a minute. */
async function limited() {
  const served = await createTestMarket({ sharing, engines: false })
  const before = host.requests.length
  host.respond = () => {
    host.respond = () => undefined
    return secondaryLimit(60)
  }
  return { served, asked: () => host.requests.length - before }
}

function expectLimited(response: ApiResponse): void {
  expectError(response, 'repository_limited')
  const seconds = Number(response.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(50)
  expect(seconds).toBeLessThanOrEqual(60)
}

test('503 repository_limited for a submission, which costs no claim, and for the next one without a request', async () => {
  const { served, asked } = await limited()
  const { id, claimant } = await market.claimedBounty({ project })
  await setRows(market.db, 'bounties', { id }, { claim_expires_at: new Date(Date.now() + 60_000) })
  const pr_url = await market.pullRequest(project)
  expectLimited(await served.act({ id }, 'submit', claimant, { pr_url }))
  expectLimited(await served.act({ id }, 'submit', claimant, { pr_url }))
  expect(asked()).toBe(1)
  const { claim_expires_at } = await readRow(market.db, 'bounties', { id })
  expect(claim_expires_at?.getTime()).toBeGreaterThan(Date.now() + 3_000_000)
})

test('503 repository_limited for an approval: nothing is paid', async () => {
  const bounty = await market.bountyInReview({ project })
  const { head_sha: expected_head_sha } = await scene.row(bounty.pr_url)
  const { served } = await limited()
  expectLimited(await served.act(bounty, 'approve', bounty.founder, { expected_head_sha }))
  expect(await readRow(market.db, 'bounties', { id: bounty.id })).toMatchObject({ status: 'in_review' })
})

test('503 repository_limited for a merge, and 200 with that merge once the limit is over', async () => {
  const bounty = await market.doneBounty({ project })
  const { served } = await limited()
  const { head_sha: expected_head_sha } = await scene.row(bounty.pr_url)
  expectLimited(await served.act(bounty, 'merge', bounty.founder, { expected_head_sha }))
  const later = await scene.served.act(bounty, 'merge', bounty.founder, { expected_head_sha })
  expect(later.body).toMatchObject({ merged: true })
})

test('503 repository_limited for a maintainer', async () => {
  const { served } = await limited()
  const { id, founder } = project
  const body = { github_login: founder.id }
  expectLimited(await served.api('POST', `/api/projects/${id}/maintainer`, { key: founder.key, body }))
})

test('an activation goes on after the limit', async () => {
  const proposed = await market.proposedProject()
  await market.stopEngines()
  const { served } = await limited()
  const key = proposed.founder.key
  const path = `/api/projects/${proposed.id}`
  const activate = served.api('POST', `${path}/activate`, { key })
  served.startEngines()
  const activation = () => readRow(market.db, 'activations', { project_id: proposed.id })
  await until(async () => (await activation()).lease_until > new Date(Date.now() + 50_000))
  expect(await activation()).toMatchObject({ status: 'running', repo_url: null })
  await served.stopEngines()
  await setRows(market.db, 'activations', { project_id: proposed.id }, { lease_until: new Date() })
  market.startEngines()
  expect((await activate).body).toMatchObject({ project: { status: 'active' } })
})
