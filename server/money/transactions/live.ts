import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import type { Purpose } from './types.ts'

/** States in which a transaction can still bring about what it is for, or has done so. */
const liveStates = ['queued', 'unconfirmed', 'mined', 'confirmed', 'needs_operator']

/** Condition: a row of `transactions`, which the query calls `alias`, is in a live state. */
export function isLive(alias: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${alias}.status`)} = any (${sql.lit(`{${liveStates}}`)})`
}

/** Condition: another transaction with the purpose and entity id of the row `t` is live. */
export function otherIsLive(): RawBuilder<boolean> {
  return otherWith(isLive('other'))
}

/**
 * Condition: another one than the row `t` is live and not final. A transaction that waits behind a final success is
 * prepared all the same, and then ended because there is nothing left to do.
 */
export function otherIsUnresolved(): RawBuilder<boolean> {
  return otherWith(sql`${isLive('other')} and not (other.status = 'confirmed' and other.is_final)`)
}

function otherWith(condition: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from transactions other where other.entity_id = t.entity_id
    and other.purpose = t.purpose and other.id <> t.id and ${condition})`
}

/**
 * Whether a live transaction exists. A payout or a deploy gets a second nonce only when its first transaction can have no
 * effect any more.
 */
export async function hasLiveTransaction(db: Database, purpose: Purpose, entityId: string): Promise<boolean> {
  const { rows } = await sql`select from transactions t
    where t.entity_id = ${entityId} and t.purpose = ${purpose} and ${isLive('t')} limit 1`.execute(db)
  return rows.length > 0
}
