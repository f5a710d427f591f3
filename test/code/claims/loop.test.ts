import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { mostCompared } from '../../../server/code/host/work.ts'
import { storeDelivery } from '../../../server/code/pull-requests/deliveries.ts'
import type { PullReport } from '../../../server/code/pull-requests/reports.ts'
import { branchFor } from '../../../server/lifecycle/pull-requests/attribution.ts'
import type { HostResponse } from '../../support/code-host-proxy.ts'
import { beatHeart } from '../../support/deadlines.ts'
import { expectError } from '../../support/errors.ts'
import { proxyPage } from '../../support/request-faults.ts'
import type { ClaimedBounty } from '../../support/scenarios.ts'
import { readRow } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { createClaimsScene } from './support.ts'

const { market, host, db, project, served, report, claimed, rowOf, overdue, start } =
  await createClaimsScene()
const typesOf = async ({ id }: { id: string }) =>
  (await db.selectFrom('activity').where('bounty_id', '=', id).orderBy('seq').select('type').execute())
    .map(({ type }) => type)
    .filter((type) => type.startsWith('claim.'))
const { repository_id } = await (async () => {
  await market.bountyInReview({ project })
  return readRow(db, 'projects', { id: project.id })
})()
let deliveries = 0
const deliver = (event: string, report: PullReport | null = null) =>
  storeDelivery(db, {
    id: `delivery-${++deliveries}`,
    event,
    action: 'opened',
    repository_id,
    pull_number: 1,
    head_sha: null,
    check_id: null,
    report,
  })

test('without work until its proof time the claim lapses, without anybody acting', async () => {
  const bounty = await claimed()
  await overdue(bounty)
  start()
  await until(async () => (await rowOf(bounty)).status === 'open')
  expect(await typesOf(bounty)).toEqual(['claim.lapsed'])
  expect(await rowOf(bounty)).toMatchObject({ claimed_by: null, proof_due_at: null, look_at: null })
})

test('with an open pull request, draft or not, the whole time of the claim counts, also if nobody had reported it', async () => {
  const bounty = await claimed()
  const { claim_expires_at } = await rowOf(bounty)
  await market.work(bounty)
  await overdue(bounty)
  start()
  await until(async () => (await rowOf(bounty)).seen_sha !== null)
  expect(await rowOf(bounty)).toMatchObject({
    status: 'claimed',
    proof_due_at: null,
    look_at: claim_expires_at,
    claim_expires_at,
  })
  expect(await typesOf(bounty)).toEqual(['claim.proved'])
})

test('with work of another agent, for another bounty, or in another repository it lapses', async () => {
  const bounty = await claimed()
  const other = await claimed()
  await market.pullRequest(project)
  await market.pullRequest(project, other.claimant.id)
  await market.pullRequest(project, branchFor(bounty.claimant.id, other.id))
  await overdue(bounty)
  start()
  await until(async () => (await rowOf(bounty)).status === 'open')
})

test('work that was merged since the claim counts, what was merged before it or was submitted before does not', async () => {
  const merged = { merged: true, state: 'closed', merge_commit_sha: 'c'.repeat(40) }
  const bounty = await claimed()
  report(await market.work(bounty), { ...merged, merged_at: new Date().toISOString() })
  const older = await claimed()
  report(await market.work(older), { ...merged, merged_at: '2026-01-01T00:00:00Z' })
  const again = await claimed()
  const { claimant, founder, id } = again
  const pr_url = await market.work(again)
  const post = (verb: string, { key }: { key: string }, body?: object) =>
    market.api('POST', `/api/bounties/${id}/${verb}`, { key, ...(body && { body }) })
  await post('submit', claimant, { pr_url })
  await post('reject', founder, { review_notes: 'No.' })
  expect((await post('claim', claimant)).status).toBe(200)
  for (const each of [bounty, older, again]) await overdue(each)
  start()
  await until(async () => (await rowOf(bounty)).seen_sha !== null)
  for (const each of [older, again]) await until(async () => (await rowOf(each)).status === 'open')
})

