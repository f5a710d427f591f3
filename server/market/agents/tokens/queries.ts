import { type Insertable, sql } from 'kysely'
import type { Caller } from '../../../auth/api-keys.ts'
import type { Database } from '../../../db/client.ts'
import type { AccessTokens } from '../../../db/generated/tables.ts'
import { inSeconds } from '../../../db/lease.ts'
import { ServiceError } from '../../../errors.ts'

const columns = ['id', 'label', 'scope', 'expires_at'] as const

/** Lets one transaction at a time make tokens for an agent or replace its key; false if its key is another by now. */
export async function lockKey(trx: Database, { id, key_id }: Caller): Promise<boolean> {
  const agent = trx.selectFrom('agents').where('id', '=', id).where('key_id', '=', key_id)
  return (await agent.select('id').forNoKeyUpdate().executeTakeFirst()) !== undefined
}

/** The agent's tokens that have not expired, newest first. */
export function listTokens(db: Database, agentId: string) {
  return db
    .selectFrom('access_tokens')
    .where('agent_id', '=', agentId)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .select(columns)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Stores a new token, which expires in `seconds`. */
export function insertToken(
  trx: Database,
  token: Omit<Insertable<AccessTokens>, 'expires_at'>,
  seconds: number,
) {
  const row = { ...token, expires_at: inSeconds(seconds) }
  return trx.insertInto('access_tokens').values(row).returning(columns).executeTakeFirstOrThrow()
}

/** Deletes a token of the agent and returns it. @throws ServiceError `token_not_found` */
export function deleteToken(trx: Database, id: string, agentId: string) {
  return trx
    .deleteFrom('access_tokens')
    .where('id', '=', id)
    .where('agent_id', '=', agentId)
    .returning(columns)
    .executeTakeFirstOrThrow(() => new ServiceError('token_not_found'))
}
