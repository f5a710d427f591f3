import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { storeDelivery } from '../../../server/code/pull-requests/deliveries.ts'
import { submittedHead } from '../../support/code-host.ts'
import type { HostRequest } from '../../support/code-host-proxy.ts'
import { expectError } from '../../support/errors.ts'
import type { SubmittedBounty } from '../../support/scenarios.ts'
import { readRow } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { author, createAcceptanceScene, maintainer } from './support.ts'

/* A webhook reports a merge, and the code host hides the pull request before anybody reads that. */
const scene = await createAcceptanceScene()
const {
  db,
  host,
  project,
  post,
  inReview,
  reject,
  submissionOf,
  expectPaid,
  payments,
  hear,
  start,
  wasLookedAt,
} = scene
beforeEach(() => {
  host.respond = () => undefined
})
const missing = { status: 404, body: { message: 'Not Found' } }

async function hidden({ by = maintainer, secondsAgo = 0 } = {}): Promise<SubmittedBounty> {
  const bounty = await inReview()
  const { repository_id } = await readRow(db, 'projects', { id: project.id })
  const changed_at = new Date(Date.now() - secondsAgo * 1000)
  const head_sha = await submittedHead(db, bounty.submissionId)
  const merge_commit_sha = 'c'.repeat(40)
  await sql`update pull_requests set refreshed_at = now() - make_interval(secs => ${secondsAgo})
    where url = ${bounty.pr_url}`.execute(db)
  await sql`update submissions set merge_counts_from = now() - interval '1 day' where id = ${bounty.submissionId}`.execute(
    db,
  )
  const number = Number(bounty.pr_url.split('/').at(-1))
  const merge = { merged_at: changed_at.toISOString(), merged_by_id: by.id, merge_commit_sha, head_sha }
  const state = { number, is_open: false, merged: true, is_opening: false, changed_at, head_ref: 'work' }
  await storeDelivery(db, {
    id: bounty.id,
    event: 'pull_request',
    action: 'closed',
    repository_id,
    pull_number: number,
    head_sha: null,
    check_id: null,
    report: { ...state, repository_id: Number(repository_id), merge },
  })
  await sql`update reported_pulls set received_at = ${changed_at}::timestamptz`.execute(db)
  const path = new URL(bounty.pr_url).pathname.replace('/pull/', '/pulls/')
  host.respond = ({ path: asked }: HostRequest) => (asked.endsWith(path) ? missing : undefined)
  return bounty
}

test('that was reported a moment ago it is paid', async () => {
  const bounty = await hidden()
  await expectPaid(bounty)
})

test('that was reported two hours ago it cannot be rejected, and is paid', async () => {
  const bounty = await hidden({ secondsAgo: 7200 })
  expectError(await reject(bounty), 'pull_request_merged')
  await expectPaid(bounty)
})

test('by its author it is no acceptance, and nothing is paid', async () => {
  const bounty = await hidden({ by: author, secondsAgo: 7200 })
  start()
  await hear(bounty)
  await wasLookedAt(bounty)
  expect((await payments(bounty)).paid).toBe(0)
  expect((await submissionOf(bounty)).status).toBe('pending')
})

test('whose commit the host cannot compare either, nothing is known: 502 to reject, and an approval pays', async () => {
  const bounty = await hidden({ secondsAgo: 7200 })
  const hides = host.respond
  host.respond = (request) => (request.path.includes('/compare/') ? missing : hides(request))
  expectError(await reject(bounty), 'repository_unreachable')
  start()
  await hear(bounty)
  await until(async () => Number((await scene.row(bounty.pr_url)).due_at) > Date.now() + 10_000)
  expect((await submissionOf(bounty)).status).toBe('pending')
  expect((await post(`/api/bounties/${bounty.id}/approve`, bounty.founder.key, {})).status).toBe(200)
})

test('that its author has merged, and that was read before its commit was hidden as well, an approval of the commit pays', async () => {
  const bounty = await hidden({ by: author })
  const stop = start()
  await hear(bounty)
  await wasLookedAt(bounty)
  await stop()
  const hides = host.respond
  host.respond = (request) => (request.path.includes('/compare/') ? missing : hides(request))
  const expected_head_sha = await submittedHead(db, bounty.submissionId)
  const approved = await post(`/api/bounties/${bounty.id}/approve`, bounty.founder.key, { expected_head_sha })
  expect(approved.status).toBe(200)
  expect((await payments(bounty)).paid).toBe(1)
})
