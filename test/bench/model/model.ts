import type { PartResult, Table } from '../harness/results/report.ts'
import { show } from '../harness/results/statistics.ts'
import type { Amounts } from './costs.ts'
import { demandOf, ratesOf, totalOf, yearSeconds } from './demand.ts'
import { type Profile, readProfile } from './profile.ts'
import { agentsAt, busiestHour, type Load, type Wall, wallsOf } from './walls.ts'

/**
 * The busiest hour of a large marketplace: rates × the costs of each step (costs.ts) and what idle processes and the
 * lanes of operator keys do, beside what one unit of each resource gives.
 */
export function model(assumptions: string[]): PartResult {
  const profile = readProfile(assumptions)
  const load = busiestHour(profile)
  const walls = wallsOf(profile, load).toSorted((a, b) => agentsAt(a, profile) - agentsAt(b, profile))
  const average = totalOf(demandOf(ratesOf(profile), profile, load.servers, load.keys))
  const storedGB = (average.storedBytes * yearSeconds) / 1e9
  const first = walls
    .slice(0, 3)
    .map((wall) => `${wall.name} at ${show(agentsAt(wall, profile), 2)} agents`)
    .join('; ')
  const needs = `${load.servers} servers, ${show(load.total.nodeMicros / 1e6)} cores of Node, ${show(load.total.postgresMicros / 1e6)} of Postgres`
  return {
    tables: [wallTable(walls, profile), demandTable(load)],
    findings: [
      { what: `${show(profile.agents, 1)} agents, the busiest hour`, ours: needs },
      { what: 'what is full first, one unit of each', ours: first },
      { what: 'stored in a year', ours: `${show(storedGB)} GB` },
    ],
    data: { profile, walls, total: load.total, storedGB },
  }
}

function wallTable(walls: Wall[], profile: Profile): Table {
  return {
    title: 'Walls: agents at which one unit is full, and units that the busiest hour needs',
    columns: ['one unit', 'full at … agents', 'demand', 'a unit gives', 'units', 'remedy'],
    rows: walls.map((wall) => [
      wall.name,
      show(agentsAt(wall, profile), 2),
      `${show(wall.demand)} ${wall.unit}`,
      show(wall.capacity),
      String(Math.max(1, Math.ceil(wall.demand / wall.capacity))),
      wall.remedy,
    ]),
  }
}

function demandTable({ lines, total }: Load): Table {
  const cells = (used: Amounts) =>
    [
      used.nodeMicros / 1e6,
      used.postgresMicros / 1e6,
      used.statements,
      used.walBytes / 1000,
      used.rpcCalls,
      used.hostReads + used.hostWrites,
      used.hostUnchanged,
    ].map((value) => show(value))
  return {
    title: 'The busiest hour: what is used in a second',
    columns: ['', 'times', 'Node, cores', 'Postgres, cores', 'statements', 'WAL kB', 'RPC', 'host', '304'],
    rows: [
      ...lines.map(({ name, perSecond, used }) => [name, show(perSecond), ...cells(used)]),
      ['together', '', ...cells(total)],
    ],
  }
}
