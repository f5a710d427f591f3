import type { Bench } from '../harness/bench.ts'
import type { PartName } from '../harness/options.ts'
import type { PartResult } from '../harness/results/report.ts'
import { events } from './events.ts'
import { growth } from './growth.ts'
import { payouts } from './payouts.ts'
import { polling } from './polling.ts'
import { reads } from './reads.ts'
import { webhooks } from './webhooks.ts'
import { writes } from './writes.ts'

export type Measured = Exclude<PartName, 'model'>

/** Every part but the model, which needs no server. */
export const parts: Record<Measured, (bench: Bench) => Promise<PartResult>> = {
  reads,
  polling,
  writes,
  payouts,
  events,
  webhooks,
  growth,
}
