import { type QueryCreator, sql } from 'kysely'
import type { DB } from './generated/tables.ts'
import { inSeconds } from './lease.ts'

/** The row of an Idempotency-Key with its response. */
export interface IdempotentResponse {
  scope: string
  key_digest: Buffer
  operation: string
  request_digest: Buffer
  response_status: number
  /** Sealed under the key. */
  response_body: Buffer
  /** How long it is stored. */
  retention_seconds: number
}

/**
 * Adds a part to a statement that stores its idempotent response, if there is one. `when` names the part of the statement
 * that has one row if the work was done, and none otherwise: the response is stored for that row only. Violates
 * {@link keyUsed} if the key was used before.
 */
export function storeIdempotentResponse<Tables extends DB>(
  statement: QueryCreator<Tables>,
  when: keyof Tables & string,
  response: Partial<IdempotentResponse>,
): QueryCreator<Tables> {
  const {
    scope,
    key_digest,
    operation,
    request_digest,
    response_status,
    response_body,
    retention_seconds = 0,
  } = response
  if (key_digest === undefined) return statement
  const storing = (statement as unknown as QueryCreator<DB>).with('response', (cte) =>
    cte
      .insertInto('idempotency_keys')
      .columns([
        'scope',
        'key_digest',
        'operation',
        'request_digest',
        'lease_until',
        'response_status',
        'response_body',
        'expires_at',
      ])
      .expression(
        sql`select ${scope}, ${key_digest}::bytea, ${operation}, ${request_digest}::bytea, '-infinity'::timestamptz,
          ${response_status}::smallint, ${response_body}::bytea, ${inSeconds(retention_seconds)} from ${sql.table(when)}`,
      ),
  )
  return storing as unknown as QueryCreator<Tables>
}

/** The constraint that {@link storeIdempotentResponse} violates if the key was used before. */
export const keyUsed = 'idempotency_keys_pkey'
