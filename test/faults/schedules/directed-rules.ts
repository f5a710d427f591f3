import { setTimeout as delay } from 'node:timers/promises'
import type { Environment } from '../support/environment.ts'
import { windowMs } from '../support/oracle/rules.ts'
import { type Directed, until } from './helpers.ts'

/** What code hosts and clocks can do to a payment by the founder's silence. */
export const ofRules: Directed[] = [
  {
    name: "a check is green by another account, is reported again within its window, and turns red unseen: the next green is paid after the rule's whole time",
    options: { databaseLoops: true },
    async act({ environment }) {
      const { pulls, fixture } = environment
      const work = fixture.ruled[0]!
      pulls.move(work, 'commit')
      pulls.move(work, 'foreign')
      await pulls.report(work)
      await looked(environment, 'waiting')
      pulls.move(work, 'green')
      await pulls.report(work)
      await looked(environment, 'running')
      await pulls.report(work)
      await delay(windowMs / 4)
      pulls.move(work, 'red')
      await looked(environment, 'stopped')
      pulls.move(work, 'green')
      await pulls.report(work)
    },
  },
]

/** Waits until a look at the newest commit has found this, or the work is paid, which the oracle compares with what was shown. */
function looked({ db, fixture, pulls }: Environment, state: string): Promise<void> {
  const work = fixture.ruled[0]!
  return until(`a look finds the rule ${state}`, async () => {
    const { status, acceptance_seen } = await db
      .selectFrom('submissions')
      .where('id', '=', work.id)
      .select(['status', 'acceptance_seen'])
      .executeTakeFirstOrThrow()
    const seen = acceptance_seen as { state: string; head_sha: string } | null
    const isNewest = seen?.head_sha === pulls.shownOf(work).at(-1)?.sha
    return status !== 'pending' || (isNewest && seen?.state === state)
  })
}
