import type { Table } from '../harness/results/report.ts'
import { show } from '../harness/results/statistics.ts'
import { simulateDay } from './day.ts'
import { demandOf, type Rates, totalOf, type WriteName, writeNames } from './demand.ts'
import { type Amounts, amountNames } from './meter.ts'
import type { PointData } from './point.ts'
import { defaultProfile, type Profile } from './profile.ts'
import type { StepsData } from './session.ts'

/** A figure of the model beside the measured one. */
export interface Comparison {
  name: string
  predicted: number
  measured: number
}

/** What the measured point ran on: one process on one core, a block a second, everything on one machine. */
const surroundings: Partial<Profile> = {
  ...{ blockSeconds: 1, confirmations: 1, peak: 1, rpcMs: 2, hostMs: 4, receiverMs: 1 },
  ...{ statementMs: 0.2, commitMs: 1, hostPointsPerMinute: 1e9, hostRequestsPerHour: 1e9 },
  ...{ hostWritesPerSecond: 1e9, hostWritesPerMinute: 1e9, hostWritesPerHour: 1e9 },
}

/** The rates at which the point was driven. */
function ratesOfPoint(point: PointData): Rates {
  const { seconds, polls, held, heldUnfiltered } = point
  const writes = Object.fromEntries(
    writeNames.map((name) => [name, point.writes[name] / seconds]),
  ) as Rates['writes']
  return {
    writes,
    events: point.events / seconds,
    news: 0,
    readings: polls.readings / seconds,
    pollTasks: polls.pollTasks / seconds,
    pollBounty: polls.pollBounty / seconds,
    pollList: polls.pollList / seconds,
    waitsInVain: held / defaultProfile.waitSeconds,
    ...{ held, heldUnfiltered },
  }
}

/** What the model says the point used, beside what it did use, and the response times of its steps. */
export function comparePoint(data: StepsData, point: PointData): Comparison[] {
  const { seconds, usage } = point
  const rates = ratesOfPoint(point)
  const predicted = totalOf(demandOf(rates, data, { servers: 1, lanes: 1 }))
  const amounts = amountNames
    .map((name: keyof Amounts) => ({ name, predicted: predicted[name] * seconds, measured: usage[name] }))
    .filter(({ measured }) => measured > 0)
  const profile = { ...defaultProfile, ...surroundings, hours: seconds / 3600 }
  const machines = { servers: 1, postgresCores: 1, operatorKeys: 1, hostApps: 1 }
  const { responses } = simulateDay({ profile, data: stretched(data, point.stretch), peak: rates, machines })
  const latencies = writeNames.flatMap((name: WriteName) => {
    const measured = point.latencyMs[name]
    const all = responses[name]
    if (measured === undefined || all.length < 20) return []
    return [{ name: `${name}, median ms`, predicted: (all[all.length >> 1] ?? 0) * 1000, measured }]
  })
  return [...amounts, ...latencies]
}

/** Each step as slow as it is where other processes want the same cores. */
function stretched(data: StepsData, factor: number): StepsData {
  const slower = Object.entries(data.steps).map(([name, cost]) => [
    name,
    { ...cost, nodeMicros: cost.nodeMicros * factor, postgresMicros: cost.postgresMicros * factor },
  ])
  return { ...data, steps: Object.fromEntries(slower) }
}

/** The comparison as a table. */
export function comparisonTable(comparisons: Comparison[]): Table {
  return {
    title: 'The model beside the measured point',
    columns: ['', 'predicted', 'measured', 'predicted / measured'],
    rows: comparisons.map(({ name, predicted, measured }) => [
      name,
      show(predicted),
      show(measured),
      show(predicted / measured, 2),
    ]),
  }
}
