import type { Logger } from 'pino'
import type { ApiKeys } from './auth/api-keys.ts'
import type { ChainConnection } from './chain/connection.ts'
import type { RecentReadings } from './chain/recent.ts'
import type { Config } from './config/config.ts'
import type { WalletVault } from './crypto/wallet-vault.ts'
import type { Database } from './db/client.ts'
import type { Reads } from './db/reads/reads.ts'
import type { ActivationEngine } from './engines/activation/engine.ts'
import type { EventReader } from './engines/event-log/reader.ts'
import type { PayoutEngine } from './engines/payouts/engine.ts'
import type { PullRequestEngine } from './engines/pull-requests/engine.ts'
import type { Endpoints } from './engines/webhooks/endpoint.ts'
import type { Repositories } from './repositories/repositories.ts'

/** Everything that the application is composed of. `main.ts` builds it from the configuration, tests build their own. */
export interface Services {
  config: Config
  log: Logger
  db: Database
  /** Where public reads go. */
  reads: Reads
  apiKeys: ApiKeys
  chain: ChainConnection
  /** Absent where the operator has configured none. */
  repositories: Repositories | null
  /** Absent while there is no wallet master key. */
  wallets: WalletVault | null
  /** What sends to the URLs of webhooks. */
  endpoints: Endpoints
  payouts: PayoutEngine
  activations: ActivationEngine
  /** What the code host reports about the pull requests of submissions. */
  pullRequests: PullRequestEngine
  /** What happens on the marketplace, in the order of the log. */
  events: EventReader
  /** What was read from the chain a moment ago. */
  recent: RecentReadings
  /** The operations by their ids. */
  routes: ReadonlyMap<string, { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string }>
  /** Lets the loops take up at once what was stored, for work that no request waits for. */
  wake(): void
}
