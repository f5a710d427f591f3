import { afterAll, beforeAll, describe, test } from 'vitest'
import { sharedPostgres } from '../support/shared/shared.ts'
import { expectNothingWrong } from './expect-nothing-wrong.ts'
import type { Directed } from './schedules/helpers.ts'
import { runDirected } from './schedules/run.ts'
import { openStage } from './support/stage.ts'

/** Declares a test for each of these schedules, below the titles of their groups. */
export function testDirected(groups: Record<string, Directed[]>): void {
  let stage: Awaited<ReturnType<typeof openStage>>
  beforeAll(async () => {
    stage = await openStage(await sharedPostgres())
  }, 120_000)
  afterAll(() => stage.close())

  describe.each(Object.entries(groups))('%s', (_, schedules) => {
    for (const schedule of schedules)
      test(schedule.name, { timeout: 240_000 }, async () => {
        await expectNothingWrong(schedule.name, await runDirected(stage, schedule))
      })
  })
}

/**
 * Declares a test for each of these crash points.
 * @param work what is interrupted, and how often it happens all the same: `['a payout', 'paid once']`
 */
export function testCrashes(
  [work, outcome]: [string, string],
  { killed, stopped, accepted = [] }: Record<'killed' | 'stopped', Directed[]> & { accepted?: Directed[] },
): void {
  testDirected({
    ...(accepted.length > 0 && {
      [`${work} of what was merged before it was submitted, its process killed: ${outcome}`]: accepted,
    }),
    [`${work} whose process is killed is taken up by the next: ${outcome}`]: killed,
    [`${work} whose process is stopped is done by another, and it goes on: ${outcome}`]: stopped,
  })
}
