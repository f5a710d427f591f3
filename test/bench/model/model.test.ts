import { expect, test } from 'vitest'
import { createRandom } from '../seeding/random.ts'
import { simulateDay } from './day.ts'
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

test('a day has as many steps as its rates say, and more machines make nothing slower', () => {
  const profile = readProfile(['hours=24', 'peak=2', 'blockSeconds=1'])
  const cost = { ...nothing, nodeMicros: 4e5, count: 1, latencyMs: 0, inserts: {} }
  const data = { steps: { claim: cost }, idle: nothing, lane: noLane, bytesPerRow: {} }
  const writes = {
    register: 0,
    createProject: 0,
    activate: 0,
    createBounty: 0,
    claim: 4,
    submit: 0,
    approve: 0,
  }
  const rates = {
    writes: { ...writes, reject: 0, merge: 0, withdraw: 0, delivery: 0 },
    news: 0,
    readings: 0,
    pollTasks: 0,
  }
  const peak = { ...rates, pollBounty: 0, pollList: 0, waitsInVain: 0, held: 0, heldUnfiltered: 0, events: 0 }
  const day = (servers: number) =>
    simulateDay({
      profile,
      data,
      peak,
      machines: { servers, postgresCores: 1, operatorKeys: 1, hostApps: 1 },
    })
  const [few, many] = [day(2), day(8)]
  const p95 = (sorted: number[]) => sorted[Math.floor(sorted.length * 0.95)] ?? 0
  expect(Math.abs(few.steps / (2 * 86_400) - 1)).toBeLessThan(0.02)
  expect(p95(many.responses.claim)).toBeLessThan(p95(few.responses.claim))
})
