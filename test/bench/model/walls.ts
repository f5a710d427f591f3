import { type Amounts, costs } from './costs.ts'
import { demandOf, type Line, type Rates, ratesOf, totalOf, transactionsOf } from './demand.ts'
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

/** What the busiest hour needs, on as many servers and keys as it takes where the profile does not name them. */
export function busiestHour(profile: Profile): Load {
  const rates = ratesOf(profile, profile.peak)
  const perKey = inFlight / profile.blockSeconds
  const keys = profile.operatorKeys || Math.ceil(transactionsOf(rates) / perKey / profile.target)
  let servers = profile.servers || Math.ceil(rates.held / profile.eventWaits)
  const measure = () => demandOf(rates, profile, servers, keys)
  while (!profile.servers && totalOf(measure()).nodeMicros / 1e6 / servers > profile.target) servers++
  const lines = measure()
  return { rates, lines, total: totalOf(lines), servers, keys }
}

/** The load of the busiest hour. */
interface Load {
  rates: Rates
  lines: Line[]
  total: Amounts
  servers: number
  keys: number
}

/** Everything that may be full, with what one unit of it gives. */
export function wallsOf(profile: Profile, { rates, total }: Load): Wall[] {
  const { writes } = rates
  const { target } = profile
  const register = costs.register.nodeMicros / 1e6 + hashRestMs / 1000
  const writesAtHost = total.hostWrites
  const wall = (name: string, unit: string, demand: number, capacity: number, remedy: string): Wall => ({
    ...{ name, unit, demand, capacity, remedy },
  })
  const hostPoints =
    (total.hostReads + profile.pointsOfUnchanged * total.hostUnchanged + pointsOfWrite * writesAtHost) * 60
  return [
    wall(
      'places for waiting requests',
      'held',
      rates.held,
      profile.eventWaits,
      'servers, or `MAX_EVENT_WAITS`',
    ),
    wall('a server’s processor', 'cores', total.nodeMicros / 1e6, target, 'servers'),
    wall(
      `Postgres, ${firstPostgresCores} cores`,
      'cores',
      total.postgresMicros / 1e6,
      firstPostgresCores * target,
      'cores, then a replica for public reads',
    ),
    wall('log of Postgres', 'MB/s', total.walBytes / 1e6, volumeBytes / 1e6, 'a faster volume'),
    wall(
      'an operator key',
      'transactions/s',
      transactionsOf(rates),
      inFlight / profile.blockSeconds,
      'operator keys',
    ),
    wall(
      'GitHub: requests an hour',
      'requests/h',
      (total.hostReads + writesAtHost) * 3600,
      profile.hostRequestsPerHour,
      'organizations with an App each',
    ),
    wall(
      'GitHub: points a minute',
      'points/min',
      hostPoints,
      profile.hostPointsPerMinute,
      'organizations with an App each; longer pauses between readings',
    ),
    wall(
      'GitHub: writes an hour',
      'writes/h',
      writesAtHost * 3600,
      profile.hostWritesPerHour,
      'organizations with an App each; founders merge at GitHub',
    ),
    wall(
      'a process’s readings of pull requests',
      'readings/s',
      rates.news + rates.readings,
      readingsAtOnce / ((roundTrips * profile.hostMs) / 1000),
      'servers',
    ),
    wall('a process’s webhooks', 'deliveries/s', writes.delivery, deliveriesPerSecond, 'servers'),
    wall('a process’s registrations', 'registrations/s', writes.register, 1 / register, 'servers'),
  ]
}

/** Agents at which one unit is full, if everything grows with them. */
export const agentsAt = ({ demand, capacity }: Wall, { agents }: Profile): number =>
  demand === 0 ? Number.POSITIVE_INFINITY : (agents * capacity) / demand
