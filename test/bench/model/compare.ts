import type { Table } from '../harness/results/report.ts'
import { show } from '../harness/results/statistics.ts'
import { onChain, simulateDay } from './day.ts'
import { demandOf, type Rates, totalOf, type WriteName, writeNames } from './demand.ts'
import { measuredDepths, secondsUnderWay } from './lanes.ts'
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

/** What the measured point ran on: a block a second, a host without limits, a receiver that responds at once. */
const surroundings: Partial<Profile> = {
  ...{ ...measuredDepths, peak: 1, receiverMs: 1, hostPointsPerMinute: 1e9, hostRequestsPerHour: 1e9 },
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
  const setup = { servers: 1, lanes: 1, depths: measuredDepths, lasted: seconds }
  const predicted = totalOf(demandOf(rates, data, setup))
  const amounts = amountNames
    .map((name: keyof Amounts) => ({ name, predicted: predicted[name] * seconds, measured: usage[name] }))
    .filter(({ measured }) => measured > 0)
  const profile = { ...defaultProfile, ...surroundings, hours: seconds / 3600 }
  // Server and Postgres run on one core, and nothing else does.
  const machines = { servers: 1, postgresCores: 1, operatorKeys: 1, hostApps: 1, sharedCore: true }
  const day = { profile, data, peak: rates, machines, restMs: restOf(data), lasted: seconds }
  const { responses } = simulateDay(day)
  const latencies = writeNames.flatMap((name: WriteName) => {
    const measured = point.latencyMs[name]
    const all = responses[name]
    if (measured === undefined || all.length < 20) return []
    return [{ name: `${name}, median ms`, predicted: (all[all.length >> 1] ?? 0) * 1000, measured }]
  })
  return [...amounts, ...latencies]
}

/** How long each step takes that is taken alone, less its processor time and the average wait for a block and a look. */
function restOf({ steps }: StepsData): Partial<Record<WriteName, number>> {
  const waits = secondsUnderWay(measuredDepths) * 1000
  return Object.fromEntries(
    writeNames.flatMap((name) => {
      const { latencyMs = 0, nodeMicros = 0, postgresMicros = 0 } = steps[name] ?? {}
      if (latencyMs === 0) return []
      const known = (nodeMicros + postgresMicros) / 1000 + (onChain.includes(name) ? waits : 0)
      return [[name, Math.max(0, latencyMs - known)]]
    }),
  )
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
