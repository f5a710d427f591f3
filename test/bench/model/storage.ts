import type { Rates } from './demand.ts'
import { type WriteName, writeNames } from './demand.ts'
import type { StepsData } from './session.ts'

/** Tables whose rows go again, and after how many seconds. */
const passing: Record<string, number> = {
  idempotency_keys: 86_400,
  webhook_deliveries: 30 * 86_400,
  rate_limits: 3600,
}
const yearSeconds = 365 * 86_400

/** Bytes that a year leaves behind, and bytes of rows that go again, by table. */
export interface Storage {
  keptPerYear: Record<string, number>
  passing: Record<string, { rows: number; bytes: number }>
}

/** What average rates store. */
export function storageOf(rates: Rates, { steps, bytesPerRow }: StepsData): Storage {
  const perSecond: Record<string, number> = {}
  for (const name of writeNames)
    for (const [table, rows] of Object.entries(steps[name as WriteName]?.inserts ?? {}))
      perSecond[table] = (perSecond[table] ?? 0) + rows * rates.writes[name]
  const result: Storage = { keptPerYear: {}, passing: {} }
  for (const [table, rows] of Object.entries(perSecond)) {
    const bytes = bytesPerRow[table] ?? 0
    const seconds = passing[table]
    if (seconds !== undefined) result.passing[table] = { rows: rows * seconds, bytes: rows * seconds * bytes }
    else if (bytes > 0) result.keptPerYear[table] = rows * yearSeconds * bytes
  }
  return result
}
