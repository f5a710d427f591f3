import { afterAll, beforeAll, inject, test } from 'vitest'
import { expectNothingWrong } from './expect-nothing-wrong.ts'
import { runSchedule } from './schedules/run.ts'
import { openWorld } from './support/world.ts'

/** One test a seed; `npm run test:faults -- --seeds 17-17` plays one again. */
export function playSeeds(from: number, to: number): void {
  let world: Awaited<ReturnType<typeof openWorld>>
  beforeAll(async () => {
    world = await openWorld(inject('postgresUrl'))
  }, 120_000)
  afterAll(() => world.close())

  const seeds = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  test.each(seeds)(
    'schedule %i: each reward is paid once and nothing is left open',
    {
      timeout: 240_000,
    },
    async (seed) => {
      await expectNothingWrong(`seed ${seed}`, await runSchedule(world, seed))
    },
  )
}
