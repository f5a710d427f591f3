import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { migrations } from '../../../migrations/index.ts'
import type { Database } from '../../../server/db/client.ts'
import { migrate } from '../../../server/db/migrate/migrate.ts'

/** The migrations of 1.0.0. */
export const released = Object.fromEntries(Object.entries(migrations).slice(0, 8))

/** Makes an empty database one as 1.0.0 leaves it, with rows of every table. */
export async function leaveAsRelease(db: Database): Promise<void> {
  await migrate(db, released)
  const rows = await readFile(join(import.meta.dirname, 'rows-of-1.0.0.sql'), 'utf8')
  await sql.raw(rows).execute(db)
}

/** Reads all rows of all tables, each as a text of the columns that its table has at the time of this call. */
export async function rowReader(db: Database): Promise<() => Promise<Record<string, string[]>>> {
  const { rows: tables } = await sql<{ name: string; columns: string }>`
    select table_name as name, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
      from information_schema.columns where table_schema = 'public' and table_name not like 'kysely%'
      group by table_name`.execute(db)
  return async () => {
    const read = tables.map(async ({ name, columns }): Promise<[string, string[]]> => {
      const { rows } = await sql<{ row: string }>`
        select row(${sql.raw(columns)})::text as row from ${sql.table(name)} order by 1`.execute(db)
      return [name, rows.map(({ row }) => row)]
    })
    return Object.fromEntries(await Promise.all(read))
  }
}
