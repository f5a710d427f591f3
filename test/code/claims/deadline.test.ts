import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openLapsed } from '../../../server/market/deadlines/store.ts'
import { expectError } from '../../support/errors.ts'
import { readRow } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { createClaimsScene } from './support.ts'

const { market, host, db, report, claimed, rowOf, start } = await createClaimsScene()

/** Nobody reports what becomes of the pull request. */
async function late() {
  const bounty = await claimed()
  const pr_url = await market.work(bounty)
  const seen = {
    bounty_id: bounty.id,
    agent_id: bounty.claimant.id,
    number: Number(pr_url.split('/').at(-1)),
  }
  await db.insertInto('seen_pulls').values(seen).execute()
  await sql`update bounties set seen_sha = ${'b'.repeat(40)}, proof_due_at = null, look_at = now(),
    claim_expires_at = now() - interval '1 second' where id = ${bounty.id}`.execute(db)
  return { bounty, pr_url, seen }
}
const lapsed = async () => (await openLapsed(db, 10)).map(({ bountyId }) => bountyId)

test('a claim is kept where the code host lists a merge, also from another agent before it was asked', async () => {
  const { bounty, pr_url, seen } = await late()
  const { key } = await market.register()
  report(pr_url, { merged: true, state: 'closed', merge_commit_sha: 'c'.repeat(40) })
  const refused = await market.api('POST', `/api/bounties/${bounty.id}/claim`, { key })
  expectError(refused, 'bounty_not_open')
  expect(refused.body.error.message).toContain('is asked whether its work is merged')
  expect(await lapsed()).toEqual([])
  start()
  await until(async () => (await rowOf(bounty)).listed_at !== null)
  expect(await readRow(db, 'seen_pulls', seen)).toMatchObject({ merged_at: expect.any(Date) })
  expect(await lapsed()).toEqual([])
})

test.each([
  ['only a push was seen', 'b'.repeat(40)],
  ['nothing was seen', null],
])('is kept where %s, and nobody reported that a pull request was opened and merged', async (_, seen_sha) => {
  const { bounty, pr_url, seen } = await late()
  await db.deleteFrom('seen_pulls').where('bounty_id', '=', bounty.id).execute()
  await db.updateTable('bounties').set({ seen_sha }).where('id', '=', bounty.id).execute()
  report(pr_url, { merged: true, state: 'closed', merge_commit_sha: 'c'.repeat(40) })
  expect(await lapsed()).toEqual([])
  start()
  await until(async () => (await rowOf(bounty)).listed_at !== null)
  expect(await readRow(db, 'seen_pulls', seen)).toMatchObject({ merged_at: expect.any(Date) })
  expect(await lapsed()).toEqual([])
})

describe('a claim whose merge is behind the end of the list', () => {
  /** A list without the merged pull request. */
  async function merged() {
    const work = await late()
    report(work.pr_url, { merged: true, state: 'closed', merge_commit_sha: 'c'.repeat(40) })
    // Of other claims it has listed merges, which this list lacks as well.
    await db.deleteFrom('reported_pulls').execute()
    host.respond = ({ path }) => (path.includes('/pulls?') ? { status: 200, body: [] } : undefined)
    return work
  }

  test('is kept', async () => {
    const { bounty, seen } = await merged()
    start()
    await until(async () => (await rowOf(bounty)).listed_at !== null)
    expect(await readRow(db, 'seen_pulls', seen)).toMatchObject({ merged_at: expect.any(Date) })
    expect(await lapsed()).toEqual([])
  })

  test('is not listed before the pull request can be read', async () => {
    const { bounty, seen } = await merged()
    const isOfPull = (path: string) => path.includes('/pulls?') || path.endsWith(`/pulls/${seen.number}`)
    host.respond = ({ path }) =>
      isOfPull(path) ? { status: path.includes('/pulls?') ? 200 : 503, body: [] } : undefined
    start()
    await until(async () => Number((await rowOf(bounty)).look_at) > Date.now())
    await until(async () => host.requests.some(({ path }) => path.endsWith(`/pulls/${seen.number}`)))
    expect(await rowOf(bounty)).toMatchObject({ listed_at: null })
    expect(await lapsed()).toEqual([])
  })
})

test('a claim lapses as soon as the code host lists no merge', async () => {
  const { bounty } = await late()
  expect(await lapsed()).toEqual([])
  start()
  await until(async () => (await lapsed()).includes(bounty.id))
})

test('a claim stays for a day, and no longer, while the code host lists nothing', async () => {
  const { bounty } = await late()
  host.respond = ({ path }) => (path.includes('/pulls?') ? { status: 503, body: {} } : undefined)
  start()
  await until(async () => Number((await rowOf(bounty)).look_at) > Date.now())
  expect(await lapsed()).toEqual([])
  await sql`update bounties set claim_expires_at = now() - interval '1 day' where id = ${bounty.id}`.execute(
    db,
  )
  expect(await lapsed()).toEqual([bounty.id])
})
