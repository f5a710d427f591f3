import type { Machines } from './day.ts'
import { demandOf, type Line, type Rates, ratesOf, totalOf, transactionsOf } from './demand.ts'
import type { Amounts } from './meter.ts'
import type { Profile } from './profile.ts'
import type { StepsData } from './session.ts'

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

/** What one unit of a resource gives, where another part of the benchmark has measured it. */
export interface Measured {
  deliveriesPerSecond: number
}

const inFlight = 16
const pointsOfWrite = 5
/** Cores of the Postgres that GROWTH.md starts with, and a volume's write rate in bytes a second that is for sale anywhere. */
const firstPostgresCores = 4
const volumeBytes = 125e6
/** Pull requests that a process reads at once, and round trips of a reading: the pull request, then its checks. */
const readingsAtOnce = 5
const roundTrips = 2
/** Share of a budget at the host that is planned for. */
const mostOfHost = 0.9
/** Milliseconds of pause after each key that is hashed for a newcomer. */
const hashRestMs = 8

/** What the busiest hour needs, with the machines where the profile does not name them. */
export function machinesFor(
  profile: Profile,
  data: StepsData,
): { machines: Machines; rates: Rates; lines: Line[]; peak: Amounts } {
  const rates = ratesOf(profile, data, profile.peak)
  const perKey = inFlight / profile.blockSeconds
  const operatorKeys = profile.operatorKeys || Math.ceil(transactionsOf(rates) / perKey / profile.target)
  let servers = profile.servers || Math.ceil(rates.held / profile.eventWaits)
  const measure = () => {
    const lines = demandOf(rates, data, { servers, lanes: operatorKeys, depths: profile })
    return { lines, peak: totalOf(lines) }
  }
  if (!profile.servers) while (measure().peak.nodeMicros / 1e6 / servers > profile.target) servers++
  const { lines, peak } = measure()
  const postgresCores =
    profile.postgresCores || Math.max(2, Math.ceil(peak.postgresMicros / 1e6 / profile.target))
  const host = wallsOf(profile, { rates, peak, data, measured: { deliveriesPerSecond: 1 } })
    .filter(({ name }) => name.startsWith('GitHub'))
    .map(({ demand, capacity }) => Math.ceil(demand / capacity / mostOfHost))
  const hostApps = profile.hostApps || Math.max(...host)
  return { machines: { servers, postgresCores, operatorKeys, hostApps }, rates, lines, peak }
}

/** Everything that may be full, with what one unit of it gives. */
export function wallsOf(
  profile: Profile,
  { rates, peak, data, measured }: { rates: Rates; peak: Amounts; data: StepsData; measured: Measured },
): Wall[] {
  const { writes } = rates
  const { target } = profile
  const register = (data.steps.register?.nodeMicros ?? 0) / 1e6 + hashRestMs / 1000
  const writesAtHost = peak.hostWrites
  const wall = (name: string, unit: string, demand: number, capacity: number, remedy: string): Wall => ({
    ...{ name, unit, demand, capacity, remedy },
  })
  const hostPoints =
    (peak.hostReads + profile.pointsOfUnchanged * peak.hostUnchanged + pointsOfWrite * writesAtHost) * 60
  return [
    wall(
      'places for waiting requests',
      'held',
      rates.held,
      profile.eventWaits,
      'servers, or `MAX_EVENT_WAITS`',
    ),
    wall('a server’s processor', 'cores', peak.nodeMicros / 1e6, target, 'servers'),
    wall(
      `Postgres, ${firstPostgresCores} cores`,
      'cores',
      peak.postgresMicros / 1e6,
      firstPostgresCores * target,
      'cores, then a replica for public reads',
    ),
    wall('log of Postgres', 'MB/s', peak.walBytes / 1e6, volumeBytes / 1e6, 'a faster volume'),
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
      (peak.hostReads + writesAtHost) * 3600,
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
    wall('a process’s webhooks', 'deliveries/s', writes.delivery, measured.deliveriesPerSecond, 'servers'),
    wall('a process’s registrations', 'registrations/s', writes.register, 1 / register, 'servers'),
  ]
}

/** Agents at which one unit is full, if everything grows with them. */
export const agentsAt = ({ demand, capacity }: Wall, { agents }: Profile): number =>
  demand === 0 ? Number.POSITIVE_INFINITY : (agents * capacity) / demand
