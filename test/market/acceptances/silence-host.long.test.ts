import { beforeEach, expect, test } from 'vitest'
import { createRuledScene } from './ruled-scene.ts'

/* Each is asked again and again for seconds. */
const scene = await createRuledScene()
const { payments, eventsOf, reject, shown, running, endWindow, looks } = scene
beforeEach(scene.reset)

const lies: [string, () => void][] = [
  [
    'that responds 500',
    () => {
      shown.instead['check-runs'] = () => ({ status: 500, body: { message: 'Server Error' } })
    },
  ],
  [
    'that breaks the connection',
    () => {
      shown.instead.compare = () => 'lost'
    },
  ],
]

test.each(lies)('a host %s never pays, and ends no window', async (_, lie) => {
  const { bounty, stop } = await running()
  lie()
  await endWindow(bounty)
  await looks(bounty)
  await stop()
  expect(await payments(bounty)).toEqual({ commits: [], paid: 0 })
  expect(await eventsOf(bounty, 'acceptance.stopped')).toEqual([])
  expect((await reject(bounty)).status).toBe(200)
})
