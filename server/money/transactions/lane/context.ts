import type { Logger } from 'pino'
import type { Address, Hash, PrivateKeyAccount } from 'viem'
import { nodeErrorText } from '../../../config/node-error-text.ts'
import type { Database } from '../../../db/client.ts'
import { LeaseLostError } from '../../../db/lease.ts'
import type { RaiseAlarm } from '../../../loops/alarms.ts'
import type { OutageReport } from '../../../loops/outage-report.ts'
import type { Timing } from '../../../loops/timing.ts'
import type { Chain } from '../../chain/chain.ts'
import type { SeenNonces } from '../seen-nonces.ts'
import {
  type Fees,
  isRelay,
  type LaneLease,
  type LaneLimits,
  type LaneTransaction,
  type Problem,
  type QueuedTransaction,
  type SettledBlock,
  type TransactionHandlers,
} from '../types.ts'
import type { ChainView } from './chain-view.ts'

/** What the lanes of a process share. */
export interface LanesOptions {
  db: Database
  chain: Chain
  limits: LaneLimits
  handlers: TransactionHandlers
  timing: Timing
  seenNonces: SeenNonces
  /** Called with the id of an entity when an outcome of its was stored that a request may be waiting for. */
  onOutcome(entityId: string): void
  /** Called when the chain has used nonces that the database never gave out: finds the payments among them. */
  onUnbooked(signer: Address): Promise<void>
  log: Logger
}

/** What the ticks of one lane need. */
export interface LaneContext extends Omit<LanesOptions, 'timing'> {
  /** The process, as the holder of leases. */
  owner: string
  /** The signer of the lane's transactions. */
  address: Address
  /** Signs for the lane; null where its key is gone and nothing new can be signed. */
  account: PrivateKeyAccount | null
  /** Position among the lanes of the process: each lane begins with another part of the queue. */
  share: { index: number; of: number }
  /** Pause between two reads of the chain while the lane has no transaction under way, in ms. */
  idleCheckMs: number
  /** The same while its transactions only have to become final. */
  settledCheckMs: number
  alarm: RaiseAlarm
  /** Reports the ticks of the lane. */
  outage: OutageReport
  memory: LaneMemory
}

/** What a lane remembers between ticks to spare the node. Without it the lane only asks more often. */
export interface LaneMemory {
  /** Fence of the last tick. */
  fence?: number
  /** Newest block at the last tick. */
  head?: number
  /** Head under which every mined transaction was last found in its block. */
  checkedHead?: Hash | undefined
  /* Moments by the process's monotonic clock, in ms. */
  /** When the chain was last read. */
  viewReadAt?: number
  /** When the block of the last final transaction was last checked. */
  finalCheckedAt?: number
  /** When nonces that the database never gave out were last reconciled. */
  reconciledAt?: number
  /** When the mined nonce was last read without the lease. */
  nonceReadAt?: number
  /** When the chain last had a new block, or the log last reported that it had none. */
  headSince?: number
}

/** Everything a tick of a lane needs from the database, as of one moment. */
export interface LaneState {
  lease: LaneLease
  /** The next nonce, as far as this database gave nonces out. */
  nextNonce: number
  /** Transactions that have a nonce and no outcome yet, or wait for a person, by nonce. */
  watched: LaneTransaction[]
  /** Blocks of transactions whose outcome is stored and not yet final. */
  settled: SettledBlock[]
  /** The block of the signer's last final transaction; null where there is none. */
  lastFinal: SettledBlock | null
  /** Queued transactions that this lane may take, in its order; of each kind no more than fit in flight. */
  queued: QueuedTransaction[]
}

/** One tick of a lane: the view of the chain by which it decides, and the lease that each of its writes proves. */
export interface Tick extends LaneContext {
  lease: LaneLease
  view: ChainView
  /** Asks the node for its fee suggestion once in the tick, capped by what an operator allows. */
  suggestFees(): Promise<Fees>
}

/** Whether the pause since the moment `at` is over; true where there was no such moment. */
export function isPast(at: number | undefined, pauseMs: number): boolean {
  return at === undefined || performance.now() - at >= pauseMs
}

/** Raises an alarm for a transaction of this lane that a person has to decide about. */
export function alarmOperator(
  { alarm, address }: LaneContext,
  { id, entityId, purpose }: Pick<LaneTransaction, 'id' | 'entityId' | 'purpose'>,
  why: Problem,
): void {
  const kind = isRelay(purpose) ? 'relay_needs_operator' : 'needs_operator'
  alarm({ kind, lane: address.toLowerCase(), transaction: id, entityId, why })
}

/**
 * Runs one step of a tick. A failure is logged as `message` and does not keep the tick from its next step.
 * @param about what the step is about, for the log
 * @returns whether it succeeded
 */
export async function logOnError(
  context: { address: string; log: Logger },
  message: string,
  step: () => Promise<unknown>,
  about = {},
): Promise<boolean> {
  try {
    await step()
    return true
  } catch (error) {
    if (error instanceof LeaseLostError) throw error
    context.log.warn({ lane: context.address, ...about, reason: nodeErrorText(error) }, message)
    return false
  }
}
