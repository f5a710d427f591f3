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
 * The agent whose API key has this public part, the hash of the key, and whether its time is over: of the key in force
 * or a replaced one. A key moves from `agents` to `replaced_keys` in one transaction, so one statement finds it once.
 */
export const agentByKeyId = prepared((db, { keyId }: { keyId: string }) =>
  db
    .selectFrom('agents')
    .where('key_id', '=', keyId)
    .select([...agentColumns, 'key_id', 'key_hash', sql<boolean>`false`.as('key_ended')])
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
        ]),
    ),
)

/**
 * Replaces an agent's API key and lets the old one live for `overlapSeconds`, and every older one no longer than
 * that. Returns the agent and when the old one ends; `undefined` where `oldKeyId` is not the agent's key any more.
 */
export async function replaceKey(
  trx: Database,
  agentId: string,
  oldKeyId: string,
  replacement: { keyId: string; keyHash: string; overlapSeconds: number },
) {
  const old = await trx
    .selectFrom('agents')
    .where('id', '=', agentId)
    .where('key_id', '=', oldKeyId)
    .select('key_hash')
    .forUpdate()
    .executeTakeFirst()
  if (!old) return undefined
  const { ends_at } = await trx
    .insertInto('replaced_keys')
    .values({
      key_id: oldKeyId,
      agent_id: agentId,
      key_hash: old.key_hash,
      ends_at: inSeconds(replacement.overlapSeconds),
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

/** Forgets replaced keys that ended more than `seconds` ago. */
export async function purgeReplacedKeys(db: Database, seconds: number): Promise<void> {
  await db
    .deleteFrom('replaced_keys')
    .where('ends_at', '<', sql<Date>`now() - make_interval(secs => ${seconds})`)
    .execute()
}

/** Stores `value` under `name` unless there is one, and returns what is stored: the same in every process. */
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
