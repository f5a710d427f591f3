import type pg from 'pg'
import { noteText } from './write.ts'

/** Records every row of every table as text, and bytes as hex. */
export async function noteRows(client: pg.Client): Promise<void> {
  // A killed test may have left a table locked; an error is better than a hanging run.
  await client.query(`set lock_timeout = '5s'`)
  const tables = await client.query<{ name: string }>(`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`)
  for (const { name } of tables.rows) {
    const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`)
    if (rows.length > 0) noteText('database', rows.map(({ row }) => `${name} ${row}`).join('\n'))
  }
}
