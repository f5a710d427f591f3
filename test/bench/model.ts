import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './harness/compile.ts'
import { type PartResult, renderText } from './harness/results/report.ts'
import { comparePoint, comparisonTable } from './model/compare.ts'
import { simulateDay } from './model/day.ts'
import { ratesOf } from './model/demand.ts'
import type { PointData } from './model/point.ts'
import { readProfile } from './model/profile.ts'
import type { StepsData } from './model/session.ts'
import { storageOf } from './model/storage.ts'
import { demandTable, responseTable, stationTable, storageTable, wallTable } from './model/tables.ts'
import { machinesFor, wallsOf } from './model/walls.ts'

/*
 * npx tsx test/bench/model.ts [name=value …] [--out file.json]
 * A day of a large marketplace, simulated with the measured costs of its steps: see model/README.md.
 */

const { values, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: 'string' } } })

/** The data of a recorded part. */
function recorded<Data>(name: string): Data {
  const path = join(root, 'test/bench/results', `${name}.json`)
  return (JSON.parse(readFileSync(path, 'utf8')) as { data: Data }).data
}

const profile = readProfile(positionals)
const data = recorded<StepsData>('steps')
const point = recorded<PointData>('point')
const { perMinute } = recorded<{ perMinute: number }>('webhooks')
const { machines, rates, lines, peak } = machinesFor(profile, data)
const walls = wallsOf(profile, { rates, peak, data, measured: { deliveriesPerSecond: perMinute / 60 } })
const day = simulateDay({ profile, data, peak: rates, machines })
const storage = storageOf(ratesOf(profile, data), data)
const comparisons = comparePoint(data, point)
const tables = [
  wallTable(walls, profile),
  demandTable(lines, peak),
  stationTable(day, machines),
  responseTable(day),
  storageTable(storage),
  comparisonTable(comparisons),
]
for (const table of tables) console.log(renderText(table))
const result: PartResult = {
  tables,
  goals: [],
  data: { profile, machines, walls, peak, storage, comparisons },
}
if (values.out) writeFileSync(values.out, JSON.stringify(result))
