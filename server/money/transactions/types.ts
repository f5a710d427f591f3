import type { Address, Hash, Hex, TransactionReceipt } from 'viem'
import type { Database } from '../../db/client.ts'
import type { AlarmKind } from '../../loops/alarms.ts'
import type { Depth, Finality } from '../chain/finality.ts'

/** What a transaction is for; its entity id is that of a submission, a project, a relay or, of a refund, a bounty. */
export type Purpose = 'payout' | 'deploy' | 'withdrawal' | 'permit' | 'deposit' | 'refund'

/** The purposes of transactions that carry a relay. */
const relayPurposes = ['withdrawal', 'permit', 'deposit'] as const satisfies Purpose[]

/** Whether a transaction of this purpose carries a relay. */
export function isRelay(purpose: Purpose | 'noop'): boolean {
  return relayPurposes.some((one) => one === purpose)
}

/** Whether a transaction of this purpose waits for payouts. */
export function isAfterPayouts(purpose: Purpose | 'noop'): boolean {
  return purpose !== 'payout' && purpose !== 'noop'
}

/** Signed bytes, stored before they were sent and kept permanently. */
export interface Attempt {
  hash: Hash
  raw: Hex
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  /** Newest block when it was signed. */
  headBlock: number
  /** How often it was sent; since its block vanished, if it did. */
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
  /** Whether only the lane that loaded it may take it. */
  isPinned: boolean
  /** Why it could not be sent when it was last tried. */
  waitsFor: string | null
  /** Whether another transaction with the same purpose and entity id is unresolved. */
  isBlocked: boolean
}

/** A transaction that has a nonce of a lane, with every attempt to get it mined, the cheapest first. */
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
  /** The attempt whose block vanished, until another one is signed. */
  vanishedHash: Hash | null
  attempts: Attempt[]
}

/** A block in which transactions were mined. */
export interface SettledBlock {
  number: number
  hash: Hash
}

/** Why a person has to decide how an entity goes on: a line for the alarm and for its row. */
export type Problem = string

/**
 * The writes of a decision. They run in the transaction that records it, under the lane's fence, and resolve with the
 * problem that a person has to solve, if they found one.
 */
export type Apply = (trx: Database) => Promise<Problem | undefined>

/** What to do with a queued transaction: send it, wait, leave it to another signer, or end it without a nonce. */
export type Preparation =
  | { next: 'send'; gasLimit: bigint }
  | { next: 'wait'; reason: string; apply?: (trx: Database) => Promise<unknown>; alarm?: AlarmKind }
  | { next: 'leave'; to: Address; reason: string }
  | { next: 'refuse'; reason: string; apply: Apply; alarm?: AlarmKind | undefined }

/** What a receipt at the confirmation depth means for the handler's entity. */
export type ReceiptOutcome =
  | { kind: 'final'; apply: Apply }
  /** The receipt alone decides nothing yet. */
  | { kind: 'wait' }
  /** The receipt contradicts what was signed: a person has to decide. */
  | { kind: 'anomaly'; problem: Problem }

/**
 * Decides what transactions of one purpose mean. Its methods read the entity and the chain and return what to write. The
 * entity may change before that is written, so `apply` checks it again on the locked row.
 */
export interface TransactionHandler {
  /** Reads the chain as of the head of `depth`, which is the lane's view. */
  prepare(transaction: QueuedTransaction, from: Address, depth: Depth): Promise<Preparation>
  evaluateReceipt(
    transaction: LaneTransaction & { entityId: string },
    receipt: TransactionReceipt,
    depth: Depth,
  ): Promise<ReceiptOutcome>
  /** Marks the entity as waiting for a person, because of its transaction with these attempts. */
  markStuck(trx: Database, entityId: string, problem: Problem, attempts: Hash[]): Promise<unknown>
  /** Starts the entity's work again, for any signer, because the key that it was pinned to is gone. */
  requeue(trx: Database, entityId: string): Promise<unknown>
}

/** The handler of each purpose. */
export type TransactionHandlers = Record<Purpose, TransactionHandler>

/** The right to send for one operator key. Every write proves it by the fence. */
export interface LaneLease {
  chainId: number
  /** Lowercased. */
  address: string
  fence: number
}

/** Both EIP-1559 fee fields, in wei per gas. */
export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/** The limits an operator sets. */
export interface LaneLimits {
  finality: Finality
  /** The highest fee a transaction offers, in wei per gas, whatever a node suggests. */
  maxFeePerGas: bigint
  /** Age of the newest attempt at which its fees are raised. */
  replaceAfterSeconds: number
  /** Silence after which the same bytes are sent again. */
  resendAfterSeconds: number
  /** Pause between two searches for a receipt at a used nonce. */
  receiptCheckSeconds: number
  /** How long a process that fell silent keeps a lane. */
  leaseSeconds: number
}

/** Transactions of one operator key that may be unmined at the same time; nodes drop longer queues. */
export const maxInFlight = 16
