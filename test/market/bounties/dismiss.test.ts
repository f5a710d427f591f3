import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { prove } from '../../../server/code/claims/store.ts'
import { branchFor } from '../../../server/lifecycle/pull-requests/attribution.ts'
import { keepPulls } from '../../../server/lifecycle/pull-requests/seen-pulls.ts'
import { expectError } from '../../support/errors.ts'
import { createPullRequestMarket } from '../../support/pull-requests.ts'
import { proxyPage } from '../../support/request-faults.ts'
import { readRow } from '../../support/stored.ts'
import { claimsOn } from './support/claims.ts'

const { market, host, served, report } = await createPullRequestMarket()
const { db } = market
const project = await market.activeProject()
const { act, claim, submit, endingsOf, entriesOf, statusOf } = claimsOn(market, project)

const review_notes = 'Three days and not a line.'
const dismiss = ({ id }: { id: string }, key?: string, body: unknown = { review_notes }, from = market) =>
  from.act({ id }, 'dismiss', { key }, body)
/** Moves the beginning of a claim so many hours back. */
const begunAgo = ({ id }: { id: string }, hours: number) =>
  sql`update bounties set claimed_at = claimed_at - make_interval(secs => 3600 * ${hours}::float8),
    claim_expires_at = claim_expires_at - make_interval(secs => 3600 * ${hours}::float8) where id = ${id}`.execute(
    db,
  )
const experienced = async () => (await market.doneBounty({ project })).claimant

test('200 at once if the claimant has no approved work; the claim ends, and everybody reads why', async () => {
  const bounty = await market.claimedBounty({ project })
  const { id, claimant, founder } = bounty
  const dismissed = await dismiss(bounty, founder.key)
  expect(dismissed).toMatchObject({
    status: 200,
    body: { bounty_id: id, status: 'open', agent_id: claimant.id },
  })
  expect(await statusOf(bounty)).toEqual({ status: 'open', claimed_by: null })
  expect(await endingsOf(bounty)).toEqual([{ agent_id: claimant.id, ending: 'dismissed' }])
  expect(await entriesOf(bounty)).toEqual([
    { type: 'bounty.claimed', agent_id: claimant.id },
    { type: 'claim.dismissed', agent_id: claimant.id },
  ])
  const feed = (await market.api('GET', '/api/activity?limit=100')).body.activity
  expect(feed.find(({ type }: { type: string }) => type === 'claim.dismissed')).toMatchObject({
    agent_id: claimant.id,
    actor_id: founder.id,
    bounty_id: id,
    data: { review_notes },
  })
})

test('200 again with the same response, also under another key, until somebody else claims it', async () => {
  const bounty = await market.claimedBounty({ project })
  const first = await dismiss(bounty, bounty.founder.key)
  expect((await dismiss(bounty, bounty.founder.key)).body).toEqual(first.body)
  for (const own of [randomUUID(), randomUUID()]) {
    const headers = { 'idempotency-key': own }
    const request = { key: bounty.founder.key, headers, body: { review_notes } }
    expect((await market.api('POST', `/api/bounties/${bounty.id}/dismiss`, request)).body).toEqual(first.body)
  }
  expect(await endingsOf(bounty)).toHaveLength(1)
  const other = await market.register()
  await claim(bounty, other)
  expect((await dismiss(bounty, bounty.founder.key)).body.agent_id).toBe(other.id)
  await claim(bounty, await market.register())
  await act(bounty, 'cancel', bounty.founder)
})

test('200 after an hour for a claimant with approved work, before it 409 dismissed_too_early with the moment', async () => {
  const bounty = await market.claimedBounty({ project, claimant: await experienced() })
  await begunAgo(bounty, 0.9)
  const refused = await dismiss(bounty, bounty.founder.key)
  expectError(refused, 'dismissed_too_early')
  const { claimed_at } = await readRow(db, 'bounties', { id: bounty.id })
  expect(refused.body.error.message).toContain(new Date(Number(claimed_at) + 3_600_000).toISOString())
  await begunAgo(bounty, 0.2)
  expect((await dismiss(bounty, bounty.founder.key)).status).toBe(200)
})

