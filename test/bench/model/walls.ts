import { type Amounts, costs } from './costs.ts'
import { demandOf, type Line, type Rates, ratesOf, totalOf } from './demand.ts'
import type { Profile } from './profile.ts'

/** A resource, what the busiest hour asks of it, and what one unit of it gives. */
export interface Wall {
  name: string
  unit: string
  demand: number
  /** What one unit gives. */
  capacity: number
  /** What a unit is, and how to have more. */
  remedy: string
}

/** Deliveries to webhooks that the part `webhooks` has measured, of one process in a second. */
const deliveriesPerSecond = 2263
const inFlight = 16
const pointsOfWrite = 5
/** Cores of the Postgres that GROWTH.md starts with, and a volume's write rate in bytes a second that is for sale anywhere. */
const firstPostgresCores = 4
const volumeBytes = 125e6
/** Pull requests that a process reads at once, and round trips of a reading: the pull request, then its checks. */
const readingsAtOnce = 5
const roundTrips = 2
/** Milliseconds of pause after each key that is hashed for a newcomer. */
const hashRestMs = 8

/** The load of the busiest hour. */
export interface Load {
  rates: Rates
  lines: Line[]
  total: Amounts
  servers: number
  keys: number
}

/** What the busiest hour needs, on as many servers and keys as it takes where the profile does not name them. */
export function busiestHour(profile: Profile): Load {
  const rates = ratesOf(profile, profile.peak)
  const perKey = inFlight / profile.blockSeconds
  const keys = profile.operatorKeys || Math.ceil(rates.transactions / perKey / profile.target)
  let servers = profile.servers || Math.ceil(rates.held / profile.eventWaits)
  const measure = () => demandOf(rates, profile, servers, keys)
  while (!profile.servers && totalOf(measure()).nodeMicros / 1e6 / servers > profile.target) servers++
  const lines = measure()
  return { rates, lines, total: totalOf(lines), servers, keys }
}

/** Everything that may be full, with what one unit of it gives. */
export function wallsOf(profile: Profile, { rates, total }: Load): Wall[] {
  const { target, blockSeconds, hostMs, eventWaits } = profile
  const { held, transactions } = rates
  const { register = 0, delivery = 0, reading = 0, firstReading = 0 } = rates.steps
  const registrations = 1 / (costs.register.nodeMicros / 1e6 + hashRestMs / 1000)
  const reads = total.hostReads + profile.pointsOfUnchanged * total.hostUnchanged
  const points = (reads + pointsOfWrite * total.hostWrites) * 60
  const requests = (total.hostReads + total.hostWrites) * 3600
  const readings = readingsAtOnce / ((roundTrips * hostMs) / 1000)
  const node = total.nodeMicros / 1e6
  const postgres = total.postgresMicros / 1e6
  const first = `Postgres, ${firstPostgresCores} cores`
  const apps = 'organizations with an App each'
  const pauses = `${apps}; longer pauses between readings`
  const founders = `${apps}; founders merge at GitHub`
  const writes = total.hostWrites * 3600
  const walls: [name: string, unit: string, demand: number, capacity: number, remedy: string][] = [
    ['places for waiting requests', 'held', held, eventWaits, 'servers, or `MAX_EVENT_WAITS`'],
    ['a server’s processor', 'cores', node, target, 'servers'],
    [first, 'cores', postgres, firstPostgresCores * target, 'cores'],
    ['log of Postgres', 'MB/s', total.walBytes / 1e6, volumeBytes / 1e6, 'a faster volume'],
    ['an operator key', 'transactions/s', transactions, inFlight / blockSeconds, 'operator keys'],
    ['GitHub: requests an hour', 'requests/h', requests, profile.hostRequestsPerHour, apps],
    ['GitHub: points a minute', 'points/min', points, profile.hostPointsPerMinute, pauses],
    ['GitHub: writes an hour', 'writes/h', writes, profile.hostWritesPerHour, founders],
    ['a process’s readings of pull requests', 'readings/s', firstReading + reading, readings, 'servers'],
    ['a process’s webhooks', 'deliveries/s', delivery, deliveriesPerSecond, 'servers'],
    ['a process’s registrations', 'registrations/s', register, registrations, 'servers'],
  ]
  return walls.map(([name, unit, demand, capacity, remedy]) => ({ name, unit, demand, capacity, remedy }))
}

/** Agents at which one unit is full, if everything grows with them. */
export const agentsAt = ({ demand, capacity }: Wall, { agents }: Profile): number =>
  demand === 0 ? Number.POSITIVE_INFINITY : (agents * capacity) / demand
