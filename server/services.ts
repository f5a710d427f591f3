import type { Logger } from 'pino'
import type { ApiKeys } from './auth/api-keys.ts'
import type { Config } from './config/config.ts'
import type { WalletVault } from './crypto/wallet-vault.ts'
import type { Database } from './db/client.ts'
import type { Reads } from './db/reads/reads.ts'

/**
 * Everything that the application is composed of; `services.ts` of a room adds what the room offers. `main.ts` builds it from
 * the configuration, tests build their own.
 */
export interface Services {
  config: Config
  log: Logger
  db: Database
  /** Where public reads go. */
  reads: Reads
  apiKeys: ApiKeys
  /** Absent while there is no wallet master key. */
  wallets: WalletVault | null
  /** The operations by their ids. */
  routes: ReadonlyMap<string, { method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; path: string }>
  /** Lets the loops take up at once what was stored, for work that no request waits for. */
  wake(): void
}
