import type { Database } from '../db/connect.ts'

/** The agent whose API key has this public part, and the hash of the key. */
export function findAgentByKeyId(db: Database, keyId: string) {
  return db
    .selectFrom('agents')
    .where('key_id', '=', keyId)
    .select(['id', 'name', 'wallet_address', 'wallet_type', 'created_at', 'key_hash'])
    .executeTakeFirst()
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
