import type { RawBuilder } from 'kysely'
import type { Address, Hash, Hex, TransactionReceipt } from 'viem'
import type { Depth, Finality } from '../../chain/finality.ts'
import type { Database } from '../../db/client.ts'
import type { LaneLease } from './lane-lease.ts'

/** What a transaction is for; its subject is a submission id or a project id. */
export type Purpose = 'payout' | 'deploy'

/** Signed bytes, stored before they were sent and never forgotten. */
export interface Attempt {
  hash: Hash
  raw: Hex
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  /** Newest block when it was signed. */
  headBlock: number
  /** How often it was sent, since its block vanished if it did. */
  sends: number
  /** Seconds since it was last sent, or since it was stored. */
  quietSeconds: number
  /** Seconds since it was stored, or since the block that held its transaction vanished. */
  ageSeconds: number
  lastError: string | null
}

/** Bytes as they are signed. */
export type SignedAttempt = Pick<
  Attempt,
  'hash' | 'raw' | 'maxFeePerGas' | 'maxPriorityFeePerGas' | 'headBlock'
>

/** A transaction that has no nonce yet. */
export interface QueuedTransaction {
  id: number
  purpose: Purpose
  entityId: string
  to: Address
  data: Hex
  /** Whether only the lane that is looking may take it. */
  isPinned: boolean
  /** Why it could not be sent when it was last tried. */
  waitsFor: string | null
  /** Whether another transaction for the same end is alive. */
  isBlocked: boolean
  /** What its owner asked for by {@link TransactionHandler.details}. */
  details: unknown
}

/** A transaction that owns a nonce of a lane, with every attempt to get it mined, oldest first. */
export interface LaneTransaction {
  id: number
  purpose: Purpose | 'noop'
  entityId: string | null
  to: Address
  data: Hex
  nonce: number
  gasLimit: bigint
  status: 'unconfirmed' | 'mined' | 'confirmed' | 'reverted' | 'needs_operator' | 'abandoned'
  blockNumber: number | null
  blockHash: Hash | null
  isFinal: boolean
  /** The attempt whose block vanished, while none was signed since. */
  vanishedHash: Hash | null
  attempts: Attempt[]
  /** What its owner asked for by {@link TransactionHandler.details}. */
  details: unknown
}

/** A block in which transactions were mined. */
export interface SettledBlock {
  number: number
  hash: Hash
}

/**
 * Writes that belong to a decision; run in the transaction that records it, under the lane's fence. Resolves with why a
 * person must look, where that comes of it.
 */
export type Apply = (trx: Database) => Promise<string | undefined>

/** What to do with a queued transaction: send it, wait, leave it to another signer, or end it without a nonce. */
export type Preparation =
  | { next: 'send'; gasLimit: bigint }
  | { next: 'wait'; reason: string }
  | { next: 'leave'; to: Address; reason: string }
  | { next: 'refuse'; reason: string; apply: Apply }

/** What a receipt at the confirmation depth means for the owner. */
export type ReceiptOutcome =
  /** `ordinary`: {@link TransactionHandler.settle} may do it instead. */
  | { verdict: 'final'; apply: Apply; ordinary?: boolean }
  /** The receipt alone does not tell yet. */
  | { verdict: 'wait' }
  /** The receipt contradicts what was signed: for a person. */
  | { verdict: 'anomaly'; why: string }

/** Whoever wanted a transaction. Methods may ask the chain; what they want written they return. */
export interface TransactionHandler {
  /** False while nothing of this kind may be sent for the first time; what was sent before is kept alive. */
  maySend?: boolean
  /**
   * A subquery for one JSON value about a subject, read together with its transactions and handed to `prepare` and
   * `judge` as `details`.
   */
  details?(entityId: RawBuilder<unknown>): RawBuilder<unknown>
  /** `depth` is that of the view that the lane decides by: reads are made as of its head. */
  prepare(transaction: QueuedTransaction, from: Address, depth: Depth): Promise<Preparation>
  evaluateReceipt(
    transaction: LaneTransaction & { entityId: string },
    receipt: TransactionReceipt,
    depth: Depth,
  ): Promise<ReceiptOutcome>
  /**
   * Stores successes whose judgement is `ordinary`, and that their transactions are confirmed, in one statement under
   * the lease. Returns the ids of the transactions it was done for; for the others `apply` decides.
   * @throws LeaseLostError
   */
  settle?(lease: LaneLease, mined: MinedTransaction[]): Promise<Set<number>>
  /** Marks the subject as waiting for a person. */
  stuck(trx: Database, entityId: string, why: string): Promise<unknown>
  /** A pinned transaction was taken back before it had a nonce, because its key is gone: wanted again, unpinned. */
  unpin(trx: Database, entityId: string): Promise<void>
}

/** Who wants which transactions. */
export type TransactionHandlers = Record<Purpose, TransactionHandler>

/** Where a transaction was mined. */
export interface MinedTransaction {
  id: number
  entityId: string
  hash: Hash
  blockNumber: number
  blockHash: Hash
}

/** The limits an operator sets. */
export interface LaneLimits {
  finality: Finality
  /** No transaction offers more, in wei per gas, whatever a node suggests. */
  maxFeePerGas: bigint
  /** Age of the newest attempt at which its fees are raised. */
  replaceAfterSeconds: number
  /** Silence after which the same bytes are sent again. */
  resendAfterSeconds: number
  /** Pause between two looks for a receipt at a nonce that is used up. */
  receiptCheckSeconds: number
  /** How long a process that fell silent keeps a lane. */
  leaseSeconds: number
}

/** Transactions of one operator key that may be unmined at the same time; nodes drop longer queues. */
export const maxInFlight = 16
