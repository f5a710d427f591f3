import { type ExpressionBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Address, Hash, Hex } from 'viem'
import type { Database } from '../db/connect.ts'
import type { DB } from '../db/generated/tables.ts'
import type { LaneLease } from './lease.ts'
import type { Attempt, LaneTransaction, Purpose, QueuedTransaction } from './types.ts'

/** Stores, in the caller's transaction, that a transaction is wanted; returns its id. `from` pins it to one lane. */
export async function enqueueTransaction(
  trx: Database,
  wanted: {
    chainId: number
    purpose: Purpose
    subject: string
    to: string
    data: Hex
    from?: string
  },
): Promise<number> {
  const row = await trx
    .insertInto('transactions')
    .values({
      chain_id: wanted.chainId,
      purpose: wanted.purpose,
      subject: wanted.subject,
      to_address: wanted.to.toLowerCase(),
      data: wanted.data,
      from_address: wanted.from?.toLowerCase() ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Queued transactions this lane may take, oldest first. */
export async function queuedFor(db: Database, lane: LaneLease, limit: number): Promise<QueuedTransaction[]> {
  const rows = await db
    .selectFrom('transactions')
    .select(['id', 'purpose', 'subject', 'to_address', 'data'])
    .where('chain_id', '=', lane.chainId)
    .where('status', '=', 'queued')
    .where((where) => where.or([where('from_address', 'is', null), where('from_address', '=', lane.address)]))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    purpose: row.purpose as Purpose,
    subject: row.subject as string,
    to: row.to_address as Address,
    data: row.data as Hex,
  }))
}

/** Everything of the lane that can still change, and whatever holds a nonce the chain has not used, by nonce. */
export async function watchedBy(
  db: Database,
  lane: LaneLease,
  minedNonce: number,
): Promise<LaneTransaction[]> {
  const rows = await db
    .selectFrom('transactions')
    .selectAll('transactions')
    .select((builder) => jsonArrayFrom(attemptsOf(builder)).as('attempts'))
    .where('chain_id', '=', lane.chainId)
    .where('from_address', '=', lane.address)
    .where('nonce', 'is not', null)
    .where((where) => where.or([where('is_final', '=', false), where('nonce', '>=', minedNonce)]))
    .orderBy('nonce')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    purpose: row.purpose as LaneTransaction['purpose'],
    subject: row.subject,
    to: row.to_address as Address,
    data: row.data as Hex,
    nonce: row.nonce as number,
    gasLimit: BigInt(row.gas_limit as number),
    status: row.status as LaneTransaction['status'],
    blockNumber: row.block_number,
    blockHash: row.block_hash as Hash | null,
    isFinal: row.is_final,
    looks: row.looks,
    attempts: row.attempts.map(toAttempt),
  }))
}

function attemptsOf(builder: ExpressionBuilder<DB, 'transactions'>) {
  return builder
    .selectFrom('transaction_attempts')
    .select([
      'hash',
      'raw',
      'head_block',
      'sends',
      'last_error',
      sql<string>`max_fee_per_gas::text`.as('max_fee'),
      sql<string>`max_priority_fee_per_gas::text`.as('max_priority_fee'),
      sql<number>`extract(epoch from clock_timestamp() - coalesce(sent_at, created_at))`.as('quiet'),
      sql<number>`extract(epoch from clock_timestamp() - created_at)`.as('age'),
    ])
    .whereRef('transaction_id', '=', 'transactions.id')
    .orderBy('created_at')
}

function toAttempt(row: {
  hash: string
  raw: string
  head_block: number
  sends: number
  last_error: string | null
  max_fee: string
  max_priority_fee: string
  quiet: number
  age: number
}): Attempt {
  return {
    hash: row.hash as Hash,
    raw: row.raw as Hex,
    headBlock: row.head_block,
    maxFeePerGas: BigInt(row.max_fee),
    maxPriorityFeePerGas: BigInt(row.max_priority_fee),
    sends: row.sends,
    quietSeconds: Number(row.quiet),
    ageSeconds: Number(row.age),
    lastError: row.last_error,
  }
}

/** The nonce the lane would use next, by our own book. */
export async function nextNonceOf(db: Database, lane: LaneLease): Promise<number> {
  const row = await db
    .selectFrom('lanes')
    .select('next_nonce')
    .where('chain_id', '=', lane.chainId)
    .where('address', '=', lane.address)
    .executeTakeFirstOrThrow()
  return row.next_nonce
}

/** Moves the lane's next nonce to `nonce`. */
export async function setNextNonce(trx: Database, lane: LaneLease, nonce: number): Promise<void> {
  await trx
    .updateTable('lanes')
    .set({ next_nonce: nonce })
    .where('chain_id', '=', lane.chainId)
    .where('address', '=', lane.address)
    .execute()
}

