import { sql } from 'kysely'
import type { Hash, Hex } from 'viem'
import { hexOf, toBytes } from '../../db/bytes.ts'
import type { Database } from '../../db/client.ts'
import { secondsFrom } from '../../db/lease.ts'
import { underLease } from './lane/lease.ts'
import type { Attempt, LaneLease, LaneTransaction, Purpose, SignedAttempt } from './types.ts'

/** States in which a transaction waits for a person or was given up. */
const parkedStates: string[] = ['needs_operator', 'abandoned']
/** Pause between two checks of a parked transaction, in seconds. */
const parkedCheckSeconds = 5

/** Condition: a transaction is due for a check at this tick. */
export const isDue = sql<boolean>`(status <> all (${sql.lit(`{${parkedStates}}`)})
  or ${secondsFrom('updated_at')} >= ${sql.lit(parkedCheckSeconds)})`

/** A row of `transactions t` with its attempts, as JSON; numbers that JSON would round are text. */
export const transactionJson = sql<TransactionRow>`jsonb_build_object(
    'id', t.id, 'purpose', t.purpose, 'entityId', t.entity_id, 'to', t.to_address, 'data', ${hexOf('t.data')}, 'nonce', t.nonce,
    'gasLimit', t.gas_limit::text, 'status', t.status, 'blockNumber', t.block_number, 'blockHash', t.block_hash,
    'isFinal', t.is_final,
    'vanishedHash', case when not exists (select from transaction_attempts a
      where a.transaction_id = t.id and a.created_at > t.vanished_at) then t.vanished_hash end,
    'attempts', (select coalesce(jsonb_agg(jsonb_build_object(
        'hash', a.hash, 'raw', ${hexOf('a.raw')}, 'headBlock', a.head_block, 'sends', case when a.sent_at < t.vanished_at then 0 else a.sends end, 'lastError', case when a.sent_at < t.vanished_at then null else a.last_error end,
        'maxFeePerGas', a.max_fee_per_gas::text, 'maxPriorityFeePerGas', a.max_priority_fee_per_gas::text,
        'quietSeconds', abs(extract(epoch from clock_timestamp() - coalesce(a.sent_at, a.created_at))),
        'ageSeconds', abs(extract(epoch from clock_timestamp() - greatest(a.created_at, t.vanished_at))))
      order by a.max_fee_per_gas, a.created_at), '[]') from transaction_attempts a where a.transaction_id = t.id))`

/** What {@link transactionJson} returns. */
export type TransactionRow = Omit<LaneTransaction, 'gasLimit' | 'attempts'> & {
  gasLimit: string
  attempts: (Omit<Attempt, 'maxFeePerGas' | 'maxPriorityFeePerGas'> & {
    maxFeePerGas: string
    maxPriorityFeePerGas: string
  })[]
}

/** Converts a row of {@link transactionJson}. */
export function toLaneTransaction(row: TransactionRow): LaneTransaction {
  return {
    ...row,
    gasLimit: BigInt(row.gasLimit),
    attempts: row.attempts.map((attempt) => ({
      ...attempt,
      maxFeePerGas: BigInt(attempt.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(attempt.maxPriorityFeePerGas),
    })),
  }
}

/** Whether a transaction moves only when a person decides, or when a receipt of ours appears after all. */
export function isParked(transaction: Pick<LaneTransaction, 'status'>): boolean {
  return parkedStates.includes(transaction.status)
}

/** Hashes of all attempts for one entity, whatever became of their transactions, the newest first. */
export async function listHashes(db: Database, entityId: string): Promise<Hash[]> {
  const rows = await db
    .selectFrom('transaction_attempts')
    .innerJoin('transactions', 'transactions.id', 'transaction_id')
    .select('hash')
    .where('entity_id', '=', entityId)
    .orderBy('transaction_attempts.created_at', 'desc')
    .execute()
  return rows.map((row) => row.hash as Hash)
}

/** A transaction that was signed before it is stored. */
export interface SignedTransaction {
  chainId: number
  purpose: Purpose | 'noop'
  entityId: string | null
  from: string
  to: string
  data: Hex
  nonce: number
  gasLimit: bigint
  attempt: SignedAttempt
}

/** Stores a transaction together with its nonce and its signed bytes; returns its id. */
export async function insertSigned(trx: Database, signed: SignedTransaction): Promise<number> {
  const { id } = await trx
    .insertInto('transactions')
    .values({
      chain_id: signed.chainId,
      purpose: signed.purpose,
      entity_id: signed.entityId,
      from_address: signed.from.toLowerCase(),
      to_address: signed.to.toLowerCase(),
      data: toBytes(signed.data),
      nonce: signed.nonce,
      gas_limit: Number(signed.gasLimit),
      status: 'unconfirmed',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertAttempt(trx, id, signed.attempt)
  return id
}

/** Stores signed bytes, which may be sent from then on. */
export async function insertAttempt(
  trx: Database,
  transactionId: number,
  attempt: SignedAttempt,
): Promise<void> {
  await trx
    .insertInto('transaction_attempts')
    .values({
      hash: attempt.hash,
      transaction_id: transactionId,
      raw: toBytes(attempt.raw),
      max_fee_per_gas: attempt.maxFeePerGas.toString(),
      max_priority_fee_per_gas: attempt.maxPriorityFeePerGas.toString(),
      head_block: attempt.headBlock,
    })
    .execute()
}

/** Stores that bytes were sent to a node, and the node's error where it refused them. @throws LeaseLostError */
export async function recordSends(
  db: Database,
  lease: LaneLease,
  sends: { hash: Hash; refusal: string | null }[],
): Promise<void> {
  await underLease(db, lease, async (trx) => {
    for (const { hash, refusal } of sends)
      await trx
        .updateTable('transaction_attempts')
        .set({ sends: sql`sends + 1`, sent_at: sql`clock_timestamp()`, last_error: refusal })
        .where('hash', '=', hash)
        .execute()
  })
}
