import type pg from 'pg'
import { noteText } from './write.ts'

/** Records every row of every table as text, and bytes as hex. */
export async function noteRows(client: pg.Client): Promise<void> {
  // A killed test may have left a table locked; an error is better than a hanging run.
  await client.query(`set lock_timeout = '5s'`)
  const tables = await client.query<{ statement: string }>(`
    select string_agg(format('select %L || t::text as row from %I.%I t', tablename || ' ', schemaname, tablename),
      ' union all ') as statement
    from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`)
  const { rows } = await client.query<{ row: string }>(tables.rows[0]?.statement ?? '')
  if (rows.length > 0) noteText('database', rows.map(({ row }) => row).join('\n'))
}
