import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../../server/db/client.ts'
import { inTransaction, violatedConstraint } from '../../server/db/transaction.ts'
import { openTestDatabase } from '../support/database.ts'
import { createRows } from '../support/rows.ts'

const { db } = await openTestDatabase()
const rows = createRows(db)

const rename = (trx: Database, id: string, name: string) =>
  trx.updateTable('agents').set({ name }).where('id', '=', id).execute()

test('two transactions that lock each other out both get through', async () => {
  const one = await rows.agent()
  const other = await rows.agent()
  let arrived = 0
  let bothHere = () => {}
  const both = new Promise<void>((resolve) => {
    bothHere = resolve
  })
  let runs = 0
  const cross = (first: string, second: string, name: string) =>
    inTransaction(db, async (trx) => {
      runs++
      await rename(trx, first, name)
      if (++arrived === 2) bothHere()
      await both
      await rename(trx, second, name)
    })
  await Promise.all([cross(one, other, 'A'), cross(other, one, 'B')])
  // Once each, and one more for each time that Postgres ended one of them: it may meet the other again.
  expect(runs).toBeGreaterThanOrEqual(3)
  const names = await db.selectFrom('agents').where('id', 'in', [one, other]).select('name').execute()
  expect(new Set(names.map((row) => row.name)).size).toBe(1)
})

test('any other failure ends the transaction whole, and is told', async () => {
  const id = await rows.agent({ name: 'Before' })
  const failed = inTransaction(db, async (trx) => {
    await rename(trx, id, 'After')
    await rename(trx, id, '')
  })
  expect(violatedConstraint(await failed.catch((error) => error))).toBe('agents_name_check')
  const row = await db.selectFrom('agents').where('id', '=', id).select('name').executeTakeFirst()
  expect(row?.name).toBe('Before')
})

test('only a broken constraint is one', async () => {
  const syntax = await sql`selec`.execute(db).catch((error) => error)
  expect(violatedConstraint(syntax)).toBeUndefined()
  expect(violatedConstraint(new Error('agents_name_check'))).toBeUndefined()
})

test('an int8 that a number cannot hold is refused, not rounded', async () => {
  const read = (value: string) => sql<{ value: number }>`select ${sql.raw(value)}::int8 as value`.execute(db)
  expect((await read('9007199254740991')).rows[0]?.value).toBe(9007199254740991)
  await expect(read('9007199254740993')).rejects.toThrow(RangeError)
})
