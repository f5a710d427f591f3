import { expect, test } from 'vitest'
import { createRandom } from '../../support/random.ts'
import { demandOf, ratesOf } from './demand.ts'
import { laneLoad } from './lanes.ts'
import { readProfile } from './profile.ts'
import { agentsAt, busiestHour, wallsOf } from './walls.ts'

test('a lane asks for blocks as often as one that is played block by block', () => {
  const random = createRandom(7)
  const nextArrival = (perSecond: number) => -Math.log(1 - random.next()) / perSecond
  const depths = { blockSeconds: 2, confirmations: 1, finalityBlocks: 64 }
  const perSecond = 0.65
  const blocks = 100_000
  let checks = 0
  let next = nextArrival(perSecond)
  let used: number[] = []
  for (let block = 1; block <= blocks; block++) {
    used = used.filter((earlier) => block - earlier < depths.finalityBlocks)
    checks += used.length
    const end = block * depths.blockSeconds
    if (next < end) used.push(block)
    while (next < end) next += nextArrival(perSecond)
  }
  const load = laneLoad(perSecond, 1, depths)
  expect(Math.abs((load.checks * blocks * depths.blockSeconds) / checks - 1)).toBeLessThan(0.02)
})

test('the busiest hour has as many requests as its assumptions say', () => {
  const profile = readProfile(['agents=1e6', 'bountiesPerYear=31536000'])
  const rates = ratesOf(profile, profile.peak)
  // 200,000 are awake; half of them ask once a minute, and two in a hundred requests are sent twice.
  expect(rates.steps.pollTasks).toBeCloseTo((100_000 / 60) * 1.02)
  expect(rates.steps.createBounty).toBeCloseTo(2 * 1.02)
  expect(rates.transactions).toBeCloseTo(2 * 1.02 * (0.9 + 0.1 + 1 / 200))
})

test('the servers that are chosen are as many as the target allows, and not one more', () => {
  const profile = readProfile(['waiting=0'])
  const { servers, total, rates, keys } = busiestHour(profile)
  expect(total.nodeMicros / 1e6 / servers).toBeLessThanOrEqual(profile.target)
  const fewer = demandOf(rates, profile, servers - 1, keys)
  const node = fewer.reduce((sum, { used }) => sum + used.nodeMicros, 0)
  expect(node / 1e6 / (servers - 1)).toBeGreaterThan(profile.target)
})

test('a wall stands at the number of agents whose demand is one unit', () => {
  const profile = readProfile(['agents=1e6'])
  const places = wallsOf(profile, busiestHour(profile)).find(({ unit }) => unit === 'held')
  // A fifth of the agents is awake in the busiest hour, and half of those wait.
  expect(places && agentsAt(places, profile)).toBe(5000 / 0.2 / 0.5)
})
