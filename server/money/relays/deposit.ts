import type { Database } from '../../db/client.ts'
import { recordActivity } from '../../events/record.ts'
import { raiseRevision } from '../../lifecycle/revisions.ts'
import { lockBounty } from '../../lifecycle/situation.ts'
import { toDollars } from '../chain/units.ts'
import { moveOrderIf, noteOnOrder } from '../orders/move.ts'
import type { Confirmation } from './settlement.ts'

// A deposit follows the relay that carries its signature, in the same transaction.

/**
 * The platform wallet has the dollars. The bounty has a new revision then, so that a claim that names the one it has read is not
 * surprised.
 */
export async function settleDeposit(
  trx: Database,
  relay: { id: string; agent_id: string; project_id: string | null; confirmed_at: Date | null },
  { hash, amount, lockedUntil }: Confirmation,
): Promise<void> {
  const bountyId = await bountyOf(trx, relay.id)
  if (bountyId === undefined || hash === null || lockedUntil == null) return
  // As payouts and requests do, before the deposit.
  await lockBounty(trx, bountyId)
  const locked_until = new Date(lockedUntil * 1000)
  const lock = { amount: amount.toString(), fund_tx: hash, locked_until }
  const isLocked = await moveOrderIf(trx, 'deposit', 'settle', bountyId, lock)
  if (!isLocked || relay.confirmed_at !== null) return
  const { revision, audience } = await raiseRevision(trx, bountyId)
  const data = {
    amount: toDollars(amount),
    tx_hash: hash,
    revision,
    locked_until: locked_until.toISOString(),
  }
  const { agent_id, project_id } = relay
  await recordActivity(trx, {
    type: 'bounty.funded',
    agent_id,
    project_id,
    bounty_id: bountyId,
    audience,
    data,
  })
}

/** A reorganisation may have made it in another block, whose time counts for the lock. */
export async function refreshLock(trx: Database, relayId: string, lockedUntil: number): Promise<void> {
  const bountyId = await bountyOf(trx, relayId)
  if (bountyId === undefined) return
  await lockBounty(trx, bountyId)
  const { fund_tx } = await trx
    .selectFrom('deposits')
    .where('bounty_id', '=', bountyId)
    .select('fund_tx')
    .executeTakeFirstOrThrow()
  if (fund_tx !== null)
    await noteOnOrder(trx, 'deposit', bountyId, { locked_until: new Date(lockedUntil * 1000) })
}

/** Nobody can use its signature any more. */
export async function failDeposit(
  trx: Database,
  relayId: string,
  error: { error_code: string; error: string },
): Promise<void> {
  const bountyId = await bountyOf(trx, relayId)
  if (bountyId !== undefined) await moveOrderIf(trx, 'deposit', 'fail', bountyId, error)
}

/** Its relay runs again. */
export async function reopenDeposit(trx: Database, relayId: string): Promise<void> {
  const bountyId = await bountyOf(trx, relayId)
  if (bountyId !== undefined) await moveOrderIf(trx, 'deposit', 'reopen', bountyId)
}

/** The bounty whose deposit a relay carries; undefined where another signature has taken its place. */
async function bountyOf(trx: Database, relayId: string): Promise<string | undefined> {
  const found = trx.selectFrom('deposits').where('relay_id', '=', relayId).select('bounty_id')
  return (await found.executeTakeFirst())?.bounty_id
}
