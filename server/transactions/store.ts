import { type ExpressionBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Address, Hash, Hex } from 'viem'
import type { Database } from '../db/connect.ts'
import type { DB } from '../db/generated/tables.ts'
import { secondsFrom } from '../lapsed.ts'
import type { LaneLease } from './lease.ts'
import type { Attempt, LaneTransaction } from './types.ts'

/** Pause between two looks at what waits for a person or was given up, in seconds. */
const restingLookSeconds = 5
const resting = ['needs_operator', 'abandoned'] as const

const isDue = sql<boolean>`(status <> all (array['needs_operator', 'abandoned'])
  or ${secondsFrom('updated_at')} >= ${sql.lit(restingLookSeconds)})`

/** Whether the lane has anything to look at or to send; if not, no node need be asked. */
export async function hasWork(db: Database, lane: LaneLease): Promise<boolean> {
  const row = await db
    .selectFrom('transactions')
    .select('id')
    .where('chain_id', '=', lane.chainId)
    .where((where) =>
      where.or([
        where.and([
          where('from_address', '=', lane.address),
          where('nonce', 'is not', null),
          where('is_final', '=', false),
          isDue,
        ]),
        where.and([
          where('status', '=', 'queued'),
          where.or([where('from_address', 'is', null), where('from_address', '=', lane.address)]),
        ]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
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
    .where((where) =>
      where.or([where.and([where('is_final', '=', false), isDue]), where('nonce', '>=', minedNonce)]),
    )
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
    attempts: row.attempts.map(toAttempt),
  }))
}

/** Whether a transaction moves only when a person has looked, or a receipt turns up after all. */
export function isResting(transaction: Pick<LaneTransaction, 'status'>): boolean {
  return (resting as readonly string[]).includes(transaction.status)
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
      sql<number>`abs(extract(epoch from clock_timestamp() - coalesce(sent_at, created_at)))`.as('quiet'),
      secondsFrom('created_at').as('age'),
    ])
    .whereRef('transaction_id', '=', 'transactions.id')
    .orderBy('max_fee_per_gas')
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

/** Hashes of all attempts for one end, whatever became of their transactions. */
export async function listHashes(db: Database, subject: string): Promise<Hash[]> {
  const rows = await db
    .selectFrom('transaction_attempts')
    .innerJoin('transactions', 'transactions.id', 'transaction_id')
    .select('hash')
    .where('subject', '=', subject)
    .orderBy('transaction_attempts.created_at', 'desc')
    .execute()
  return rows.map((row) => row.hash as Hash)
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
export async function recordSend(trx: Database, hash: Hash, error: string | null): Promise<void> {
  await trx
    .updateTable('transaction_attempts')
    .set({ sends: sql`sends + 1`, sent_at: sql`clock_timestamp()`, last_error: error })
    .where('hash', '=', hash)
    .execute()
}
