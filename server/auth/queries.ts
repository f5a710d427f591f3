import { sql } from 'kysely'
import type { Database } from '../db/client.ts'
import { inSeconds } from '../db/lease.ts'
import { prepared } from '../db/prepared.ts'

const agentColumns = [
  'agents.id',
  'agents.name',
  'agents.wallet_address',
  'agents.wallet_type',
  'agents.created_at',
] as const

/**
 * The agent whose current or replaced API key has this public part, the hash of that key, and whether the key has ended.
 * A key moves from `agents` to `replaced_keys` in one transaction, so one statement finds it once.
 */
export const agentByKeyId = prepared((db, { keyId }: { keyId: string }) =>
  db
    .selectFrom('agents')
    .where('key_id', '=', keyId)
    .select([...agentColumns, 'key_id', 'key_hash', sql<boolean>`false`.as('key_ended')])
    .select(sql<Buffer | null>`null::bytea`.as('rotation_digest'))
    .unionAll((query) =>
      query
        .selectFrom('replaced_keys as replaced')
        .innerJoin('agents', 'agents.id', 'replaced.agent_id')
        .where('replaced.key_id', '=', keyId)
        .select([
          ...agentColumns,
          'replaced.key_id',
          'replaced.key_hash',
          sql<boolean>`replaced.ends_at <= clock_timestamp()`.as('key_ended'),
          'replaced.rotation_digest',
        ]),
    ),
)

/** The agent whose access token has this digest, unless it has expired. */
export const agentByToken = prepared((db, { digest }: { digest: string }) =>
  db
    .selectFrom('access_tokens as token')
    .innerJoin('agents', 'agents.id', 'token.agent_id')
    .where('token.digest', '=', digest)
    .where('token.expires_at', '>', sql<Date>`clock_timestamp()`)
    .select([...agentColumns, 'token.id as key_id', 'token.scope', sql<boolean>`false`.as('key_ended')]),
)

/** Those of these access tokens that still work, by their ids. */
export async function liveTokens(db: Database, ids: readonly string[]): Promise<Set<string>> {
  const tokens = db.selectFrom('access_tokens').where('id', 'in', ids).select('id')
  const live = await tokens.where('expires_at', '>', sql<Date>`clock_timestamp()`).execute()
  return new Set(live.map(({ id }) => id))
}

/**
 * Replaces an agent's API key. The old key and all older ones end after `overlapSeconds` at the latest. Without an overlap
 * the old key may be in wrong hands, so what it has made, access tokens, ends as well. Returns the agent
 * and the end of the old key; `undefined` if `oldKeyId` is no longer the agent's key.
 */
export async function replaceKey(
  trx: Database,
  agentId: string,
  oldKeyId: string,
  replacement: { keyId: string; keyHash: string; overlapSeconds: number; rotationDigest: Buffer | null },
) {
  const old = await trx
    .selectFrom('agents')
    .where('id', '=', agentId)
    .where('key_id', '=', oldKeyId)
    .select('key_hash')
    .forUpdate()
    .executeTakeFirst()
  if (!old) return undefined
  if (replacement.overlapSeconds === 0)
    await trx.deleteFrom('access_tokens').where('agent_id', '=', agentId).execute()
  const { ends_at } = await trx
    .insertInto('replaced_keys')
    .values({
      key_id: oldKeyId,
      agent_id: agentId,
      key_hash: old.key_hash,
      ends_at: inSeconds(replacement.overlapSeconds),
      rotation_digest: replacement.rotationDigest,
    })
    .returning('ends_at')
    .executeTakeFirstOrThrow()
  await trx
    .updateTable('replaced_keys')
    .set({ ends_at })
    .where('agent_id', '=', agentId)
    .where('ends_at', '>', ends_at)
    .execute()
  const agent = await trx
    .updateTable('agents')
    .set({ key_id: replacement.keyId, key_hash: replacement.keyHash })
    .where('id', '=', agentId)
    .returning(agentColumns)
    .executeTakeFirstOrThrow()
  return { agent, endsAt: ends_at }
}

/** Deletes replaced keys that ended more than `seconds` ago. */
export async function purgeReplacedKeys(db: Database, seconds: number): Promise<void> {
  await db
    .deleteFrom('replaced_keys')
    .where('ends_at', '<', sql<Date>`now() - make_interval(secs => ${seconds})`)
    .execute()
}

/** Deletes access tokens that have expired. */
export async function purgeAccessTokens(db: Database): Promise<void> {
  await db.deleteFrom('access_tokens').where('expires_at', '<', sql<Date>`now()`).execute()
}

/** Stores `value` under `name` unless the name has a value, and returns the stored value. */
export async function keepServiceKey(db: Database, name: string, value: Buffer): Promise<Buffer> {
  await db
    .insertInto('service_keys')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await db
    .selectFrom('service_keys')
    .where('name', '=', name)
    .select('value')
    .executeTakeFirstOrThrow()
  return row.value
}
