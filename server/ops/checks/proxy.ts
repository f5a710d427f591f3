import { sql } from 'kysely'
import type pg from 'pg'
import { type Finding, ok, warn, wrong } from '../../config/finding.ts'
import { type Database, pinnedSettings } from '../../db/client.ts'
import { isDirectConnection } from '../../db/direct-connection.ts'
import { databaseErrorText } from '../../startup/connect/database.ts'

const about = 'DATABASE_URL'
const timeouts = ['statement_timeout', 'idle_in_transaction_session_timeout'] as const

/** Checks a proxy such as pgbouncer between the service and Postgres; no findings without one. */
export async function checkProxy(pool: pg.Pool, db: Database): Promise<Finding[]> {
  if (await answersItself(pool)) return []
  const refusal = await transactionRefusal(pool)
  if (refusal !== undefined)
    return [
      wrong(
        about,
        `leads through a proxy that takes no transactions (${refusal}): set pool_mode = transaction`,
      ),
    ]
  const { rows } = await sql<Record<(typeof timeouts)[number], string>>`
    select current_setting('statement_timeout') as statement_timeout,
      current_setting('idle_in_transaction_session_timeout') as idle_in_transaction_session_timeout`.execute(
    db,
  )
  const endless = timeouts.filter((name) => rows[0]?.[name] === '0')
  const findings = [
    ...endless.map((name) =>
      warn(about, `leads through a proxy, which drops ${name}: set it for the role, as OPERATING.md says`),
    ),
    ...(await unpinned(db)),
  ]
  return findings.length > 0 ? findings : [ok(about, 'leads through a proxy such as pgbouncer')]
}

/** What a role or a database sets otherwise than statements expect. Behind a proxy a statement may meet it on another connection. */
async function unpinned(db: Database): Promise<Finding[]> {
  const { rows } = await sql<{ name: string; value: string; expected: string }>`
    select name, reset_val as value, expected from pg_settings
      join json_each_text(${JSON.stringify(pinnedSettings)}) as pinned (name, expected) using (name)
    where not starts_with(lower(replace(reset_val, 'Etc/', '')), lower(expected)) order by name`.execute(db)
  return rows.map(({ name, value, expected }) =>
    wrong(about, `leads through a proxy, and has ${name} = ${value}: set it to ${expected} for the role`),
  )
}

async function answersItself(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect()
  try {
    return await isDirectConnection(client, async (text) => (await client.query(text)).rows)
  } finally {
    client.release()
  }
}

/** Uses a connection of its own, since the proxy closes it when it refuses. */
async function transactionRefusal(pool: pg.Pool): Promise<string | undefined> {
  const client = await pool.connect()
  try {
    for (const statement of ['begin', 'select 1', 'commit']) await client.query(statement)
    return undefined
  } catch (error) {
    return databaseErrorText(error)
  } finally {
    client.release(true)
  }
}

/** Adds advice to the error of a proxy that refuses the connection itself. */
export function proxyAdvice(refusal: string): string {
  return refusal.includes('unsupported startup parameter')
    ? `${refusal}: let pgbouncer ignore it with ignore_startup_parameters, as OPERATING.md says`
    : refusal
}
