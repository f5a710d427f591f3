import { afterAll, beforeAll, inject, test } from 'vitest'
import { expectNothingWrong } from './expect-nothing-wrong.ts'
import { runSchedule } from './schedules/run.ts'
import { quickSeed } from './schedules/seeds.ts'
import { openWorld } from './support/world.ts'

let world: Awaited<ReturnType<typeof openWorld>>
beforeAll(async () => {
  world = await openWorld(inject('postgresUrl'))
}, 120_000)
afterAll(() => world.close())

test('a random schedule: each reward is paid once and nothing is left open', {
  timeout: 240_000,
}, async () => {
  await expectNothingWrong(`seed ${quickSeed}`, await runSchedule(world, quickSeed))
})
