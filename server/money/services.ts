import type { ActivationEngine } from './activation/engine.ts'
import type { ChainConnection } from './chain/connection.ts'
import type { RecentReadings } from './chain/recent.ts'
import type { PayoutEngine } from './payouts/engine.ts'

declare module '../services.ts' {
  interface Services {
    chain: ChainConnection
    payouts: PayoutEngine
    activations: ActivationEngine
    /** What was read from the chain a moment ago. */
    recent: RecentReadings
  }
}
