import { sql } from 'kysely'
import type { Resume } from '../../context.ts'
import type { Database } from '../../db/client.ts'
import {
  acquireLease,
  inSeconds,
  leaseExpired,
  leases,
  noLease,
  releaseLease,
  renewLease,
} from '../../db/lease.ts'
import { prepared, runOn } from '../../db/prepared.ts'

/** Names one Idempotency-Key of one caller. */
export interface KeyName {
  scope: string
  keyDigest: Buffer
}

/** A key that one run of a request has acquired. */
export interface HeldKey extends KeyName {
  owner: string
}

/** A response as it is stored. */
export interface StoredResponse {
  status: number
  /** Sealed under the key. */
  sealedBody: Buffer
}

/** The request a key was sent with. */
interface Fingerprint {
  operation: string
  digest: Buffer
}

/** How long a key stays acquired without a response, and how long it is stored. */
interface KeyTimes {
  leaseSeconds: number
  retentionSeconds: number
}

const insertKey = prepared((db, key: HeldKey & Fingerprint & KeyTimes) =>
  db
    .insertInto('idempotency_keys')
    .values({
      scope: key.scope,
      key_digest: key.keyDigest,
      operation: key.operation,
      request_digest: key.digest,
      lease_owner: key.owner,
      lease_until: inSeconds(key.leaseSeconds),
      expires_at: inSeconds(key.retentionSeconds),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('scope'),
)

/** Acquires an unused key; false if it was used before. */
export async function acquireKey(
  db: Database,
  key: HeldKey,
  fingerprint: Fingerprint,
  times: KeyTimes,
): Promise<boolean> {
  return (await runOn(db, insertKey({ ...key, ...fingerprint, ...times }))).length > 0
}

type CompletedKey = KeyName & Fingerprint & StoredResponse & Pick<KeyTimes, 'retentionSeconds'>

const insertCompleted = prepared((db, key: CompletedKey) =>
  db
    .insertInto('idempotency_keys')
    .values({
      ...{
        scope: key.scope,
        key_digest: key.keyDigest,
        operation: key.operation,
        request_digest: key.digest,
      },
      ...{ response_status: key.status, response_body: key.sealedBody },
      ...{ lease_until: noLease, expires_at: inSeconds(key.retentionSeconds) },
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('scope'),
)

/** Stores a key together with its response; false if the key exists. Waits for a transaction that is storing it. */
export async function insertCompletedKey(db: Database, key: CompletedKey): Promise<boolean> {
  return (await runOn(db, insertCompleted(key))).length > 0
}

/** A key that has not expired. */
export function findKey(db: Database, key: KeyName) {
  return named(db, key)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .select(['request_digest', 'response_status', 'response_body'])
    .select(sql<boolean>`(resume is not null or not ${leaseExpired('lease_until')})`.as('has_begun'))
    .executeTakeFirst()
}

function named(db: Database, key: KeyName) {
  return db
    .selectFrom('idempotency_keys')
    .where('scope', '=', key.scope)
    .where('key_digest', '=', key.keyDigest)
}

/** Deletes a key if it has expired, so that it can be used again; returns whether it did. */
export async function deleteExpiredKey(db: Database, key: KeyName): Promise<boolean> {
  const deleted = await db
    .deleteFrom('idempotency_keys')
    .where('scope', '=', key.scope)
    .where('key_digest', '=', key.keyDigest)
    .where('expires_at', '<=', sql<Date>`clock_timestamp()`)
    .where('lease_until', '<', sql<Date>`clock_timestamp()`)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

/**
 * Acquires a key whose run was refused, or has lost its lease before it had a response; `undefined` while that run has it.
 * Only the same request gets what that run stored for the next one.
 */
export async function takeOverKey(
  db: Database,
  key: HeldKey,
  { operation, digest }: Fingerprint,
  { leaseSeconds, retentionSeconds }: KeyTimes,
) {
  const { rows } = await acquireLease<{ resume: Resume | null }>(leases.idempotencyKeys, {
    rows: unanswered(key),
    holder: key.owner,
    seconds: leaseSeconds,
    set: sql`operation = ${operation}, request_digest = ${digest}, expires_at = ${inSeconds(retentionSeconds)},
      resume = case when request_digest = ${digest} then resume end`,
    returning: sql`resume`,
  }).execute(db)
  return rows[0]
}

function unanswered(key: KeyName) {
  return sql<boolean>`scope = ${key.scope} and key_digest = ${key.keyDigest} and response_status is null`
}

function heldKey(key: HeldKey) {
  return sql<boolean>`${unanswered(key)} and lease_owner = ${key.owner}`
}

function held(db: Database, key: HeldKey) {
  return db.updateTable('idempotency_keys').where(heldKey(key))
}

async function changed(query: { executeTakeFirst(): Promise<{ numUpdatedRows: bigint }> }): Promise<boolean> {
  return (await query.executeTakeFirst()).numUpdatedRows > 0n
}

/** Keeps the lease for another `leaseSeconds`; false when it is lost. */
export function renewKey(db: Database, key: HeldKey, leaseSeconds: number): Promise<boolean> {
  return renewLease(db, leases.idempotencyKeys, heldKey(key), leaseSeconds)
}

const updateResponse = prepared((db, response: HeldKey & StoredResponse) =>
  held(db, response)
    .set({ response_status: response.status, response_body: response.sealedBody, resume: null })
    .returning('scope'),
)

/** Stores the response; false if this run has lost the key. */
export async function storeResponse(db: Database, key: HeldKey, response: StoredResponse): Promise<boolean> {
  return (await runOn(db, updateResponse({ ...key, ...response }))).length > 0
}

/** Stores how the next run finds the work again; false if this run has lost the key. */
export function storeResume(db: Database, key: HeldKey, resume: Resume): Promise<boolean> {
  return changed(held(db, key).set({ resume: JSON.stringify(resume) }))
}

/** Lets the next request with this key run. It gets what {@link storeResume} has stored. */
export function releaseKey(db: Database, key: HeldKey): Promise<void> {
  return releaseLease(db, leases.idempotencyKeys, heldKey(key))
}

/** Forgets what a refused run stored to find its work again, because it has begun none. */
export async function forgetResume(db: Database, { scope, keyDigest, owner }: HeldKey): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ resume: null })
    .where('scope', '=', scope)
    .where('key_digest', '=', keyDigest)
    .where('lease_owner', '=', owner)
    .where('resume', 'is not', null)
    .execute()
}

/** Deletes up to `most` expired keys and returns how many. Several processes may do it at once. */
export async function purgeKeys(db: Database, most: number): Promise<number> {
  const oldest = db
    .selectFrom('idempotency_keys')
    .select(['scope', 'key_digest'])
    // now() stays the same during the statement, so the index can be used; clock_timestamp() does not.
    .where('expires_at', '<', sql<Date>`now()`)
    .where('lease_until', '<', sql<Date>`now()`)
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
