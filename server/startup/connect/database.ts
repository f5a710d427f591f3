import type pg from 'pg'
import { type Config, ConfigError } from '../../config/config.ts'
import { nodeErrorText } from '../../config/node-error-text.ts'
import { createDatabase, createPool, type Database } from '../../db/client.ts'
import { migrateAt } from '../../db/migrate/migrate.ts'
import { pipelinedReads, type Reads } from '../../db/reads/reads.ts'

/** Connects the database and brings its schema up to date. The caller closes `reads` and then destroys `db`. */
export async function connectDatabase(
  url: string,
  config: Pick<Config, 'DATABASE_POOL_SIZE'>,
  report: (line: string) => void,
): Promise<{ db: Database; reads: Reads; pool: pg.Pool }> {
  const pool = createPool(url, { size: config.DATABASE_POOL_SIZE })
  const db = createDatabase(pool)
  try {
    const applied = await migrateAt(url, db)
    report(applied.length > 0 ? `Schema migrated: ${applied.join(', ')}` : 'Schema is up to date')
    return { db, reads: pipelinedReads(url, db), pool }
  } catch (error) {
    await db.destroy()
    throw new ConfigError(`setting DATABASE_URL: ${databaseErrorText(error)}`)
  }
}

/** The text of a database error without the address. Node combines several failed addresses into one error without text. */
export function databaseErrorText(error: unknown): string {
  const cause = error instanceof AggregateError ? error.errors[0] : error
  const text = nodeErrorText(cause)
  if ((cause as { code?: string } | null)?.code !== insufficientPrivilege) return text
  const [, advice] = ways.find(([about]) => about.test(text)) ?? [undefined, grants]
  return `${text}. ${advice}`
}

const insufficientPrivilege = '42501'

const grants = 'The role that owns the schema gives it its rights with grants.sql'
/** What helps, by what the role may not use. */
const ways: [RegExp, string][] = [
  [/pg_trgm/, 'Have a superuser create the extension, or grant the role create on the database'],
  [
    /\bschema public\b/,
    "The role that runs `setup` needs `grant create on schema public`; a role of the servers' own gets its rights with grants.sql, and creates nothing",
  ],
  [/\bdatabase\b/, 'Its owner has to grant the role connect on it'],
]
