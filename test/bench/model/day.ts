import { defaultTiming } from '../../../server/engines/timing.ts'
import { createRandom, type Random } from '../seeding/random.ts'
import { demandOf, type Rates, type Setup, totalOf, type WriteName, writeNames } from './demand.ts'
import { Budget, nextArrival, type Process, Simulation, Station } from './kernel.ts'
import type { Amounts } from './meter.ts'
import type { Profile } from './profile.ts'
import type { StepCost, StepsData } from './session.ts'

/** Transactions of one operator key that may be unmined at a time. */
const inFlight = 16
/** Content-creating requests to the host count as so many points, others as one. */
const pointsOfWrite = 5

/** Most of a processor or budget that the background may take: more would be a queue without end. */
const mostBackground = 0.98

/** What the simulated service runs on. */
export interface Machines {
  /** Whether the one server and the one core of Postgres are the same core. */
  sharedCore?: boolean
  servers: number
  postgresCores: number
  operatorKeys: number
  /** GitHub Apps, each installed in an organization with its part of the projects. */
  hostApps: number
}

/** Waiting and response times of the busiest hour, in seconds, sorted. */
export interface DayResult {
  stations: Record<string, number[]>
  responses: Record<WriteName, number[]>
  /** Steps that were simulated. */
  steps: number
  /** Share of the processors that polls and readings take at the peak; they are no events of their own. */
  background: { node: number; postgres: number }
}

interface World {
  simulation: Simulation
  random: Random
  profile: Profile
  restMs: Partial<Record<WriteName, number>>
  /** How often another process holds the lane than the one that serves the request. */
  others: number
  stations: {
    'server processor': Station
    'database connection': Station
    'Postgres processor': Station
    'operator key': Station
    'host, requests an hour': Budget
    'host, points a minute': Budget
    'host, writes a minute': Budget
    'host, writes an hour': Budget
    'host, a write a second and process': Budget
  }
  /** By how much the background slows a processor at a time. */
  stretch(time: number): { node: number; postgres: number }
}

/** Share of the peak's load at a time of the day, in seconds. */
export function curveAt(time: number, { peak, peakHour }: Profile): number {
  const hour = (time / 3600) % 24
  return (1 + (peak - 1) * Math.cos(((hour - peakHour) * Math.PI) / 12)) / peak
}

/**
 * Simulates a day: steps that write are events of their own. Polls and readings are millions, each of them short, so they
 * only take their share of the processors, which makes everything else slower.
 */
export function simulateDay({
  profile,
  data,
  peak,
  machines,
  restMs = {},
  lasted,
}: {
  profile: Profile
  data: StepsData
  peak: Rates
  machines: Machines
  /** Where it was measured: how long a step takes besides processors and blocks. Else the profile's latencies count. */
  restMs?: Partial<Record<WriteName, number>>
  /** Seconds for which the rates have lasted; default: for ever. */
  lasted?: number
}): DayResult {
  const random = createRandom(profile.seed)
  const simulation = new Simulation()
  const { servers, operatorKeys: lanes } = machines
  const used = backgroundOf(peak, data, { servers, lanes, depths: profile, ...(lasted && { lasted }) })
  const background = backgroundShares(used, machines)
  const world: World = {
    ...{ simulation, random, profile, restMs },
    others: 1 - 1 / servers,
    stations: openStations(simulation, profile, machines, used),
    stretch(time) {
      const share = curveAt(time, profile)
      return { node: 1 / (1 - background.node * share), postgres: 1 / (1 - background.postgres * share) }
    },
  }
  const end = profile.hours * 3600
  const from = Math.max(0, Math.min(profile.peakHour * 3600 - 1800, end - 3600))
  const responses = Object.fromEntries(
    writeNames.map((name) => [name, [] as number[]]),
  ) as DayResult['responses']
  let steps = 0
  for (const name of writeNames) {
    const cost = data.steps[name]
    const perSecond = peak.writes[name]
    if (!cost || perSecond === 0) continue
    const arrive = () => {
      simulation.at(simulation.now + nextArrival(random, perSecond), arrive)
      // Thinning: arrivals at the peak's rate, of which the curve keeps a share.
      if (random.next() > curveAt(simulation.now, profile)) return
      steps++
      simulation.start(stepOf(world, name, cost, keep(simulation, responses[name], from)))
    }
    arrive()
  }
  simulation.run(end)
  const stations = Object.fromEntries(
    Object.entries(world.stations).map(([name, { waits }]) => [
      name,
      sorted(waits.filter(({ at }) => at >= from && at < from + 3600).map(({ seconds }) => seconds)),
    ]),
  )
  for (const name of writeNames) responses[name] = sorted(responses[name])
  return { stations, responses, steps, background }
}

const sorted = (values: number[]) => values.toSorted((a, b) => a - b)

/** Keeps the response times of steps that begin in the hour after `from`. */
function keep({ now: begun }: Simulation, times: number[], from: number) {
  return (now: number) => {
    if (begun >= from && begun < from + 3600) times.push(now - begun)
  }
}

