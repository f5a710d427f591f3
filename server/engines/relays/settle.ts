import { sql } from 'kysely'
import type { Hash } from 'viem'
import { recordActivity } from '../../db/activity.ts'
import type { Database } from '../../db/client.ts'
import type { Problem } from '../problems.ts'
import { type RelayFailure, relayFailures } from './failures.ts'
import type { Confirmation } from './settlement.ts'
import type { Relay } from './store.ts'

const touched = { updated_at: sql<Date>`clock_timestamp()` }

/** Records what has become of a relay, for its agent alone. */
export async function recordRelay(
  trx: Database,
  happened: 'requested' | 'confirmed' | 'failed',
  relay: { id: string; kind: Relay['kind']; agent_id: string; project_id: string },
): Promise<void> {
  const { id, kind, agent_id, project_id } = relay
  const of = { visibility: 'private', agent_id, project_id } as const
  if (kind === 'withdrawal')
    await recordActivity(trx, { ...of, type: `withdrawal.${happened}`, data: { withdrawal_id: id } })
  else await recordActivity(trx, { ...of, type: `allowance.${happened}`, data: { allowance_id: id } })
}

/**
 * The chain has used a running relay as it was asked for. Of a watched transaction that holds only while its lane still
 * has it as mined: a process that was stopped since it read the chain must not undo what the lane has found meanwhile.
 */
export async function confirmRelay(
  trx: Database,
  id: string,
  { hash, amount, ethPaid, isWatched }: Confirmation,
): Promise<undefined> {
  const running = trx.selectFrom('relays').where('id', '=', id).where('status', '=', 'running')
  const fields = ['id', 'kind', 'agent_id', 'project_id', 'confirmed_at'] as const
  const relay = await running.select(fields).forNoKeyUpdate().executeTakeFirst()
  if (!relay) return
  const own = trx.selectFrom('transactions').where('entity_id', '=', id).where('status', '=', 'confirmed')
  if (isWatched && !(await own.where('mined_hash', '=', hash).select('id').executeTakeFirst())) return
  await trx
    .updateTable('relays')
    .set({
      status: 'confirmed',
      tx_hash: hash,
      amount_moved: amount.toString(),
      eth_paid: ethPaid === null ? null : ethPaid.toString(),
      error_code: null,
      error: null,
      confirmed_at: sql<Date>`coalesce(confirmed_at, clock_timestamp())`,
      ...touched,
    })
    .where('id', '=', id)
    .execute()
  if (relay.confirmed_at === null) await recordRelay(trx, 'confirmed', relay)
}

/**
 * A relay that was confirmed by one of these transactions, which the chain does not have, runs again: the sweep settles it.
 * With `isMade`, which a transaction shows that the chain has, one that was reported failed runs again too.
 */
export async function reopenRelay(trx: Database, id: string, lost: Hash[], isMade = false): Promise<void> {
  await trx
    .updateTable('relays')
    .set({ status: 'running', tx_hash: null, amount_moved: null, eth_paid: null, ...touched })
    .where('id', '=', id)
    .where(
      sql<boolean>`((status = 'confirmed' and tx_hash = any(${lost})) or (status = 'failed' and ${isMade}))`,
    )
    .execute()
}

/** Keeps why the chain refuses a running relay, which may still be used until it expires: the reason if it then fails. */
export async function keepRefusal(db: Database, id: string, code: RelayFailure): Promise<void> {
  await db
    .updateTable('relays')
    .set({ error_code: code, error: relayFailures[code] })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .execute()
}

/**
 * Nobody can use a relay any more. If the relay had been reported confirmed, an
 * operator has to know: returns the problem.
 */
export async function failRelay(trx: Database, id: string, code: RelayFailure): Promise<Problem | undefined> {
  const relay = await trx
    .updateTable('relays')
    .set({ status: 'failed', error_code: code, error: relayFailures[code], ...touched })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .returning(['id', 'kind', 'agent_id', 'project_id', 'confirmed_at'])
    .executeTakeFirst()
  if (!relay) return undefined
  await recordRelay(trx, 'failed', relay)
  return relay.confirmed_at === null ? undefined : { kind: 'withdrawal_taken_back' }
}

/**
 * What a relay's transaction has cost replaces what was reserved for it in the gas budget of a day; a cost that the node
 * does not say leaves that. Either way this locks the relay.
 */
export async function recordGasCost(trx: Database, relayId: string, wei: bigint | undefined): Promise<void> {
  await trx
    .updateTable('relays')
    .set({ gas_reserved_wei: sql`coalesce(${wei?.toString() ?? null}, gas_reserved_wei)` })
    .where('id', '=', relayId)
    .execute()
}
