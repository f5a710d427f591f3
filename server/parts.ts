import type { Logger } from 'pino'
import type { ActivationEngine } from './activation/engine.ts'
import type { ApiKeys } from './auth/api-keys.ts'
import type { ChainConnection } from './chain/connection.ts'
import type { Config } from './config.ts'
import type { Database } from './db/connect.ts'
import type { Reads } from './db/reads.ts'
import type { PayoutEngine } from './payouts/engine.ts'
import type { Repositories } from './repositories/repositories.ts'
import type { WalletVault } from './wallets/vault.ts'

/** Everything the application is composed of. `main.ts` builds one from the configuration, tests build their own. */
export interface Parts {
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
  payouts: PayoutEngine
  activations: ActivationEngine
}
