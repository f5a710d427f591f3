import { expect, test } from 'vitest'
import { createFlood, type Write } from './flood.ts'

const atOnce = 20
/** Those served and those that wait. */
const capacity = atOnce * 3
const clients = capacity * 3

test('at three times its capacity the service responds to health, sheds with 503, and neither loses nor doubles anything', async () => {
  const flood = await createFlood({ MAX_REQUESTS_IN_FLIGHT: String(atOnce) })
  await flood.service.ready()
  const keys = await flood.keys(20)
  const answers: Write[] = []
  let accepted = 0
  const health: number[] = []
  let over = false

  const load = Array.from({ length: clients }, async (_, nth) => {
    while (!over) {
      const answer = await flood.write(flood.newWrite(keys[nth % keys.length] as string))
      answers.push(answer)
      if (answer.status === 201) accepted++
      over ||= accepted >= 3 * capacity && answers.length - accepted >= capacity && health.length >= 6
    }
  })
  const watch = (async () => {
    while (!over)
      for (const url of [`${flood.baseUrl}/healthz`, `${flood.baseUrl}/readyz`, flood.metricsUrl])
        health.push((await fetch(url)).status)
  })()
  await Promise.all([watch, ...load])
  // Whatever was accepted has its answer by now, so that nothing is in the way of the next write.
  const next = flood.newWrite(keys[0] as string)
  expect((await flood.write(next)).status).toBe(201)

  expect(new Set(health)).toEqual(new Set([200]))
  const shed = answers.filter(({ status }) => status !== 201)
  expect(new Set(shed.map(({ status, retryAfter }) => `${status}, ${retryAfter}`))).toEqual(
    new Set(['503, 1']),
  )
  expect(new Set(shed.map(({ body }) => JSON.parse(body).error.code))).toEqual(new Set(['overloaded']))
  const done = answers.filter(({ status }) => status === 201).map(({ name }) => name)
  expect(await flood.names()).toEqual([...done, next.name].sort())
  expect(await shedCount(flood.metricsUrl)).toBe(shed.length)

  const repeated: Write[] = []
  for (const write of shed.slice(0, capacity)) repeated.push(await flood.write(write))
  expect(new Set(repeated.map(({ status }) => status))).toEqual(new Set([201]))
  expect(await flood.names()).toEqual([...done, next.name, ...repeated.map(({ name }) => name)].sort())
}, 120_000)

async function shedCount(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text()
  const samples = [...text.matchAll(/^bounty_requests_shed_total\{.*\} (\d+)$/gm)]
  return samples.reduce((sum, [, count]) => sum + Number(count), 0)
}
