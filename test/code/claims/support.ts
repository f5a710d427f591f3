import { sql } from 'kysely'
import pino from 'pino'
import { beforeEach, onTestFinished } from 'vitest'
import { startClaims } from '../../../server/code/claims/loop.ts'
import { beatHeart } from '../../support/deadlines.ts'
import { createPullRequestMarket } from '../../support/pull-requests.ts'
import { readRow } from '../../support/stored.ts'

/** A market with a project, and the loop that seeks work at a code host that reports what a test wants. */
export async function createClaimsScene() {
  const scene = await createPullRequestMarket()
  const { market, host, served } = scene
  const { db } = market
  const project = await market.activeProject()
  beforeEach(async () => {
    host.respond = () => undefined
    host.requests.length = 0
    await beatHeart(db)
  })
  return {
    ...scene,
    db,
    project,
    claimed: () => market.claimedBounty({ project }),
    rowOf: ({ id }: { id: string }) => readRow(db, 'bounties', { id }),
    /** The proof time of the claim is over. */
    overdue: ({ id }: { id: string }) =>
      sql`update bounties set proof_due_at = now() - interval '1 second', look_at = now() where id = ${id}`.execute(
        db,
      ),
    /** Starts the loop, until the test ends. */
    start() {
      const { repositories } = served.services
      if (!repositories) throw new Error('no code host')
      const timing = { pullRequestsMs: 10 }
      const loop = startClaims({ db, repositories, timing, log: pino({ level: 'silent' }) })
      onTestFinished(() => loop.stop())
    },
  }
}
