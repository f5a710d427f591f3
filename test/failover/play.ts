import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectNothingWrong } from '../faults/expect-nothing-wrong.ts'
import { playRounds, type Round } from './schedules/rounds.ts'
import type { ClusterOptions } from './support/cluster/cluster.ts'
import { type ClusterWorld, openClusterWorld, type Way } from './support/deployment.ts'
import { type Measure, tableOf } from './support/measures.ts'

/** The rounds of each test, by its name. */
export type RoundsByName = Record<string, Round[]>

/** Declares a test for each list of rounds, all on one cluster; prints what was measured. */
export function testRounds(options: ClusterOptions, way: Way, rounds: RoundsByName): void {
  const measures: Measure[] = []
  let clusterWorld: ClusterWorld
  beforeAll(async () => {
    clusterWorld = await openClusterWorld(options, way)
  }, 240_000)
  afterAll(async () => {
    console.log(`Servers find the database through ${way}\n${tableOf(measures)}`)
    await clusterWorld?.close()
  }, 60_000)

  for (const [name, list] of Object.entries(rounds))
    test(name, { timeout: list.length * 90_000 + 120_000 }, async () => {
      const result = await playRounds(clusterWorld.world, clusterWorld.cluster, list)
      measures.push(...result.measures)
      console.log(name, result.figures, result.responses, `${Math.round(result.totalMs / 1000)} s`)
      await expectNothingWrong(name, result)
      expect(result.figures.notModified, 'remembered responses that were compared').toBeGreaterThan(0)
    })
}
