import { type MigrationResultSet, Migrator, sql } from 'kysely'
import { migrations } from '../../../migrations/index.ts'
import type { Database } from '../client.ts'
import { createMigrationDatabase } from './migration-database.ts'

function migrator(db: Database, known = migrations): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => known } })
}

/**
 * Brings the schema up to date. Safe to call from several processes at once: Kysely holds a lock while it works, and
 * each migration is in one transaction. Migrations expand first and contract a version later, so that processes of the
 * previous version go on serving meanwhile. None starts on a schema that it does not know: it would take requests, and fail
 * where their work is carried out.
 * @returns the names of the migrations that this call applied
 * @throws where a newer version has migrated the schema
 */
export function migrate(db: Database, known = migrations): Promise<string[]> {
  return migrateWith(db, known, (work) => work(db))
}

/** Like {@link migrate}, for the database at `url`: an hour for each statement, also through a proxy. */
export function migrateAt(url: string, db: Database, known = migrations): Promise<string[]> {
  return migrateWith(db, known, async (work) => {
    const patient = createMigrationDatabase(url)
    return work(patient).finally(() => patient.destroy())
  })
}

async function migrateWith(
  db: Database,
  known: typeof migrations,
  lend: (work: (db: Database) => Promise<MigrationResultSet>) => Promise<MigrationResultSet>,
): Promise<string[]> {
  const { pending, unknown } = await schemaState(db, known)
  if (unknown.length > 0) throw new Error(schemaIsNewer(unknown))
  if (pending.length === 0) return []
  const { error, results } = await lend((lent) => migrator(lent, known).migrateToLatest())
  if (error) throw error
  return (results ?? []).map((result) => result.migrationName)
}

/** Why this version does not start, and what to do. */
export function schemaIsNewer(unknown: string[]): string {
  return `the schema has ${unknown.join(', ')}, which this version does not know: start the version that migrated it, or a newer one`
}

/** Migrations the schema lacks, and those it has that this program does not know. Changes nothing. */
export async function schemaState(
  db: Database,
  known = migrations,
): Promise<{ pending: string[]; unknown: string[] }> {
  const executed = await executedMigrations(db)
  const names = Object.keys(known)
  return {
    pending: names.filter((name) => !executed.includes(name)),
    unknown: executed.filter((name) => !names.includes(name)),
  }
}

/** Whether every migration this program knows has been applied. */
export async function isMigrated(db: Database): Promise<boolean> {
  return (await schemaState(db)).pending.length === 0
}

async function executedMigrations(db: Database): Promise<string[]> {
  const { rows } = await sql<{ present: boolean }>`
    select to_regclass('kysely_migration') is not null as present`.execute(db)
  if (!rows[0]?.present) return []
  const { rows: executed } = await sql<{ name: string }>`
    select name from kysely_migration order by timestamp, name`.execute(db)
  return executed.map(({ name }) => name)
}
