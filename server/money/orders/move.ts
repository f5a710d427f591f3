import { type Insertable, type Selectable, sql, type UpdateObject } from 'kysely'
import type { Database } from '../../db/client.ts'
import type { DB } from '../../db/generated/tables.ts'
import { type Columns, type Edge, type EdgeOf, type NewOrder, type OrderKind, orders } from './edges.ts'

// Kysely has no type for one of several tables, so all are written as payouts are. The types of the parameters keep them apart.
type Written = UpdateObject<DB, 'payouts'>
type Status = Selectable<DB['payouts']>['status']
type AnyEdge = Pick<Edge<OrderKind>, 'from' | 'to' | 'set'>
const touched = { updated_at: sql<Date>`clock_timestamp()` }

/**
 * Stores an order, or begins one again that has failed, in the caller's transaction.
 * @param again columns of one that begins again, where they differ from those of a new one
 * @throws Error if it is not where `begin` leads from
 */
export async function beginOrder<Kind extends OrderKind>(
  trx: Database,
  kind: Kind,
  order: NewOrder<Kind>,
  again?: Columns<Kind>,
): Promise<void> {
  const { table, key, at, edges } = orders[kind]
  const from = edges.begin.from.filter((status) => status !== null)
  const set = 'set' in edges.begin ? edges.begin.set : {}
  const atBegin = (at as Record<string, object>)[edges.begin.to]
  const columns = { ...order, status: edges.begin.to, ...atBegin, ...set, ...touched, ...again } as Written
  const begun = await trx
    .insertInto(table as 'payouts')
    .values(order as Insertable<DB['payouts']>)
    .onConflict((conflict) =>
      conflict
        .column(key as 'submission_id')
        .doUpdateSet(columns)
        .where(sql<boolean>`${sql.ref(`${table}.status`)} = any (${from})`),
    )
    .executeTakeFirst()
  if (begun.numInsertedOrUpdatedRows !== 1n) throw new Error(`this ${kind} cannot begin from where it is`)
}

/**
 * Moves an order along an edge, in the caller's transaction.
 * @returns false if it is not where the edge leads from: nothing is written then
 */
export async function moveOrderIf<Kind extends OrderKind>(
  trx: Database,
  kind: Kind,
  edge: EdgeOf<Kind>,
  id: string,
  columns?: Columns<Kind>,
): Promise<boolean> {
  const { table, key, at, edges } = orders[kind]
  const { from, to, set }: AnyEdge = (edges as Record<EdgeOf<Kind>, AnyEdge>)[edge]
  const columnsAt = (at as Record<string, object>)[to]
  const moved = await trx
    .updateTable(table as 'payouts')
    .set({ status: to, ...columnsAt, ...set, ...touched, ...columns } as Written)
    .where(key as 'submission_id', '=', id)
    .where('status', 'in', from as Status[])
    .executeTakeFirst()
  return moved.numUpdatedRows > 0n
}

/** {@link moveOrderIf} for an order whose locked row was read. @throws Error if it is not where the edge leads from */
export async function moveOrder<Kind extends OrderKind>(
  ...move: Parameters<typeof moveOrderIf<Kind>>
): Promise<void> {
  const [, kind, edge, id] = move
  if (!(await moveOrderIf(...move)))
    throw new Error(`the ${kind} ${id} cannot ${String(edge)} from where it is`)
}

/** Stores what was found out about an order that does not move by it. */
export async function noteOnOrder<Kind extends OrderKind>(
  trx: Database,
  kind: Kind,
  id: string,
  columns: Columns<Kind>,
): Promise<void> {
  const { table, key } = orders[kind]
  await trx
    .updateTable(table as 'payouts')
    .set({ ...columns, ...touched } as Written)
    .where(key as 'submission_id', '=', id)
    .execute()
}
