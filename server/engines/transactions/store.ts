import { type RawBuilder, sql } from 'kysely'
import type { Hash } from 'viem'
import type { Database } from '../../db/client.ts'
import { secondsFrom } from '../../db/lease.ts'
import { type LaneLease, laneHeld, writeUnderLease } from './lane-lease.ts'
import type { Attempt, LaneTransaction, SignedAttempt } from './types.ts'

/** Pause between two looks at what waits for a person or was given up, in seconds. */
const parkedCheckSeconds = 5
const resting = ['needs_operator', 'abandoned'] as const

/** Condition: it is time to look at a transaction. */
export const isDue = sql<boolean>`(status <> all (array['needs_operator', 'abandoned'])
  or ${secondsFrom('updated_at')} >= ${sql.lit(parkedCheckSeconds)})`

/** A row of `transactions t` with its attempts, as JSON; numbers that JSON would round are text. */
export function transactionJson(details: RawBuilder<unknown>) {
  return sql<TransactionRow>`jsonb_build_object(
    'id', t.id, 'purpose', t.purpose, 'entityId', t.entity_id, 'to', t.to_address, 'data', t.data, 'nonce', t.nonce,
    'gasLimit', t.gas_limit::text, 'status', t.status, 'blockNumber', t.block_number, 'blockHash', t.block_hash,
    'isFinal', t.is_final, 'details', ${details},
    'vanishedHash', case when not exists (select from transaction_attempts a
      where a.transaction_id = t.id and a.created_at > t.vanished_at) then t.vanished_hash end,
    'attempts', (select coalesce(jsonb_agg(jsonb_build_object(
        'hash', a.hash, 'raw', a.raw, 'headBlock', a.head_block, 'sends', case when a.sent_at < t.vanished_at then 0 else a.sends end, 'lastError', case when a.sent_at < t.vanished_at then null else a.last_error end,
        'maxFeePerGas', a.max_fee_per_gas::text, 'maxPriorityFeePerGas', a.max_priority_fee_per_gas::text,
        'quietSeconds', abs(extract(epoch from clock_timestamp() - coalesce(a.sent_at, a.created_at))),
        'ageSeconds', abs(extract(epoch from clock_timestamp() - greatest(a.created_at, t.vanished_at))))
      order by a.max_fee_per_gas, a.created_at), '[]') from transaction_attempts a where a.transaction_id = t.id))`
}

/** What {@link transactionJson} makes. */
export type TransactionRow = Omit<LaneTransaction, 'gasLimit' | 'attempts'> & {
  gasLimit: string
  attempts: (Omit<Attempt, 'maxFeePerGas' | 'maxPriorityFeePerGas'> & {
    maxFeePerGas: string
    maxPriorityFeePerGas: string
  })[]
}

/** A transaction as the lanes see it. */
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

/** Whether a transaction moves only when a person has looked, or a receipt turns up after all. */
export function isParked(transaction: Pick<LaneTransaction, 'status'>): boolean {
  return (resting as readonly string[]).includes(transaction.status)
}

/** Hashes of all attempts for one end, whatever became of their transactions. */
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
  attempt: SignedAttempt,
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

/** Notes that bytes were offered to a node and what it said of each, if it refused. @throws LeaseLostError */
export async function recordSends(
  db: Database,
  lease: LaneLease,
  sends: { hash: Hash; refusal: string | null }[],
): Promise<void> {
  const hashes = sends.map(({ hash }) => hash)
  const refusals = sends.map(({ refusal }) => refusal)
  await writeUnderLease(
    db,
    lease,
    sql<{ held: boolean }>`
    with lane as materialized (${laneHeld(lease)}),
    noted as (update transaction_attempts a
      set sends = a.sends + 1, sent_at = clock_timestamp(), last_error = offered.refusal
      from lane, unnest(${hashes}::text[], ${refusals}::text[]) as offered (hash, refusal)
      where a.hash = offered.hash)
    select exists (select from lane) as held`,
  )
}
