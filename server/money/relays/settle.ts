import type { Hash } from 'viem'
import type { Database } from '../../db/client.ts'
import { recordActivity } from '../../events/record.ts'
import { moveOrder, moveOrderIf, noteOnOrder } from '../orders/move.ts'
import { failDeposit, reopenDeposit, settleDeposit } from './deposit.ts'
import { type RelayFailure, relayFailures } from './failures.ts'
import type { Confirmation } from './settlement.ts'
import type { Relay } from './store.ts'

/** Records what has become of a withdrawal or a permit, for its agent alone. Of a deposit `bounty.funded` says more. */
export async function recordRelay(
  trx: Database,
  happened: 'requested' | 'confirmed' | 'failed',
  relay: { id: string; kind: Relay['kind']; agent_id: string; project_id: string | null },
): Promise<void> {
  const { id, kind, agent_id, project_id } = relay
  const of = { visibility: 'private', agent_id, project_id } as const
  if (kind === 'withdrawal')
    await recordActivity(trx, { ...of, type: `withdrawal.${happened}`, data: { withdrawal_id: id } })
  if (kind === 'permit')
    await recordActivity(trx, { ...of, type: `allowance.${happened}`, data: { allowance_id: id } })
}

/**
 * The chain has used a running relay as it was asked for. Of a watched transaction that holds only while its lane still
 * has it as mined: a process that was stopped since it read the chain must not undo what the lane has found meanwhile.
 */
export async function confirmRelay(
  trx: Database,
  id: string,
  confirmation: Confirmation,
): Promise<SettledRelay | undefined> {
  const { hash, amount, ethPaid, isWatched } = confirmation
  const relay = await lockRelay(trx, id)
  if (relay.status !== 'running') return undefined
  const own = trx.selectFrom('transactions').where('entity_id', '=', id).where('status', '=', 'confirmed')
  if (isWatched && !(await own.where('mined_hash', '=', hash).select('id').executeTakeFirst()))
    return undefined
  await moveOrder(trx, 'relay', 'settle', id, {
    tx_hash: hash,
    amount_moved: amount.toString(),
    eth_paid: ethPaid === null ? null : ethPaid.toString(),
  })
  if (relay.kind === 'deposit') await settleDeposit(trx, relay, confirmation)
  if (relay.confirmed_at === null) await recordRelay(trx, 'confirmed', relay)
  return relay
}

/** A relay as it was before it was settled. */
type SettledRelay = Awaited<ReturnType<typeof lockRelay>>

function lockRelay(trx: Database, id: string) {
  return trx
    .selectFrom('relays')
    .select(['id', 'kind', 'agent_id', 'project_id', 'status', 'tx_hash', 'confirmed_at'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/**
 * A relay that was confirmed by one of these transactions, which the chain does not have, runs again: the sweep settles it.
 * With `isMade`, which a transaction shows that the chain has, one that was reported failed runs again too.
 */
export async function reopenRelay(trx: Database, id: string, lost: Hash[], isMade = false): Promise<void> {
  // The sweep may be confirming it by a transaction that is lost now.
  const { kind, status, tx_hash } = await lockRelay(trx, id)
  const isLost = status === 'confirmed' && lost.some((hash) => hash === tx_hash)
  if (!isLost && !(status === 'failed' && isMade)) return
  await moveOrder(trx, 'relay', 'reopen', id)
  if (kind === 'deposit') await reopenDeposit(trx, id)
}

/**
 * Keeps why the chain refuses a running relay, which may still be used until it expires: the reason if it then fails. Without
 * a code that is unknown.
 */
export async function keepRefusal(trx: Database, id: string, code: RelayFailure | undefined): Promise<void> {
  const error = { error_code: code ?? null, error: code ? relayFailures[code] : null }
  await moveOrderIf(trx, 'relay', 'refuse', id, error)
}

/** Nobody can use a running relay any more. */
export async function failRelay(
  trx: Database,
  id: string,
  code: RelayFailure,
): Promise<SettledRelay | undefined> {
  const relay = await lockRelay(trx, id)
  if (relay.status !== 'running') return undefined
  const error = { error_code: code, error: relayFailures[code] }
  await moveOrder(trx, 'relay', 'fail', id, error)
  if (relay.kind === 'deposit') await failDeposit(trx, id, error)
  await recordRelay(trx, 'failed', relay)
  return relay
}

/** What a relay's transaction has cost replaces what was reserved for it in the gas budget of a day. */
export async function recordGasCost(trx: Database, relayId: string, wei: bigint): Promise<void> {
  await noteOnOrder(trx, 'relay', relayId, { gas_reserved_wei: wei.toString() })
}
