import type { Selectable, UpdateObject } from 'kysely'
import type { Database } from '../../server/db/client.ts'
import type { DB } from '../../server/db/generated/tables.ts'

/** Values of columns. */
type Where<Table extends keyof DB> = { [Column in keyof Selectable<DB[Table]>]?: string | number }

/** Reads the first row that has these values. @throws if there is none */
export async function readRow<Table extends keyof DB>(
  db: Database,
  table: Table,
  where: Where<Table>,
): Promise<Selectable<DB[Table]>> {
  // Types of a query for whichever table are beyond the compiler.
  const rows = db.selectFrom(table as 'agents').where((column) => column.and(where as object))
  return (await rows.selectAll().executeTakeFirstOrThrow()) as unknown as Selectable<DB[Table]>
}

/** Changes all rows that have these values, past the service. */
export async function setRows<Table extends keyof DB>(
  db: Database,
  table: Table,
  where: Where<Table>,
  values: UpdateObject<DB, Table>,
): Promise<void> {
  const rows = db.updateTable(table as 'agents').where((column) => column.and(where as object))
  await rows.set(values as object).execute()
}

/** Without git a pull request has one commit, so the earlier one becomes another where its author is to have pushed. */
export const afterPush = (db: Database, { id }: { id: string }): Promise<void> =>
  setRows(db, 'submissions', { bounty_id: id }, { head_sha: 'e'.repeat(40) })
