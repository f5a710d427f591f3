import { sql } from 'kysely'
import type { Resume } from '../../context.ts'
import type { Database } from '../../db/client.ts'
import type { IdempotentResponse } from '../../db/idempotent-response.ts'
import { acquireLease, inSeconds, leases, noLease, releaseLease, renewLease } from '../../db/lease.ts'
import { prepared, runOn } from '../../db/prepared.ts'

/** Names one Idempotency-Key of one caller. */
export interface KeyName {
  scope: string
  keyDigest: Buffer
}

/** A key as held by one run of one request. */
export interface HeldKey extends KeyName {
  owner: string
}

/** An answer as it is kept. */
export interface StoredResponse {
  status: number
  /** Readable for whoever has the key. */
  sealedBody: Buffer
}

/** What a key was sent with. */
interface Asked {
  operation: string
  digest: Buffer
}

/** How long a key is held without an answer, and known at all. */
interface KeyTimes {
  leaseSeconds: number
  retentionSeconds: number
}

const insertKey = prepared((db, claim: HeldKey & Asked & KeyTimes) =>
  db
    .insertInto('idempotency_keys')
    .values({
      scope: claim.scope,
      key_digest: claim.keyDigest,
      operation: claim.operation,
      request_digest: claim.digest,
      lease_owner: claim.owner,
      lease_until: inSeconds(claim.leaseSeconds),
      expires_at: inSeconds(claim.retentionSeconds),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('scope'),
)

/** Claims a key nobody has used and returns whether it was still unused. */
export async function claimKey(db: Database, key: HeldKey, asked: Asked, times: KeyTimes): Promise<boolean> {
  return (await runOn(db, insertKey({ ...key, ...asked, ...times }))).length > 0
}

const insertCompleted = prepared((db, { kept_seconds, ...kept }: IdempotentResponse) =>
  db
    .insertInto('idempotency_keys')
    .values({ ...kept, lease_until: noLease, expires_at: inSeconds(kept_seconds) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('scope'),
)

/**
 * Stores a key together with its answer; false where somebody has used it. Waits for a transaction that is about to
 * use it.
 */
export async function insertCompletedKey(db: Database, kept: IdempotentResponse): Promise<boolean> {
  return (await runOn(db, insertCompleted(kept))).length > 0
}

/** What is known of a key whose time is not over. */
export function findKey(db: Database, key: KeyName) {
  return named(db, key)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .select(['operation', 'request_digest', 'response_status', 'response_body'])
    .executeTakeFirst()
}

function named(db: Database, key: KeyName) {
  return db
    .selectFrom('idempotency_keys')
    .where('scope', '=', key.scope)
    .where('key_digest', '=', key.keyDigest)
}

/** Forgets a key whose time is over, and returns whether there was one: it can be used for something else. */
export async function forgetExpiredKey(db: Database, key: KeyName): Promise<boolean> {
  const forgotten = await db
    .deleteFrom('idempotency_keys')
    .where('scope', '=', key.scope)
    .where('key_digest', '=', key.keyDigest)
    .where('expires_at', '<=', sql<Date>`clock_timestamp()`)
    .where('lease_until', '<', sql<Date>`clock_timestamp()`)
    .executeTakeFirst()
  return forgotten.numDeletedRows > 0n
}

/** Takes a key over from a run whose lease has expired without a response; `undefined` while it is held. */
export async function takeOverKey(db: Database, key: HeldKey, leaseSeconds: number) {
  const { rows } = await acquireLease<{ resume: Resume | null }>(leases.idempotencyKeys, {
    rows: unanswered(key),
    holder: key.owner,
    seconds: leaseSeconds,
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

/** Condition: the key is this run's and has no answer. Locks it until the transaction ends. */
export function stillHeld(key: HeldKey) {
  return sql<boolean>`exists (select from idempotency_keys where ${heldKey(key)} for no key update)`
}

async function changed(query: { executeTakeFirst(): Promise<{ numUpdatedRows: bigint }> }): Promise<boolean> {
  return (await query.executeTakeFirst()).numUpdatedRows > 0n
}

/** Keeps the lease for another `leaseSeconds`; false when it is lost. */
export function renewKey(db: Database, key: HeldKey, leaseSeconds: number): Promise<boolean> {
  return renewLease(db, leases.idempotencyKeys, heldKey(key), leaseSeconds)
}

const updateResponse = prepared((db, answer: HeldKey & StoredResponse) =>
  held(db, answer)
    .set({ response_status: answer.status, response_body: answer.sealedBody, resume: null })
    .returning('scope'),
)

/** Stores the answer; false when the key is no longer this run's. */
export async function storeResponse(db: Database, key: HeldKey, answer: StoredResponse): Promise<boolean> {
  return (await runOn(db, updateResponse({ ...key, ...answer }))).length > 0
}

/** Stores how the next run finds the work again; false when the key is no longer this run's. */
export function storeResume(db: Database, key: HeldKey, resume: Resume): Promise<boolean> {
  return changed(held(db, key).set({ resume: JSON.stringify(resume) }))
}

/** Lets the next request with this key run; what {@link storeResume} stored stays for it. */
export function releaseKey(db: Database, key: HeldKey): Promise<void> {
  return releaseLease(db, leases.idempotencyKeys, heldKey(key))
}

/** Deletes up to `most` keys whose time is over and returns how many; several processes may do it at once. */
export async function purgeKeys(db: Database, most: number): Promise<number> {
  const oldest = db
    .selectFrom('idempotency_keys')
    .select(['scope', 'key_digest'])
    // An index cannot be asked for what lies before a clock that goes on while it is read.
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
