import { afterAll, beforeAll, describe, inject, test } from 'vitest'
import { expectNothingWrong } from './expect-nothing-wrong.ts'
import { quickWithdrawals } from './schedules/crashes.ts'
import { runDirected } from './schedules/run.ts'
import { openWorld } from './support/world.ts'

let world: Awaited<ReturnType<typeof openWorld>>
beforeAll(async () => {
  world = await openWorld(inject('postgresUrl'))
}, 120_000)
afterAll(() => world.close())

describe('a withdrawal whose process is killed is taken up by the next: made once', () => {
  for (const schedule of quickWithdrawals.killed)
    test(schedule.name, { timeout: 240_000 }, async () => {
      await expectNothingWrong(schedule.name, await runDirected(world, schedule))
    })
})

describe('a withdrawal whose process is stopped is done by another, and it goes on: made once', () => {
  for (const schedule of quickWithdrawals.stopped)
    test(schedule.name, { timeout: 240_000 }, async () => {
      await expectNothingWrong(schedule.name, await runDirected(world, schedule))
    })
})
