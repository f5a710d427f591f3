import { sql } from 'kysely'
import type { Resume } from '../../context.ts'
import type { Database } from '../../db/client.ts'
import { inSeconds } from '../../db/lease.ts'
import { prepared, runOn } from '../../db/prepared.ts'

/** Names one Idempotency-Key of one caller. */
export interface KeyName {
  scope: string
  keyDigest: Buffer
}

/** What is stored under a key: the response, or what a repeated request needs to find the work that the first one began. */
export type Kept = { status: number; sealedBody: Buffer; resume?: never } | { resume: Resume }

/** A key, the request it was sent with, and how long it is kept. */
export interface NewKey extends KeyName {
  operation: string
  requestDigest: Buffer
  retentionSeconds: number
}

const insertKey = prepared(
  (db, key: NewKey & { status: number | null; sealedBody: Buffer | null; resume: string | null }) =>
    db
      .insertInto('idempotency_keys')
      .values({
        scope: key.scope,
        key_digest: key.keyDigest,
        operation: key.operation,
        request_digest: key.requestDigest,
        response_status: key.status,
        response_body: key.sealedBody,
        resume: key.resume,
        expires_at: inSeconds(key.retentionSeconds),
      })
      // A key that has expired is free again.
      .onConflict((conflict) =>
        conflict
          .columns(['scope', 'key_digest'])
          .doUpdateSet(({ ref }) => ({
            operation: ref('excluded.operation'),
            request_digest: ref('excluded.request_digest'),
            response_status: ref('excluded.response_status'),
            response_body: ref('excluded.response_body'),
            resume: ref('excluded.resume'),
            created_at: ref('excluded.created_at'),
            expires_at: ref('excluded.expires_at'),
          }))
          .where('idempotency_keys.expires_at', '<=', sql<Date>`clock_timestamp()`),
      )
      .returning('scope'),
)

/**
 * Stores a key with what it keeps; false if another request has stored it. Waits for a transaction that is storing it.
 */
export async function storeKey(db: Database, key: NewKey, kept: Kept): Promise<boolean> {
  const row = kept.resume
    ? { status: null, sealedBody: null, resume: JSON.stringify(kept.resume) }
    : { ...kept, resume: null }
  return (await runOn(db, insertKey({ ...key, ...row }))).length > 0
}

/** A key that has not expired. */
export function findKey(db: Database, key: KeyName) {
  return db
    .selectFrom('idempotency_keys')
    .where('scope', '=', key.scope)
    .where('key_digest', '=', key.keyDigest)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .select(['request_digest', 'response_status', 'response_body'])
    .select((row) => row.ref('resume').$castTo<Resume | null>().as('resume'))
    .executeTakeFirst()
}

/** Deletes up to `most` expired keys and returns how many. Several processes may do it at once. */
export async function purgeKeys(db: Database, most: number): Promise<number> {
  const oldest = db
    .selectFrom('idempotency_keys')
    .select(['scope', 'key_digest'])
    // now() stays the same during the statement, so the index can be used; clock_timestamp() does not.
    .where('expires_at', '<', sql<Date>`now()`)
    .orderBy('expires_at')
    .limit(most)
    .forUpdate()
    .skipLocked()
  const deleted = await db
    .deleteFrom('idempotency_keys')
    .where(({ eb, refTuple }) =>
      eb(refTuple('scope', 'key_digest'), 'in', oldest.$asTuple('scope', 'key_digest')),
    )
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}
