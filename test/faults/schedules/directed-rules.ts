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
      pulls.move(work, 'foreign')
      await pulls.report(work)
      await looked(environment, 'waiting')
      await delay(windowMs)
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

/** Waits until a look has found this, or the work is paid, which the oracle compares with what was shown. */
function looked({ db, fixture }: Environment, state: string): Promise<void> {
  const { id } = fixture.ruled[0]!
  return until(`a look finds the rule ${state}`, async () => {
    const { status, acceptance_seen } = await db
      .selectFrom('submissions')
      .where('id', '=', id)
      .select(['status', 'acceptance_seen'])
      .executeTakeFirstOrThrow()
    return status !== 'pending' || (acceptance_seen as { state: string } | null)?.state === state
  })
}
