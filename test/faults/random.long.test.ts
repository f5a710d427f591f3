import { afterAll, beforeAll, test } from 'vitest'
import { sharedPostgres } from '../support/shared/shared.ts'
import { expectNothingWrong } from './expect-nothing-wrong.ts'
import { runSchedule } from './schedules/run.ts'
import { openStage } from './support/stage.ts'

/** `FAULT_SEEDS=1-1000` plays the schedules of these seeds. The one without it ends with a database that falls back. */
const [first = 0, last = first] = (process.env.FAULT_SEEDS ?? '32').split('-').map(Number)

let stage: Awaited<ReturnType<typeof openStage>>
beforeAll(async () => {
  stage = await openStage(await sharedPostgres())
}, 120_000)
afterAll(() => stage.close())

test.each(Array.from({ length: last - first + 1 }, (_, index) => first + index))(
  'the random schedule of seed %i: each reward is paid once and nothing is left open',
  { timeout: 240_000 },
  async (seed) => expectNothingWrong(`seed ${seed}`, await runSchedule(stage, seed)),
)
