import { afterAll, beforeAll, describe, inject, test } from 'vitest'
import { expectNothingWrong } from './expect-nothing-wrong.ts'
import { deploysKilled, deploysStopped } from './schedules/crashes.ts'
import { runDirected } from './schedules/run.ts'
import { openWorld } from './support/world.ts'

let world: Awaited<ReturnType<typeof openWorld>>
beforeAll(async () => {
  world = await openWorld(inject('postgresUrl'))
}, 120_000)
afterAll(() => world.close())

describe('an activation whose process is killed is taken up by the next: one repository and one token', () => {
  for (const schedule of deploysKilled)
    test(schedule.name, { timeout: 240_000 }, async () => {
      await expectNothingWrong(schedule.name, await runDirected(world, schedule))
    })
})

describe('an activation whose process is stopped is done by another, and it goes on: one repository and one token', () => {
  for (const schedule of deploysStopped)
    test(schedule.name, { timeout: 240_000 }, async () => {
      await expectNothingWrong(schedule.name, await runDirected(world, schedule))
    })
})