const elsewhere = {
  number: 1,
  state: 'open',
  base: { repo: { id: 987_654 } },
  head: { ref: 'x', sha: 'b'.repeat(40) },
}
const listed = (status: number, body: unknown) => ({ status, body })
test.each<[string, (number: number, head_ref: string) => Promise<HostResponse>, HostResponse?]>([
  ['is 404', async () => listed(404, { message: 'Not Found' })],
  ['is 404 with the page of a gateway', async () => ({ ...proxyPage, status: 404 })],
  [
    'is that of another repository',
    async () => listed(200, [{ ...elsewhere, updated_at: new Date().toISOString() }]),
  ],
  [
    'is empty, and the name is that of another repository',
    async () => listed(200, []),
    listed(200, { id: 987_654 }),
  ],
  [
    'lacks a pull request that the host has reported',
    async (number: number, head_ref: string) => {
      const work = { head_ref, is_opening: false, is_open: true, merged: false }
      const said = { number, changed_at: new Date(), ...work }
      await deliver('pull_request', { repository_id: repository_id ?? 0, ...said })
      return listed(200, [])
    },
  ],
])('no claim ends while the list of pull requests %s; then its work counts', async (_, prepare, named) => {
  const bounty = await claimed()
  const pr_url = await market.work(bounty)
  const head_ref = branchFor(bounty.claimant.id, bounty.id)
  const list = await prepare(Number(pr_url.split('/').at(-1)), head_ref)
  const isList = ({ path }: { path: string }) => path.includes('/pulls?')
  const isRepository = ({ path }: { path: string }) => /^\/repos\/[^/]+\/[^/]+$/.test(path)
  host.respond = (request) => (isList(request) ? list : isRepository(request) ? named : undefined)
  await overdue(bounty)
  start()
  await until(() => host.requests.some(named ? isRepository : isList))
  const { look_at } = await rowOf(bounty)
  expect(await rowOf(bounty)).toMatchObject({ status: 'claimed', seen_sha: null })
  expect(look_at?.getTime()).toBeGreaterThan(Date.now())
  host.respond = () => undefined
  await sql`update bounties set look_at = now() where id = ${bounty.id}`.execute(db)
  await until(async () => (await rowOf(bounty)).seen_sha !== null)
  expect(await typesOf(bounty)).toEqual(['claim.proved'])
})

test('work on the second page counts, also where the first one has fewer pull requests than it may have', async () => {
  const bounty = await claimed()
  const now = new Date().toISOString()
  const pull = {
    number: 4900,
    state: 'open',
    created_at: now,
    updated_at: now,
    head: { ref: branchFor(bounty.claimant.id, bounty.id), sha: 'b'.repeat(40) },
    base: { repo: { id: repository_id, default_branch: 'main' } },
  }
  const link = '<https://host.example/pulls?page=2>; rel="next"'
  host.respond = ({ path }) => {
    if (!path.includes('/pulls?')) return undefined
    return /[?&]page=2(&|$)/.test(path)
      ? { status: 200, body: [pull] }
      : { status: 200, body: [], headers: { link } }
  }
  await overdue(bounty)
  start()
  await until(async () => (await rowOf(bounty)).seen_sha !== null)
  expect(await typesOf(bounty)).toEqual(['claim.proved'])
})

test('work counts behind more pull requests of its branch that change nothing than are compared at once', async () => {
  const bounty = await claimed()
  const sha = 'd'.repeat(40)
  report(await market.work(bounty), { head: { sha } })
  for (const _ of Array(mostCompared)) await market.work(bounty)
  host.respond = ({ path }) =>
    path.includes('/compare/') && !path.includes(sha)
      ? { status: 200, body: { status: 'ahead', files: [] } }
      : undefined
  await overdue(bounty)
  start()
  await until(async () => (await rowOf(bounty)).seen_sha !== null)
  expect(await rowOf(bounty)).toMatchObject({ status: 'claimed', seen_sha: sha })
})

test('work counts whose list of files is too long for the host to make', async () => {
  const bounty = await claimed()
  await market.work(bounty)
  host.respond = ({ path }) =>
    path.includes('/compare/') && !path.includes('page=2')
      ? { status: 500, body: { message: 'Server Error: Sorry, this diff is taking too long to generate.' } }
      : undefined
  await overdue(bounty)
  start()
  await until(async () => (await rowOf(bounty)).seen_sha !== null)
  expect(await rowOf(bounty)).toMatchObject({ status: 'claimed' })
})

test('deliveries without end put nothing off', async () => {
  const bounty = await claimed()
  await overdue(bounty)
  start()
  await until(async () => {
    await deliver('push')
    return (await rowOf(bounty)).status === 'open'
  })
})

test.each(['pull_request', 'push'])('it looks within seconds when the host reports %s', async (event) => {
  const bounty = await claimed()
  await market.work(bounty)
  await deliver(event)
  start()
  await until(async () => (await rowOf(bounty)).seen_sha !== null)
  expect(await typesOf(bounty)).toEqual(['claim.proved'])
})

test('an hour after a claim without work, what the host reports has its work sought at once, and again in six minutes', async () => {
  const bounty = await claimed()
  await sql`update bounties set claimed_at = now() - interval '1 hour' where id = ${bounty.id}`.execute(db)
  const minutes = async () => {
    await deliver('push')
    return (Number((await rowOf(bounty)).look_at) - Date.now()) / 60_000
  }
  expect(await minutes()).toBeLessThan(0.1)
  start()
  await until(() => isSoughtLater(bounty))
  const next = await minutes()
  expect(next).toBeGreaterThan(5.5)
  expect(next).toBeLessThan(6.5)
})

