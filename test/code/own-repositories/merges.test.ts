/** @module-tag git */
import { beforeAll, expect, test } from 'vitest'
import { hostTokenOf } from '../../support/claimants.ts'
import { readRow } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { createOwnScene } from './scene.ts'

let scene: Awaited<ReturnType<typeof createOwnScene>>
beforeAll(async () => {
  scene = await createOwnScene()
})

const merge = (token: string, number: number) =>
  scene.host(token, 'PUT', `${scene.base}/pulls/${number}/merge`, { merge_method: 'squash' })
/** The owner lets an account write in its repository. */
const allow = (login: string) => scene.host(scene.token, 'PUT', `${scene.base}/collaborators/${login}`)

test('what the owner merges in its own repository is paid', async () => {
  const { bounty, submits } = await scene.claimed()
  expect((await merge(scene.token, await submits())).status).toBe(200)
  await until(async () => (await scene.status(bounty)) === 'done')
})

test('what a second account merges that the owner lets write is paid', async () => {
  const { bounty, submits } = await scene.claimed()
  const second = await scene.market.register()
  const token = await hostTokenOf(second, scene.project.repo_url)
  expect((await allow(second.id)).status).toBe(204)
  expect((await merge(token, await submits())).status).toBe(200)
  await until(async () => (await scene.status(bounty)) === 'done')
})

test('what its author merges, whom the owner lets write, is not: the founder can reject it', async () => {
  const { bounty, submits, claimant, token } = await scene.claimed()
  expect((await allow(claimant.id)).status).toBe(204)
  const number = await submits()
  expect((await merge(token, number)).status).toBe(200)
  const url = `${scene.project.repo_url}/pull/${number}`
  await until(async () => (await readRow(scene.market.db, 'pull_requests', { url })).merged)
  const rejected = await scene.market.act(bounty, 'reject', scene.project.founder, { review_notes: 'No.' })
  expect(rejected.status, JSON.stringify(rejected.body)).toBe(200)
  const submission = await readRow(scene.market.db, 'submissions', { bounty_id: bounty.id })
  expect(submission).toMatchObject({ status: 'rejected', accepted_by: null })
})
