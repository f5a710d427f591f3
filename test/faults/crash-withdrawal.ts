import { afterAll, beforeAll, describe, inject, test } from 'vitest'
import { expectNothingWrong } from './expect-nothing-wrong.ts'
import { withdrawalsKilled, withdrawalsStopped } from './schedules/crashes.ts'
import type { Directed } from './schedules/helpers.ts'
import { runDirected } from './schedules/run.ts'
import { openWorld } from './support/world.ts'

/** Declares the schedules in which a process crashes during a withdrawal, as far as `isWanted`. */
export function testCrashedWithdrawals(isWanted: (schedule: Directed) => boolean): void {
  let world: Awaited<ReturnType<typeof openWorld>>
  beforeAll(async () => {
    world = await openWorld(inject('postgresUrl'))
  }, 120_000)
  afterAll(() => world.close())

  const run = (schedule: Directed) =>
    test(schedule.name, { timeout: 240_000 }, async () => {
      await expectNothingWrong(schedule.name, await runDirected(world, schedule))
    })

  describe('a withdrawal whose process is killed is taken up by the next: made once', () => {
    for (const schedule of withdrawalsKilled.filter(isWanted)) run(schedule)
  })

  describe('a withdrawal whose process is stopped is done by another, and it goes on: made once', () => {
    for (const schedule of withdrawalsStopped.filter(isWanted)) run(schedule)
  })
}
