import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectNothingWrong } from '../faults/expect-nothing-wrong.ts'
import {
  type Fault,
  leaderCutOff,
  leaderCutOffAlone,
  leaderKilled,
  leaderPaused,
  leaderPausedAsLeader,
  postgresKilled,
  switchedOver,
} from './support/faults.ts'
import { signal } from './support/processes.ts'
import { type ClusterStage, openClusterStage, playBesideClients, playRounds } from './support/rounds.ts'

const outcome =
  'nothing acknowledged is lost, everything is paid once, and writes are back within five seconds'

/** At which steps of a payout or an activation each fault strikes. Each step between two effects of a payout is met. */
const rounds: { fault: Fault; steps: string[] }[] = [
  { fault: leaderKilled, steps: ['attempt sent', 'outcome stored'] },
  { fault: postgresKilled, steps: ['attempt stored', 'receipt seen', 'repository created'] },
  { fault: leaderPaused, steps: ['attempt stored'] },
  { fault: leaderPausedAsLeader, steps: ['attempt sent'] },
  { fault: switchedOver, steps: ['attempt signed', 'deploy queued'] },
  { fault: leaderCutOff, steps: ['receipt seen'] },
  { fault: leaderCutOffAlone, steps: ['attempt stored'] },
]

describe('a cluster whose commits wait for a standby', () => {
  let on: ClusterStage
  beforeAll(async () => {
    on = await openClusterStage()
  }, 240_000)
  afterAll(() => on?.close(), 60_000)

  test.for(rounds)(`$fault.name: ${outcome}`, { timeout: 600_000 }, async ({ fault, steps }) => {
    const result = await playRounds(
      on,
      steps.map((step) => ({ fault, step })),
    )
    console.log(fault.name, `${result.acknowledged} writes acknowledged`)
    expect(result.noticed).toEqual([])
    await expectNothingWrong(fault.name, result)
  })
})

test('the clients notice what a cluster loses whose commits wait for no standby', {
  timeout: 300_000,
}, async () => {
  const patroni = { maximum_lag_on_failover: 2 ** 30 }
  const on = await openClusterStage({ synchronous: false, patroni })
  try {
    const { noticed } = await playBesideClients(on, [], async (_, clients) => {
      await stopReplication(await on.cluster.untilLeader().then(({ url }) => url))
      await delay(3000)
      const struck = await postgresKilled.strike(on.cluster)
      await clients.untilAcknowledged(await struck.over)
      return struck.repair()
    })
    expect(noticed).toContainEqual(expect.stringMatching(/bounty \w+ was \w+ and is read/))
    expect(noticed).toContainEqual(expect.stringMatching(/a repeated write to .* got a new/))
  } finally {
    await on.close()
  }
})

/** Stops what sends the leader's log to the standbys: what is committed from now on is lost with the leader. */
async function stopReplication(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_replication')
  await client.end()
  for (const { pid } of rows) signal(pid, 'SIGSTOP')
}
