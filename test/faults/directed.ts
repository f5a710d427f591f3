import { afterAll, beforeAll, inject, test } from 'vitest'
import { expectNothingWrong } from './expect-nothing-wrong.ts'
import type { Directed } from './schedules/helpers.ts'
import { runDirected } from './schedules/run.ts'
import { openWorld } from './support/world.ts'

/** Declares a test for each of these schedules. */
export function testDirected(schedules: Directed[]): void {
  let world: Awaited<ReturnType<typeof openWorld>>
  beforeAll(async () => {
    world = await openWorld(inject('postgresUrl'))
  }, 120_000)
  afterAll(() => world.close())

  for (const schedule of schedules)
    test(schedule.name, { timeout: 240_000 }, async () => {
      await expectNothingWrong(schedule.name, await runDirected(world, schedule))
    })
}
