import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectNothingWrong } from '../faults/expect-nothing-wrong.ts'
import { leaderKilled, leaderPaused, postgresKilled } from './schedules/faults.ts'
import { asynchronousCluster, expectedAlarms, playLoss } from './schedules/losses.ts'
import type { Round } from './schedules/rounds.ts'
import { type ClusterWorld, openClusterWorld } from './support/deployment.ts'
import { longestBackMs } from './support/measures.ts'

let on: ClusterWorld
beforeAll(async () => {
  on = await openClusterWorld(asynchronousCluster)
}, 240_000)
afterAll(() => on?.close(), 60_000)

/** What the fall-back has lost is found within this time, in ms. */
const longestFoundMs = 60_000

const rounds: [string, Round][] = [
  ["the leader's Postgres is killed after bytes were sent", { fault: postgresKilled, step: 'attempt sent' }],
  ['the leader is killed after an outcome is stored', { fault: leaderKilled, step: 'outcome stored' }],
  ['the leader is paused after a nonce is stored', { fault: leaderPaused, step: 'attempt stored' }],
]

test.each(rounds)(
  '%s, and what it had not replicated is lost: found within a minute, nobody is paid twice',
  { timeout: 300_000 },
  async (name, round) => {
    const result = await playLoss(on.world, on.cluster, round)
    const { problems, losses, truncations, alarms, foundMs, backMs, ended } = result
    console.log(name, { losses: losses.length, truncations, alarms, foundMs, backMs })
    await expectNothingWrong(name, { ...result, problems })
    expect(losses.length, 'acknowledged writes were really lost').toBeGreaterThan(0)
    expect(truncations, 'the reader of the log was notified once').toBe(1)
    expect(alarms).toEqual(expect.arrayContaining(expectedAlarms))
    expect(ended, 'processes that ended').toBe(0)
    expect(foundMs).toBeLessThan(longestFoundMs)
    expect(backMs).toBeLessThan(longestBackMs)
  },
)