describe('work that was seen before and that the list of pull requests lacks counts', () => {
  async function withUnlisted() {
    const bounty = await claimed()
    const number = Number((await market.work(bounty)).split('/').at(-1))
    const seen = { bounty_id: bounty.id, agent_id: bounty.claimant.id, number }
    await db.insertInto('seen_pulls').values(seen).execute()
    host.respond = ({ path }) => (path.includes('/pulls?') ? listed(200, []) : undefined)
    return bounty
  }

  test('at the end of its proof time', async () => {
    const bounty = await withUnlisted()
    await overdue(bounty)
    start()
    await until(async () => (await rowOf(bounty)).seen_sha !== null)
    expect(await rowOf(bounty)).toMatchObject({ status: 'claimed' })
  })

  test('before the founder ends the claim', async () => {
    const { id, founder } = await withUnlisted()
    const asked = { key: founder.key, body: { review_notes: 'No.' } }
    expectError(await served.api('POST', `/api/bounties/${id}/dismiss`, asked), 'dismissed_too_early')
  })
})

test('work counts whose commit the host cannot compare yet', async () => {
  const bounty = await claimed()
  await market.work(bounty)
  host.respond = ({ path }) =>
    path.includes('/compare/') ? { status: 404, body: { message: 'Not Found' } } : undefined
  await overdue(bounty)
  start()
  await until(async () => (await rowOf(bounty)).seen_sha !== null)
  expect(await rowOf(bounty)).toMatchObject({ status: 'claimed' })
})

/** Its work was sought, and is sought again in half an hour. */
const isSoughtLater = async (bounty: ClaimedBounty) =>
  Number((await rowOf(bounty)).look_at) > Date.now() + 1_500_000

test('a report without work leaves the claim its proof time, and one delivery counts once', async () => {
  const bounty = await claimed()
  await deliver('push')
  start()
  await until(() => isSoughtLater(bounty))
  expect((await rowOf(bounty)).status).toBe('claimed')
})

test('while the host does not respond no claim lapses, nor during an outage of ours', async () => {
  const bounty = await claimed()
  await overdue(bounty)
  host.respond = () => ({ status: 503, body: {} })
  start()
  await until(() => host.requests.length > 0)
  await until(async () => Number((await rowOf(bounty)).look_at) > Date.now())
  expect((await rowOf(bounty)).status).toBe('claimed')
  host.respond = () => undefined
  const later = new Date(Date.now() + 3_600_000)
  await db.updateTable('heartbeat').set({ nothing_lapses_before: later }).execute()
  await overdue(bounty)
  // It is looked at again when the time that the outage gave is over, and not before.
  await until(() => isSoughtLater(bounty))
  expect((await rowOf(bounty)).status).toBe('claimed')
  await beatHeart(db)
  await overdue(bounty)
  await until(async () => (await rowOf(bounty)).status === 'open')
})

test('a claim whose proof time ends while the host is away has an hour more once it is back, at most until its deadline', async () => {
  const bounty = await claimed()
  const short = await claimed()
  const deadline = new Date(Date.now() + 600_000)
  await db.updateTable('bounties').set({ claim_expires_at: deadline }).where('id', '=', short.id).execute()
  host.respond = () => ({ status: 503, body: {} })
  await overdue(bounty)
  await overdue(short)
  const before = Date.now()
  start()
  const isPutOff = async () => Number((await rowOf(short)).proof_due_at) > Date.now()
  await until(isPutOff)
  host.respond = () => undefined
  await db
    .updateTable('bounties')
    .set({ look_at: new Date() })
    .where('id', 'in', [bounty.id, short.id])
    .execute()
  await until(() => isSoughtLater(bounty))
  const { status, proof_due_at } = await rowOf(bounty)
  expect(status).toBe('claimed')
  expect(Number(proof_due_at)).toBeGreaterThanOrEqual(before + 3_600_000)
  expect(await rowOf(short)).toMatchObject({ status: 'claimed', proof_due_at: deadline })
})

test('two loops look at a repository once for many claims, and each lapses once', async () => {
  const bounties: ClaimedBounty[] = await Promise.all(Array.from({ length: 12 }, claimed))
  await market.work(bounties[0] as ClaimedBounty)
  await db
    .updateTable('bounties')
    .set({ proof_due_at: sql`now() - interval '1 second'`, look_at: sql`now()` })
    .where(
      'id',
      'in',
      bounties.map(({ id }) => id),
    )
    .execute()
  start()
  start()
  await until(async () =>
    (await Promise.all(bounties.map(rowOf))).every(({ proof_due_at }) => proof_due_at === null),
  )
  const types = await Promise.all(bounties.map(typesOf))
  expect(types.flat().toSorted()).toEqual([...Array(11).fill('claim.lapsed'), 'claim.proved'])
})

test('an agent with approved work has the whole time at once, and its work is seen when the host reports it', async () => {
  const { claimant } = await market.doneBounty({ project })
  const bounty = await market.claimedBounty({ project, claimant })
  expect(await rowOf(bounty)).toMatchObject({ proof_due_at: null, seen_sha: null })
  await market.work(bounty)
  await deliver('pull_request')
  start()
  await until(async () => (await rowOf(bounty)).seen_sha !== null)
})
