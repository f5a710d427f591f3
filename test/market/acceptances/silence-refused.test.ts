import { beforeEach, expect, test } from 'vitest'
import { beatHeart } from '../../support/deadlines.ts'
import { expectError } from '../../support/errors.ts'
import { setRows } from '../../support/stored.ts'
import { createRuledScene } from './ruled-scene.ts'
import { author, naming } from './support.ts'

/* The founder says no before its silence pays, and the code host is away, lags, or wants no more requests. */
const scene = await createRuledScene()
const { db, host, market, post, report, running, seen, payments, submissionOf, endWindow, isDone } = scene
beforeEach(async () => {
  scene.reset()
  await beatHeart(db)
})
const away = () => ({ status: 503, body: { message: 'Service Unavailable' } })
const hour = 3_600_000

test.each(['reject', 'request-changes'])(
  '502 repository_unreachable to %s: the silence that it breaks pays an hour later at the earliest, and the next one is heard',
  async (verb) => {
    const { bounty, stop } = await running()
    await stop()
    await setRows(
      db,
      'submissions',
      { id: bounty.submissionId },
      { accepts_at: new Date(Date.now() + 60_000) },
    )
    host.respond = away
    const said = () => post(`/api/bounties/${bounty.id}/${verb}`, bounty.founder.key, { review_notes: 'No.' })
    const before = Date.now()
    expectError(await said(), 'repository_unreachable')
    expect(Number((await seen(bounty)).accepts_at)).toBeGreaterThanOrEqual(before + hour)
    scene.reset()
    const { submissionId } = bounty
    scene.start()
    await scene.looks(bounty)
    expect((await submissionOf(bounty)).status).toBe('pending')
    expect((await said()).status).toBe(200)
    expect((await payments({ ...bounty, submissionId })).paid).toBe(0)
  },
)

test('a no that comes when the time of silence is over puts nothing off', async () => {
  const { bounty, stop } = await running()
  await stop()
  const over = new Date(Date.now() - 1000)
  await setRows(db, 'submissions', { id: bounty.submissionId }, { accepts_at: over })
  host.respond = away
  const said = await post(`/api/bounties/${bounty.id}/reject`, bounty.founder.key, { review_notes: 'No.' })
  expectError(said, 'repository_unreachable')
  expect((await seen(bounty)).accepts_at).toEqual(over)
  scene.reset()
  scene.start()
  await endWindow(bounty)
  await scene.looks(bounty, 1)
  await expect.poll(() => isDone(bounty), { timeout: 60_000 }).toBe(true)
})

/** A window that ends in a minute, in which nothing looks at the host. */
async function ending() {
  const { bounty, stop } = await running()
  await stop()
  const accepts_at = new Date(Date.now() + 60_000)
  await setRows(db, 'submissions', { id: bounty.submissionId }, { accepts_at })
  const no = () => post(`/api/bounties/${bounty.id}/reject`, bounty.founder.key, { review_notes: 'No.' })
  const left = async () => Number((await seen(bounty)).accepts_at) - Date.now()
  return { bounty, no, left }
}

test('a no is kept back while the host lists a merge that it does not show: the silence pays an hour later', async () => {
  const { bounty, no, left } = await ending()
  const other = await market.pullRequest(bounty.project, `${naming(bounty)}-2`)
  const merge = { merged: true, state: 'closed', merged_by: author, merge_commit_sha: 'c'.repeat(40) }
  report(other, { user: author, ...merge })
  const path = new URL(other).pathname.replace('/pull/', '/pulls/')
  host.respond = async (request) => {
    if (!request.path.endsWith(path)) return scene.respond(request)
    const { authorization = '' } = request.headers
    const shown = await fetch(market.github.apiUrl + request.path, { headers: { authorization } })
    return { status: 200, body: await shown.json() }
  }
  expectError(await no(), 'repository_unreachable')
  expect(Math.abs((await left()) - hour)).toBeLessThan(30_000)
})

test("a no beyond the founder's share of the quota puts the silence off until it can be said", async () => {
  const { no, left } = await ending()
  const reset = `${Math.ceil(Date.now() / 1000) + 1800}`
  const quota = { limit: '80', remaining: '79', reset, resource: 'core' }
  host.headers = Object.fromEntries(Object.entries(quota).map(([name, is]) => [`x-ratelimit-${name}`, is]))
  await scene.served.services.repositories?.repositoryIdAt({ owner: 'any', repository: 'any' })
  expectError(await no(), 'rate_limited')
  expect(Math.abs((await left()) - hour)).toBeLessThan(30_000)
  host.headers = {}
})