test('409 dismissed_too_early until half of the time is over once work is seen, which it looks for itself', async () => {
  const bounty = await market.claimedBounty({ project })
  await market.work(bounty)
  expectError(await dismiss(bounty, bounty.founder.key), 'dismissed_too_early')
  expect((await entriesOf(bounty)).map(({ type }) => type)).toEqual(['bounty.claimed', 'claim.proved'])
  // Medium: 72 hours. Extensions change nothing.
  await begunAgo(bounty, 35)
  expectError(await dismiss(bounty, bounty.founder.key), 'dismissed_too_early')
  for (const _ of [1, 2]) {
    await market.work(bounty)
    expect((await act(bounty, 'extend', bounty.claimant)).status).toBe(200)
  }
  await begunAgo(bounty, 2)
  expect((await dismiss(bounty, bounty.founder.key)).status).toBe(200)
})

test('409 dismissed_too_early after a review until half of the time that it gave is over', async () => {
  const bounty = await market.claimedBounty({ project })
  await begunAgo(bounty, 50)
  expect((await submit(bounty, bounty.claimant)).status).toBe(201)
  await act(bounty, 'request-changes', bounty.founder, { review_notes })
  expectError(await dismiss(bounty, bounty.founder.key), 'dismissed_too_early')
})

test('409 claim_dismissed for the same agent for the time of one claim; others claim it, and nothing else counts', async () => {
  const bounty = await market.claimedBounty({ project })
  const { claimant, founder } = bounty
  await dismiss(bounty, founder.key)
  expectError(await claim(bounty, claimant), 'claim_dismissed')
  const preflight = await market.api('GET', `/api/bounties/${bounty.id}/preflight`, { key: claimant.key })
  expect(preflight.body.preflight).toMatchObject({ can_claim: false, reasons: ['claim_dismissed'] })
  expect((await submit(bounty, claimant)).body.error.message).toBe(
    'The founder ended your claim. Claim the bounty again first.',
  )
  await sql`update ended_claims set ended_at = ended_at - interval '73 hours' where bounty_id = ${bounty.id}`.execute(
    db,
  )
  expect((await claim(bounty, claimant)).status).toBe(200)
  const { claim: again } = (
    await market.api('GET', `/api/bounties/${bounty.id}/claim`, { key: claimant.key })
  ).body
  expect(again.extensions_left).toBe(2)
})

test('the record of the founder counts it, that of the claimant only the claim; preflight says where work was seen', async () => {
  const own = await market.activeProject()
  const bounty = await market.claimedBounty({ project: own })
  await dismiss(bounty, own.founder.key)
  const seen = await market.claimedBounty({ project: own })
  await market.work(seen)
  expectError(await dismiss(seen, own.founder.key), 'dismissed_too_early')
  await begunAgo(seen, 40)
  expect((await dismiss(seen, own.founder.key)).status).toBe(200)
  const recordOf = async ({ id }: { id: string }) =>
    (await market.api('GET', `/api/agents/${id}`, { key: own.founder.key })).body.agent
  expect((await recordOf(own.founder)).as_founder.dismissed).toBe(2)
  expect((await recordOf(bounty.claimant)).as_contributor).toMatchObject({
    claimed: 1,
    released: 0,
    lapsed: 0,
    rejected: 0,
  })
  const reader = await market.register()
  const { preflight } = (await market.api('GET', `/api/bounties/${seen.id}/preflight`, { key: reader.key }))
    .body
  expect(preflight.founder.dismissed_with_work_seen).toBe(1)
})

test('502 repository_unreachable while the code host fails: the claim goes on', async () => {
  const bounty = await market.claimedBounty({ project })
  host.respond = () => proxyPage
  expectError(await dismiss(bounty, bounty.founder.key, undefined, served), 'repository_unreachable')
  host.respond = () => undefined
  expect(await statusOf(bounty)).toMatchObject({ status: 'claimed' })
  expect((await dismiss(bounty, bounty.founder.key, undefined, served)).status).toBe(200)
})

