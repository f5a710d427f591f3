import { expect, test } from 'vitest'
import { createRandom } from '../seeding/random.ts'
import { simulateDay } from './day.ts'
import type { Rates } from './demand.ts'
import { Budget, nextArrival, type Process, Simulation, Station } from './kernel.ts'
import { laneLoad, measuredDepths, secondsUnderWay, shareOfTime } from './lanes.ts'
import { besideLane } from './measure-lanes.ts'
import { type Amounts, amountNames, type Usage } from './meter.ts'
import { readProfile } from './profile.ts'
import { noLane, nothing } from './session.ts'

test('events run in the order of their time, whatever the order in which they were made', () => {
  const random = createRandom(3)
  const simulation = new Simulation()
  const ran: number[] = []
  const times = Array.from({ length: 1000 }, () => random.next() * 100)
  for (const time of times) simulation.at(time, () => ran.push(time))
  simulation.run(50)
  expect(ran).toEqual(times.filter((time) => time <= 50).toSorted((a, b) => a - b))
})

test('a queue of random arrivals at one place waits as long as theory says', () => {
  const random = createRandom(5)
  const simulation = new Simulation()
  const station = new Station(simulation, 1)
  // Eight arrivals a second, ten served a second: 0.8 / (10 - 8) seconds of waiting.
  const arrive = () => {
    simulation.at(simulation.now + nextArrival(random, 8), arrive)
    simulation.start(station.use(nextArrival(random, 10)))
  }
  arrive()
  simulation.run(50_000)
  const mean = station.waits.reduce((sum, { seconds }) => sum + seconds, 0) / station.waits.length
  expect(mean).toBeGreaterThan(0.37)
  expect(mean).toBeLessThan(0.43)
})

test('a budget gives what it holds at once and the rest at its pace', () => {
  const simulation = new Simulation()
  const budget = new Budget(simulation, 1, 10)
  const times: number[] = []
  function* taker(): Process {
    yield budget.take(5)
    times.push(simulation.now)
  }
  for (let taken = 0; taken < 4; taken++) simulation.start(taker())
  simulation.run(100)
  expect(times).toEqual([0, 0, 5, 10])
})

test('a lane asks for blocks as often as one that is played block by block', () => {
  const random = createRandom(7)
  const depths = { blockSeconds: 2, confirmations: 1, finalityBlocks: 64 }
  const [perSecond, lasted] = [0.65, 400]
  const rounds = 200
  let checks = 0
  for (let round = 0; round < rounds; round++) {
    const used: number[] = []
    let next = nextArrival(random, perSecond)
    for (let block = 1; block * depths.blockSeconds <= lasted; block++) {
      checks += used.filter((earlier) => block - earlier < depths.finalityBlocks).length
      const end = block * depths.blockSeconds
      if (next < end) used.push(block)
      while (next < end) next += nextArrival(random, perSecond)
    }
  }
  const load = laneLoad(perSecond, 1, depths, lasted)
  expect(Math.abs((load.checks * lasted * rounds) / checks - 1)).toBeLessThan(0.02)
})

test('a transaction costs what neither the process nor its lane would have used without it', () => {
  const all = (value: number) =>
    Object.fromEntries(amountNames.map((name) => [name, value])) as unknown as Amounts
  const lane = { watching: all(7), underWay: all(5), check: all(2) }
  const [seconds, count, checks] = [100, 80, 900]
  const underWay = shareOfTime(count / seconds, secondsUnderWay(measuredDepths))
  const usage: Usage = { seconds, ...all(seconds * (1 + 7 + 5 * underWay) + checks * 2 + count * 3) }
  expect(besideLane(usage, count, checks, { idle: all(1), lane }).statements).toBeCloseTo(3)
})

const nobody = {
  register: 0,
  createProject: 0,
  activate: 0,
  createBounty: 0,
  claim: 0,
  submit: 0,
  approve: 0,
}
const machines = { servers: 1, postgresCores: 1, operatorKeys: 1, hostApps: 1 }

/** A peak in which nothing happens but claims. */
function claimsOnly(claim: number): Rates {
  const writes = { ...nobody, reject: 0, merge: 0, withdraw: 0, delivery: 0, claim }
  const polls = { pollTasks: 0, pollBounty: 0, pollList: 0, readings: 0, news: 0 }
  return { writes, ...polls, waitsInVain: 0, held: 0, heldUnfiltered: 0, events: 0 }
}

const claimCosts = (cost: Partial<Amounts>) => ({
  claim: { ...nothing, count: 1, latencyMs: 0, inserts: {}, ...cost },
})

test('a day has as many steps as its rates say, and more machines make nothing slower', () => {
  const profile = readProfile(['hours=24', 'peak=2', 'blockSeconds=1'])
  const data = { steps: claimCosts({ nodeMicros: 4e5 }), idle: nothing, lane: noLane, bytesPerRow: {} }
  const day = (servers: number) =>
    simulateDay({ profile, data, peak: claimsOnly(4), machines: { ...machines, servers } })
  const [few, many] = [day(2), day(8)]
  const p95 = (sorted: number[]) => sorted[Math.floor(sorted.length * 0.95)] ?? 0
  expect(Math.abs(few.steps / (2 * 86_400) - 1)).toBeLessThan(0.02)
  expect(p95(many.responses.claim)).toBeLessThan(p95(few.responses.claim))
})

test('what else goes on makes processors slower, both together where they are one core, and nothing besides', () => {
  const profile = readProfile(['hours=24', 'peak=1'])
  const steps = claimCosts({ nodeMicros: 20_000, postgresMicros: 10_000 })
  const idle = { ...nothing, nodeMicros: 3e5, postgresMicros: 2e5 }
  const data = { steps, idle, lane: noLane, bytesPerRow: {} }
  const median = (sharedCore: boolean) => {
    const day = { profile, data, peak: claimsOnly(0.01), machines: { ...machines, sharedCore } }
    const { claim } = simulateDay({ ...day, restMs: { claim: 5 } }).responses
    return 1000 * (claim[claim.length >> 1] ?? 0)
  }
  expect(median(false)).toBeCloseTo(20 / 0.7 + 10 / 0.8 + 5)
  expect(median(true)).toBeCloseTo((20 + 10) / 0.5 + 5)
})
