import { beforeEach, expect, test } from 'vitest'
import { beatHeart } from '../../support/deadlines.ts'
import { expectError } from '../../support/errors.ts'
import { setRows } from '../../support/stored.ts'
import { createRuledScene } from './ruled-scene.ts'

/* The founder says no before its silence pays, and the code host is away. */
const scene = await createRuledScene()
const { db, host, post, running, seen, payments, submissionOf, endWindow, isDone } = scene
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
