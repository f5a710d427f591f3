import { hash } from '@node-rs/argon2'
import { loadChecksumKey } from '../../server/auth/api-keys.ts'
import { newApiKey } from '../../server/auth/key-format.ts'
import type { Database } from '../../server/db/client.ts'
import { newId } from '../../server/ids.ts'

/**
 * Inserts many agents. Their keys are hashed with argon2's lowest cost, because a thousand hashes as in registration would
 * take longer than most of our tests together.
 */
export async function createAgents(db: Database, count: number): Promise<{ id: string; key: string }[]> {
  const checksumKey = await loadChecksumKey(db)
  const agents = await Promise.all(
    Array.from({ length: count }, async () => {
      const { text, keyId } = newApiKey(checksumKey)
      const key_hash = await hash(text, { memoryCost: 8, timeCost: 1 })
      return { id: newId('agent'), key: text, key_id: keyId, key_hash }
    }),
  )
  await db
    .insertInto('agents')
    .values(agents.map(({ id, key_id, key_hash }) => ({ id, name: 'One of many', key_id, key_hash })))
    .execute()
  return agents
}
