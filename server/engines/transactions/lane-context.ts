import type { Logger } from 'pino'
import type { Address, Hash, PrivateKeyAccount } from 'viem'
import type { Chain } from '../../chain/chain.ts'
import type { Database } from '../../db/client.ts'
import type { RaiseAlarm } from '../alarms.ts'
import type { SeenNonces } from './seen-nonces.ts'
import type { LaneLimits, TransactionHandlers } from './types.ts'

/** What a turn of a lane needs. */
export interface LaneContext {
  db: Database
  chain: Chain
  /** Whose transactions these are. */
  address: Address
  /** Signs for the lane; null where its key is gone and nothing new can be signed. */
  account: PrivateKeyAccount | null
  /** Which of the process's lanes this is: lanes begin with different parts of the queue. */
  share: { index: number; of: number }
  limits: LaneLimits
  handlers: TransactionHandlers
  /** Pause between two looks at the chain while nothing of the lane is on its way, in ms. */
  idleCheckMs: number
  seenNonces: SeenNonces
  /** Called when an outcome was stored that a request may be waiting for. */
  onOutcome(): void
  /** The chain has used nonces that the database never gave out: looks up the payments among them. */
  onUnbooked(signer: Address): Promise<void>
  alarm: RaiseAlarm
  log: Logger
  memory: LaneMemory
}

/** What a lane remembers from turn to turn to spare the node; losing it costs nothing but questions. */
export interface LaneMemory {
  /** Fence of the last look. */
  fence?: number
  /** Newest block at the last turn. */
  head?: number
  /** Head under which everything mined was last found in its place. */
  checkedHead?: Hash | undefined
  /* Moments by the process's monotonic clock, in ms. */
  /** When the chain was last looked at. */
  lookedAt?: number
  /** When the last final block was last looked for. */
  finalLookedAt?: number
  /** When nonces that the database never gave out were last looked into. */
  reconciledAt?: number
  /** When the mined nonce was last asked for without holding the lease. */
  sawAt?: number
  /** When the chain last had a new block, or was last named for having none. */
  headSince?: number
}
