/** @module-tag git */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keepLook, lookSoon } from '../../../server/code/own-repositories/store.ts'
import { expectError } from '../../support/errors.ts'
import { setRows } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { createOwnScene } from './scene.ts'

let scene: Awaited<ReturnType<typeof createOwnScene>>
beforeAll(async () => {
  scene = await createOwnScene()
})

const isLost = async () => (await scene.row()).repository_lost_at !== null
/** The owner takes the App out of the repository, or lets it in again, and the service knows it. */
async function takeOut() {
  await scene.installs('DELETE')
  await until(isLost)
}
async function letIn() {
  await scene.installs('PUT')
  await until(async () => !(await isLost()))
}
const find = (missing: string[]) => keepLook(scene.market.db, { projectId: scene.project.id, missing })
const anHourAgo = () => new Date(Date.now() - 3_600_000)
const notified = async ({ id }: { id: string }, type: string) => {
  const rows = await scene.market.db
    .selectFrom('activity')
    .where('project_id', '=', scene.project.id)
    .where('type', '=', type as never)
    .select('recipients')
    .execute()
  return rows.filter(({ recipients }) => recipients.includes(id)).length
}

test('taken out while it is claimed: the claimant is notified, nobody else claims, and the deadline stands still until it is back', async () => {
  const { bounty, claimant, claimOf, act } = await scene.claimed()
  const free = await scene.market.openBounty({ project: scene.project })
  const other = await scene.market.register()
  await takeOut()
  const { state, missing } = (await scene.asFounder('GET', '/repository')).body.repository
  expect({ state, missing }).toEqual({ state: 'lost', missing: ['not_installed'] })
  expect([
    await notified(claimant, 'repository.lost'),
    await notified(scene.project.founder, 'repository.lost'),
  ]).toEqual([1, 1])
  expectError(await scene.market.act(free, 'claim', other), 'repository_lost')
  const asked = await scene.market.api('GET', `/api/bounties/${free.id}/preflight`, { key: other.key })
  expect(asked.body.preflight).toMatchObject({ can_claim: false, reasons: ['repository_lost'] })
  const before = Date.parse((await claimOf(bounty)).expires_at)
  await letIn()
  // The last look was set an hour back.
  const after = Date.parse((await claimOf(bounty)).expires_at)
  expect((after - before) / 60_000).toBeCloseTo(60, 0)
  expect(await notified(claimant, 'repository.found')).toBe(1)
  expect((await scene.market.act(free, 'claim', other)).status).toBe(200)
  expect((await act('release')).status).toBe(200)
})

test('taken out while it is in review: approving pays', async () => {
  const { bounty, claimant, submits } = await scene.claimed()
  await submits()
  await takeOut()
  expect(await notified(claimant, 'repository.lost')).toBe(1)
  expect((await scene.market.act(bounty, 'approve', scene.project.founder, {})).status).toBe(200)
  await letIn()
})

test('what is given up while it is lost costs nothing at the next claim', async () => {
  const { bounty, claimant, act, submits } = await scene.claimed()
  const timeOf = async () =>
    (await scene.market.api('GET', `/api/bounties/${bounty.id}/preflight`, { key: claimant.key })).body
      .preflight.lease_hours
  const whole = await timeOf()
  await submits()
  await takeOut()
  const { submissions } = (await scene.market.api('GET', `/api/bounties/${bounty.id}`)).body.bounty
  const path = `/api/submissions/${submissions[0].id}/retract`
  expect((await scene.market.api('POST', path, { key: claimant.key })).status).toBe(200)
  await letIn()
  expect(await timeOf()).toBe(whole)
  expect((await act('claim')).status).toBe(200)
  await takeOut()
  expect((await act('release')).status).toBe(200)
  await letIn()
  expect(await timeOf()).toBe(whole)
  expect((await act('claim')).status).toBe(200)
  expect((await act('release')).status).toBe(200)
  expect(await timeOf()).toBe(whole / 4)
})

test('taken out before the founder merges: the merge pays all the same', async () => {
  const { bounty, submits } = await scene.claimed()
  const number = await submits()
  await takeOut()
  const merge = { merge_method: 'squash' }
  const merged = await scene.host(scene.token, 'PUT', `${scene.base}/pulls/${number}/merge`, merge)
  expect(merged.status).toBe(200)
  await until(async () => (await scene.status(bounty)) === 'done')
  await letIn()
})

describe('looks', () => {
  beforeEach(() => find([]))

  test('one that finds something missing is not believed, two are', async () => {
    expect(await find(['not_public'])).toBeUndefined()
    expect(await isLost()).toBe(false)
    expect(await find(['not_public'])).toBe('repository.lost')
    expect(await find(['not_public'])).toBeUndefined()
    expect(await find([])).toBe('repository.found')
  })

  test('one during which the host has reported something is not believed', async () => {
    const { db } = scene.market
    const { repository_id } = await scene.row()
    await lookSoon(db, [repository_id ?? 0], 'repository.archived')
    const stale = { projectId: scene.project.id, missing: [], marker: '2026-01-01' }
    expect(await keepLook(db, stale)).toBeUndefined()
    expect((await scene.row()).repository_missing).toEqual(['reported'])
  })

  test('the default branch that one has found is the base of new work', async () => {
    const { market, project } = scene
    await keepLook(market.db, { projectId: project.id, missing: [], defaultBranch: 'trunk' })
    await find([])
    const { id } = await market.openBounty({ project })
    const { key } = await market.register()
    const { preflight } = (await market.api('GET', `/api/bounties/${id}/preflight`, { key })).body
    expect(preflight.needs.base).toBe('trunk')
  })

  test('a single one in between begins anew', async () => {
    await find(['archived'])
    await find([])
    expect(await find(['archived'])).toBeUndefined()
  })

  test.each([
    ['installation.deleted', 'not_installed'],
    ['installation.suspend', 'not_installed'],
    ['installation_repositories.removed', 'not_installed'],
    ['repository.deleted', 'not_installed'],
    ['repository.privatized', 'not_public'],
    ['repository.archived', 'archived'],
    ['repository.transferred', 'not_installed'],
  ])('after %s one is enough, and one that finds nothing missing denies it', async (event, code) => {
    const { repository_id } = await scene.row()
    const hear = () => lookSoon(scene.market.db, [repository_id ?? 0], event)
    await hear()
    expect((await scene.asFounder('GET', '/repository')).body.repository.state).toBe('active')
    expect(await find([])).toBeUndefined()
    await hear()
    expect(await find([code])).toBe('repository.lost')
  })

  test('another repository under its name is not taken for it', async () => {
    const { repository_id } = await scene.row()
    const { id } = scene.project
    const looksAgain = { repository_look_at: anHourAgo(), repository_missing: ['replaced'] }
    await setRows(scene.market.db, 'projects', { id }, { ...looksAgain, repository_id: 999_999 })
    await until(isLost)
    expect((await scene.asFounder('GET', '/repository')).body.repository.missing).toEqual(['replaced'])
    await setRows(scene.market.db, 'projects', { id }, { repository_look_at: anHourAgo(), repository_id })
    await until(async () => !(await isLost()))
  })
})
