import type { Table } from '../harness/results/report.ts'
import { percent, show } from '../harness/results/statistics.ts'
import type { DayResult, Machines } from './day.ts'
import { type Line, writeNames } from './demand.ts'
import type { Amounts } from './meter.ts'
import type { Profile } from './profile.ts'
import type { Storage } from './storage.ts'
import { agentsAt, type Wall } from './walls.ts'

/** What the busiest hour uses, line by line. */
export function demandTable(lines: Line[], total: Amounts): Table {
  const cells = ({ nodeMicros, postgresMicros, statements, walBytes, ...rest }: Amounts) => [
    show(nodeMicros / 1e6),
    show(postgresMicros / 1e6),
    show(statements),
    show(walBytes / 1000),
    show(rest.rpcCalls),
    show(rest.hostReads + rest.hostWrites),
    show(rest.hostUnchanged),
  ]
  return {
    title: 'The busiest hour: what is used in a second',
    columns: [
      '',
      'a second',
      'Node, cores',
      'Postgres, cores',
      'statements',
      'WAL kB',
      'RPC calls',
      'host',
      'host, 304',
    ],
    rows: [
      ...lines.map(({ name, perSecond, used }) => [name, show(perSecond), ...cells(used)]),
      ['together', '', ...cells(total)],
    ],
  }
}

/** Which resource is full first, when one has one unit of each. */
export function wallTable(walls: Wall[], profile: Profile): Table {
  const sorted = walls.toSorted((a, b) => agentsAt(a, profile) - agentsAt(b, profile))
  return {
    title: 'Walls: agents at which one unit is full, and units that the busiest hour needs',
    columns: ['one unit', 'full at … agents', 'demand', 'a unit gives', 'units', 'remedy'],
    rows: sorted.map((wall) => [
      wall.name,
      show(agentsAt(wall, profile), 2),
      `${show(wall.demand)} ${wall.unit}`,
      show(wall.capacity),
      String(Math.max(1, Math.ceil(wall.demand / wall.capacity))),
      wall.remedy,
    ]),
  }
}

const quantile = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

const inMs = (sorted: number[]) => [0.5, 0.95].map((share) => show(quantile(sorted, share) * 1000))

/** How long is waited for each station in the busiest hour. */
export function stationTable({ stations, background }: DayResult, machines: Machines): Table {
  const { servers, postgresCores, operatorKeys, hostApps } = machines
  const about = `${servers} servers, ${postgresCores} cores of Postgres, ${operatorKeys} operator keys, ${hostApps} GitHub Apps`
  const share = `polls take ${percent(background.node)} of the servers and ${percent(background.postgres)} of Postgres`
  return {
    title: `The busiest hour on ${about}: waiting; ${share}`,
    columns: ['for', 'times', 'p50 ms', 'p95 ms'],
    rows: Object.entries(stations).map(([name, waits]) => [name, String(waits.length), ...inMs(waits)]),
  }
}

/** Response times of the busiest hour. */
export function responseTable({ responses }: DayResult): Table {
  return {
    title: 'The busiest hour: response times',
    columns: ['step', 'times', 'p50 ms', 'p95 ms'],
    rows: writeNames.map((name) => [name, String(responses[name].length), ...inMs(responses[name])]),
  }
}

/** What a year leaves behind, and the rows that come and go. */
export function storageTable({ keptPerYear, passing }: Storage): Table {
  const kept = Object.entries(keptPerYear).toSorted(([, a], [, b]) => b - a)
  const total = kept.reduce((sum, [, bytes]) => sum + bytes, 0)
  return {
    title: 'What a year stores',
    columns: ['table', 'GB a year', 'GB at a time', 'rows at a time'],
    rows: [
      ...kept
        .filter(([, bytes]) => bytes > total / 1000)
        .map(([table, bytes]) => [table, show(bytes / 1e9), '', '']),
      ['together', show(total / 1e9), '', ''],
      ...Object.entries(passing).map(([table, { rows, bytes }]) => [
        table,
        '',
        show(bytes / 1e9),
        show(rows, 2),
      ]),
    ],
  }
}
