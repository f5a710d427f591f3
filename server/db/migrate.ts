import { Migrator } from 'kysely'
import { migrations } from '../../migrations/index.ts'
import type { Database } from './connect.ts'

function migrator(db: Database): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } })
}

/**
 * Brings the schema up to date and tells the names it applied. Safe to call from several processes at once:
 * Kysely holds a lock while it works.
 */
export async function migrate(db: Database): Promise<string[]> {
  const { error, results } = await migrator(db).migrateToLatest()
  if (error) throw error
  return (results ?? []).map((result) => result.migrationName)
}

/** Whether every migration this program knows has been applied. */
export async function isMigrated(db: Database): Promise<boolean> {
  const known = await migrator(db).getMigrations()
  return known.every((migration) => migration.executedAt !== undefined)
}