/** What is no event of its own uses in a second of the busiest hour: polls, readings, idle processes. */
function backgroundOf(peak: Rates, data: StepsData, setup: Setup): Amounts {
  const own = new Set<string>(writeNames)
  return totalOf(demandOf(peak, data, setup).filter(({ name }) => !own.has(name)))
}

function backgroundShares({ nodeMicros, postgresMicros }: Amounts, machines: Machines) {
  const most = (micros: number, cores: number) => Math.min(mostBackground, micros / 1e6 / cores)
  const both = most(nodeMicros + postgresMicros, 1)
  return machines.sharedCore
    ? { node: both, postgres: both }
    : { node: most(nodeMicros, machines.servers), postgres: most(postgresMicros, machines.postgresCores) }
}

function openStations(
  simulation: Simulation,
  profile: Profile,
  { servers, postgresCores, operatorKeys, hostApps, sharedCore }: Machines,
  background: Amounts,
): World['stations'] {
  // What readings leave of a budget; never nothing, so that the simulation ends.
  const budget = (perSecond: number, taken: number, seconds: number) =>
    new Budget(simulation, Math.max(perSecond - taken, perSecond * (1 - mostBackground)), perSecond * seconds)
  const { hostReads, hostUnchanged } = background
  const points = hostReads + profile.pointsOfUnchanged * hostUnchanged
  const server = new Station(simulation, servers)
  return {
    'server processor': server,
    'database connection': new Station(simulation, servers * profile.poolSize),
    'Postgres processor': sharedCore ? server : new Station(simulation, postgresCores),
    'operator key': new Station(simulation, operatorKeys * inFlight),
    'host, requests an hour': budget((hostApps * profile.hostRequestsPerHour) / 3600, hostReads, 3600),
    'host, points a minute': budget((hostApps * profile.hostPointsPerMinute) / 60, points, 60),
    'host, writes a minute': budget((hostApps * profile.hostWritesPerMinute) / 60, 0, 60),
    'host, writes an hour': budget((hostApps * profile.hostWritesPerHour) / 3600, 0, 3600),
    'host, a write a second and process': budget(
      servers * profile.hostWritesPerSecond,
      0,
      1 / profile.hostWritesPerSecond,
    ),
  }
}

/** Steps whose transaction goes to the chain. */
export const onChain: readonly WriteName[] = ['activate', 'approve', 'withdraw']

/** One step: half of Node's time, the database, the chain's node and the host, the transaction, the rest of Node's time. */
function* stepOf(world: World, name: WriteName, cost: StepCost, done: (now: number) => void): Process {
  const { simulation, stations, profile, stretch, restMs } = world
  const { node, postgres } = stretch(simulation.now)
  const onServer = (cost.nodeMicros / 1e6) * node
  const measured = restMs[name]
  yield* stations['server processor'].use(onServer / 2)
  const connection = stations['database connection']
  yield connection.enter()
  yield* stations['Postgres processor'].use((cost.postgresMicros / 1e6) * postgres)
  if (measured === undefined)
    yield simulation.delay((cost.statements * profile.statementMs + profile.commitMs) / 1000)
  connection.leave()
  if (measured !== undefined) yield simulation.delay(measured / 1000)
  else {
    if (!onChain.includes(name)) yield simulation.delay((cost.rpcCalls * profile.rpcMs) / 1000)
    yield* hostRequests(world, cost)
  }
  if (onChain.includes(name)) yield* transaction(world, measured === undefined ? profile.rpcMs : 0)
  if (name === 'delivery') yield simulation.delay(profile.receiverMs / 1000)
  yield* stations['server processor'].use(onServer / 2)
  done(simulation.now)
}

function* hostRequests({ simulation, stations, profile }: World, cost: StepCost): Process {
  const counted = cost.hostReads + cost.hostWrites
  if (counted + cost.hostUnchanged === 0) return
  yield stations['host, requests an hour'].take(counted)
  yield stations['host, points a minute'].take(
    cost.hostReads + profile.pointsOfUnchanged * cost.hostUnchanged + pointsOfWrite * cost.hostWrites,
  )
  if (cost.hostWrites > 0) {
    yield stations['host, writes a minute'].take(cost.hostWrites)
    yield stations['host, writes an hour'].take(cost.hostWrites)
    yield stations['host, a write a second and process'].take(cost.hostWrites)
  }
  yield simulation.delay(((counted + cost.hostUnchanged) * profile.hostMs) / 1000)
}

/**
 * Waits for a place at a key, for the lane to notice, for the next block, for the confirmations, for the lane to look, and
 * for the process of the request to notice. A process notices at once what it has done itself.
 */
function* transaction({ simulation, random, stations, profile, others }: World, sendMs: number): Process {
  const notice = () =>
    simulation.delay(random.next() < others ? (defaultTiming.idleMs / 1000) * random.next() : 0)
  yield stations['operator key'].enter()
  yield notice()
  yield simulation.delay(sendMs / 1000 + profile.blockSeconds * random.next())
  stations['operator key'].leave()
  yield simulation.delay(profile.blockSeconds * (profile.confirmations - 1))
  yield simulation.delay((defaultTiming.busyMs / 1000) * random.next())
  yield notice()
}