/** Gives a queued transaction its nonce; false where another lane was faster. */
export async function assignNonce(
  trx: Database,
  lane: LaneLease,
  assignment: { id: number; nonce: number; gasLimit: bigint },
): Promise<boolean> {
  const row = await trx
    .updateTable('transactions')
    .set({
      status: 'unconfirmed',
      from_address: lane.address,
      nonce: assignment.nonce,
      gas_limit: Number(assignment.gasLimit),
      updated_at: sql`clock_timestamp()`,
    })
    .where('id', '=', assignment.id)
    .where('status', '=', 'queued')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** A transaction of our own that does nothing but use a nonce that would block all later ones; returns its id. */
export async function insertNoop(
  trx: Database,
  lane: LaneLease,
  noop: { nonce: number; gasLimit: bigint },
): Promise<number> {
  const row = await trx
    .insertInto('transactions')
    .values({
      chain_id: lane.chainId,
      purpose: 'noop',
      from_address: lane.address,
      to_address: lane.address,
      data: '0x',
      nonce: noop.nonce,
      gas_limit: Number(noop.gasLimit),
      status: 'unconfirmed',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Stores signed bytes; from here on they may be sent. */
export async function insertAttempt(
  trx: Database,
  transactionId: number,
  attempt: { hash: Hash; raw: Hex; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint; headBlock: number },
): Promise<void> {
  await trx
    .insertInto('transaction_attempts')
    .values({
      hash: attempt.hash,
      transaction_id: transactionId,
      raw: attempt.raw,
      max_fee_per_gas: attempt.maxFeePerGas.toString(),
      max_priority_fee_per_gas: attempt.maxPriorityFeePerGas.toString(),
      head_block: attempt.headBlock,
    })
    .execute()
}

/** Notes that bytes were offered to a node and what it said, if it refused. */
export async function recordSend(db: Database, hash: Hash, error: string | null): Promise<void> {
  await db
    .updateTable('transaction_attempts')
    .set({ sends: sql`sends + 1`, sent_at: sql`clock_timestamp()`, last_error: error })
    .where('hash', '=', hash)
    .execute()
}

/** Ends a queued transaction without a nonce; false where a lane has taken it meanwhile. */
export async function refuse(trx: Database, id: number, reason: string): Promise<boolean> {
  const row = await trx
    .updateTable('transactions')
    .set({ status: 'refused', error: reason, updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Where a transaction was mined, and what that means so far. */
export async function recordMined(
  trx: Database,
  id: number,
  mined: {
    status: 'mined' | 'confirmed' | 'reverted'
    hash: Hash
    blockNumber: number
    blockHash: Hash
  },
): Promise<void> {
  await trx
    .updateTable('transactions')
    .set({
      status: mined.status,
      mined_hash: mined.hash,
      block_number: mined.blockNumber,
      block_hash: mined.blockHash,
      is_final: false,
      looks: 0,
      error: null,
      updated_at: sql`clock_timestamp()`,
    })
    .where('id', '=', id)
    .execute()
}

/** The receipt is gone: the transaction is wanted again, with the same nonce and the same bytes. */
export async function recordVanished(trx: Database, id: number): Promise<void> {
  await trx
    .updateTable('transactions')
    .set({
      status: 'unconfirmed',
      mined_hash: null,
      block_number: null,
      block_hash: null,
      is_final: false,
      looks: 0,
      updated_at: sql`clock_timestamp()`,
    })
    .where('id', '=', id)
    .execute()
}

/** The receipt is deep enough to be looked at no more. */
export async function recordFinal(trx: Database, ids: number[]): Promise<void> {
  await trx.updateTable('transactions').set({ is_final: true }).where('id', 'in', ids).execute()
}

/** The nonce is used up and no receipt of ours is found: counts the look, at most one in two seconds. */
export async function recordLook(trx: Database, id: number): Promise<number> {
  const row = await trx
    .updateTable('transactions')
    .set({ looks: sql`looks + 1`, updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('updated_at', '<', sql<Date>`clock_timestamp() - interval '2 seconds'`)
    .returning('looks')
    .executeTakeFirst()
  return row?.looks ?? 0
}

/** A person must look: nothing more happens to this transaction by itself. */
export async function recordStuck(trx: Database, id: number, why: string): Promise<void> {
  await trx
    .updateTable('transactions')
    .set({
      status: 'needs_operator',
      mined_hash: null,
      block_number: null,
      block_hash: null,
      is_final: false,
      error: why,
      updated_at: sql`clock_timestamp()`,
    })
    .where('id', '=', id)
    .execute()
}