test('200 once half of the time is over, though the code host cannot compare what the claimant brings', async () => {
  const bounty = await market.claimedBounty({ project })
  await market.work(bounty)
  host.respond = ({ path }) => (path.includes('/compare/') ? proxyPage : undefined)
  expectError(await dismiss(bounty, bounty.founder.key, undefined, served), 'repository_unreachable')
  await begunAgo(bounty, 40)
  expect((await dismiss(bounty, bounty.founder.key, undefined, served)).status).toBe(200)
  host.respond = () => undefined
})

test('400 bounty_not_claimed if the claim passes to another agent while it looks at the code host', async () => {
  const bounty = await market.claimedBounty({ project })
  const other = await market.register()
  host.respond = async ({ path }) => {
    if (!path.includes('/pulls?')) return undefined
    host.respond = () => undefined
    await act(bounty, 'release', bounty.claimant)
    await claim(bounty, other)
    return undefined
  }
  expectError(await dismiss(bounty, bounty.founder.key, undefined, served), 'bounty_not_claimed')
  expect(await statusOf(bounty)).toEqual({ status: 'claimed', claimed_by: other.id })
})

test('409 pull_request_merged for work that somebody else has merged, also if nobody has submitted it; not for older work', async () => {
  const merged = {
    merged: true,
    state: 'closed',
    merge_commit_sha: 'c'.repeat(40),
    merged_by: { id: 8, login: 'eve' },
  }
  const of = async (members: object, isSeen = true) => {
    const bounty = await market.claimedBounty({ project })
    const pr_url = await market.work(bounty)
    const number = Number(pr_url.split('/').at(-1))
    const head_ref = branchFor(bounty.claimant.id, bounty.id)
    const seen = { head_sha: 'b'.repeat(40), number, head_ref, opened_at: new Date(), merged_at: null }
    if (isSeen) {
      const claim = { id: bounty.id, agentId: bounty.claimant.id }
      await keepPulls(db, claim, [seen])
      await prove(db, claim, seen)
      await begunAgo(bounty, 40)
    }
    report(pr_url, { ...merged, merged_at: new Date().toISOString(), ...members })
    return dismiss(bounty, bounty.founder.key, undefined, served)
  }
  expectError(await of({}), 'pull_request_merged')
  expect((await of({ merged_by: { id: 7, login: 'ada' }, user: { id: 7, login: 'ada' } })).status).toBe(200)
  expectError(await of({}, false), 'pull_request_merged')
  expect((await of({ merged_at: '2026-01-01T00:00:00Z' }, false)).status).toBe(200)
})

test('of twelve pull requests of the claimant the newest three are read, and any that the code host lists as merged', async () => {
  const bounty = await market.claimedBounty({ project })
  const urls: string[] = []
  for (let index = 1; index <= 12; index++) {
    const head_ref = `${branchFor(bounty.claimant.id, bounty.id)}-${index}`
    const pr_url = await market.pullRequest(bounty.project, head_ref)
    const work = { head_sha: `${index + 10}`.repeat(20), number: Number(pr_url.split('/').at(-1)) }
    await db
      .insertInto('seen_pulls')
      .values({ bounty_id: bounty.id, agent_id: bounty.claimant.id, ...work })
      .execute()
    urls.push(pr_url)
  }
  await begunAgo(bounty, 40)
  const read = async () => {
    host.requests.length = 0
    const { status } = await dismiss(bounty, bounty.founder.key, undefined, served)
    const paths = host.requests.map(({ path }) => /\/pulls\/(\d+)$/.exec(path)?.[1])
    return { status, read: new Set(paths.filter((number) => number !== undefined)).size }
  }
  const [first = ''] = urls
  report(first, {
    merged: true,
    state: 'closed',
    merge_commit_sha: 'c'.repeat(40),
    merged_by: { id: 8, login: 'eve' },
  })
  expect(await read()).toEqual({ status: 409, read: 4 })
})
