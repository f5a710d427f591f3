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
 * The chain has used a relay as it was signed. Confirming again only replaces what the chain shows, since a reorganisation
 * may have preferred another transaction. A known hash stays where the new evidence has none.
 */
export async function confirmRelay(
  trx: Database,
  id: string,
  { hash, amount, ethPaid }: Confirmation,
): Promise<undefined> {
  const relay = await trx
    .selectFrom('relays')
    .where('id', '=', id)
    .select([
      'id',
      'kind',
      'agent_id',
      'project_id',
      'status',
      'tx_hash',
      'amount_moved',
      'eth_paid',
      'confirmed_at',
    ])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const shown = {
    tx_hash: hash ?? relay.tx_hash,
    amount_moved: amount.toString(),
    eth_paid: ethPaid === null ? null : ethPaid.toString(),
  }
  const isSame = Object.entries(shown).every(([name, value]) => relay[name as keyof typeof shown] === value)
  if (relay.status === 'confirmed' && isSame) return
  await trx
    .updateTable('relays')
    .set({
      status: 'confirmed',
      ...shown,
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
 * The chain has refused a relay, which can still be used until it expires. One that was reported confirmed runs again, and
 * the sweep settles it.
 */
export async function reopenRelay(trx: Database, id: string, code?: RelayFailure): Promise<undefined> {
  await reopening(trx, id, code).execute()
}

/** Nobody knows what has become of the transaction with these attempts. If one of them confirmed a relay, it runs again. */
export async function reopenConfirmedBy(trx: Database, id: string, attempts: Hash[]): Promise<void> {
  await reopening(trx, id).where(sql<boolean>`tx_hash = any(${attempts})`).execute()
}

function reopening(trx: Database, id: string, code?: RelayFailure) {
  return trx
    .updateTable('relays')
    .set({
      status: 'running',
      tx_hash: null,
      amount_moved: null,
      eth_paid: null,
      error_code: code ?? null,
      error: code ? relayFailures[code] : null,
      ...touched,
    })
    .where('id', '=', id)
    .where('status', 'in', ['running', 'confirmed'])
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
 * Ends the transaction of a settled relay unless a lane has taken it: only the holder of a lane writes what is sent. One
 * that was never sent has cost nothing.
 */
export async function endQueued(trx: Database, relayId: string, reason: string): Promise<void> {
  const ended = await trx
    .updateTable('transactions')
    .set({ status: 'refused', error: reason, ...touched })
    .where('entity_id', '=', relayId)
    .where('status', '=', 'queued')
    .returning('id')
    .executeTakeFirst()
  if (ended) await recordGasCost(trx, relayId, 0n)
}

/** What a relay's transaction has cost replaces what was reserved for it in the gas budget of a day. */
export async function recordGasCost(trx: Database, relayId: string, wei: bigint): Promise<void> {
  await trx
    .updateTable('relays')
    .set({ gas_reserved_wei: wei.toString() })
    .where('id', '=', relayId)
    .execute()
}
