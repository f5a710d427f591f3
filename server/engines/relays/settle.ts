import { sql } from 'kysely'
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
 * The chain has used a relay as it was signed. Confirming again only replaces the hash, since a reorganisation may have
 * preferred another transaction.
 */
export async function confirmRelay(
  trx: Database,
  id: string,
  { hash, amount, ethPaid }: Confirmation,
): Promise<undefined> {
  const relay = await trx
    .selectFrom('relays')
    .where('id', '=', id)
    .select(['id', 'kind', 'agent_id', 'project_id', 'status', 'tx_hash', 'confirmed_at'])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (relay.status === 'confirmed' && relay.tx_hash === hash) return
  await trx
    .updateTable('relays')
    .set({
      status: 'confirmed',
      tx_hash: hash,
      amount: amount.toString(),
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
 * The chain has refused a relay, which can still be used until it expires. One that was reported confirmed runs again, and
 * the sweep settles it.
 */
export async function reopenRelay(trx: Database, id: string, code?: RelayFailure): Promise<undefined> {
  await trx
    .updateTable('relays')
    .set({
      status: 'running',
      tx_hash: null,
      eth_paid: null,
      error_code: code ?? null,
      error: code ? relayFailures[code] : null,
      ...touched,
    })
    .where('id', '=', id)
    .where('status', 'in', ['running', 'confirmed'])
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

/** What the only transaction of a relay has cost replaces what was reserved for it in the gas budget of a day. */
export async function recordGasCost(trx: Database, relayId: string, wei: bigint): Promise<void> {
  await trx
    .updateTable('relays')
    .set({ gas_reserved_wei: wei.toString() })
    .where('id', '=', relayId)
    .execute()
}
