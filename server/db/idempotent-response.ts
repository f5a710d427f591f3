import { type QueryCreator, sql } from 'kysely'
import type { DB } from './generated/tables.ts'
import { inSeconds } from './transaction.ts'

/** The row of an Idempotency-Key whose request has its response. */
export interface IdempotentResponse {
  scope: string
  key_digest: Buffer
  operation: string
  request_digest: Buffer
  response_status: number
  /** Sealed under the key. */
  response_body: Buffer
  /** How long the response is repeated. */
  kept_seconds: number
}

/**
 * Adds to a statement that it stores its own response, if `kept` has one. `when` names the part of the statement that has
 * one row if the work was done, and none otherwise. Violates {@link keyUsed} if the key was used before.
 */
export function storeIdempotentResponse<Services extends DB>(
  statement: QueryCreator<Services>,
  when: keyof Services & string,
  kept: Partial<IdempotentResponse>,
): QueryCreator<Services> {
  const {
    scope,
    key_digest,
    operation,
    request_digest,
    response_status,
    response_body,
    kept_seconds = 0,
  } = kept
  if (key_digest === undefined) return statement
  const keeping = (statement as unknown as QueryCreator<DB>).with('kept', (cte) =>
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
          ${response_status}::smallint, ${response_body}::bytea, ${inSeconds(kept_seconds)} from ${sql.table(when)}`,
      ),
  )
  return keeping as unknown as QueryCreator<Services>
}

/** The constraint that {@link storeIdempotentResponse} violates if the key was used before. */
export const keyUsed = 'idempotency_keys_pkey'
