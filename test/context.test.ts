import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createContext, type ResponseRetention } from '../server/context.ts'
import { createDatabase, createPool, type Database } from '../server/db/client.ts'
import type { IdempotentResponse } from '../server/db/idempotent-response.ts'
import { createTestDatabase } from './support/database.ts'

/* `ctx.transact` by what it leaves in the database: `service_keys` holds the work, and the stored response beside it. */
const database = await createTestDatabase()
const db = createDatabase(createPool(database.url, { size: 2 }))
afterAll(async () => {
  await db.destroy()
  await database.drop()
})
beforeEach(async () => {
  await db.deleteFrom('service_keys').execute()
})

const write = (trx: Database, name: string) =>
  trx
    .insertInto('service_keys')
    .values({ name, value: Buffer.from(name) })
    .execute()
const written = async () =>
  (await db.selectFrom('service_keys').select('name').orderBy('name').execute()).map(({ name }) => name)

const row = { scope: 'agent_1' } as IdempotentResponse
const underLease: ResponseRetention = {
  idempotent: null,
  store: async (trx, body) => void (await write(trx, `response ${JSON.stringify(body)}`)),
}
const atomic: ResponseRetention = { ...underLease, rowOf: () => row }

function contextWith(retention: ResponseRetention | null) {
  const request = { services: { db }, requestId: 'req_1', agent: null, signal: new AbortController().signal }
  return createContext({ ...request, log: undefined } as never, retention)
}

/** Work that reports what it was given. */
const reporting = async (given: Database, response?: IdempotentResponse) => {
  await write(given, 'work')
  return { isTransaction: given.isTransaction, response }
}
const inTransaction = { isTransaction: true, response: undefined }
const alone = { isTransaction: false, response: undefined }

test.each([
  ['no Idempotency-Key', null, ['work']],
  ['a key acquired before the work', underLease, [`response ${JSON.stringify(inTransaction)}`, 'work']],
  ['a key stored with the work', atomic, [`response ${JSON.stringify(inTransaction)}`, 'work']],
])('work runs in a transaction, which stores its response, with %s', async (_, retention, rows) => {
  expect(await contextWith(retention).transact(reporting)).toEqual(inTransaction)
  expect(await written()).toEqual(rows)
})

test.each([
  ['the work', async () => Promise.reject(new Error('refused')), atomic],
  ['the storing', reporting, { ...atomic, store: () => Promise.reject(new Error('refused')) }],
])('nothing is left if %s fails', async (_, last, retention) => {
  const work = async (trx: Database) => {
    await write(trx, 'first')
    return last(trx)
  }
  await expect(contextWith(retention).transact(work)).rejects.toThrow('refused')
  expect(await written()).toEqual([])
})

test('one statement runs without a transaction if there is no response to store', async () => {
  expect(await contextWith(null).transact(reporting, { oneStatement: true })).toEqual(alone)
  expect(await written()).toEqual(['work'])
})

test('one statement with a known response gets its row and stores it itself', async () => {
  const response = { isTransaction: false, response: row }
  expect(await contextWith(atomic).transact(reporting, { oneStatement: true, response })).toEqual(response)
  expect(await written()).toEqual(['work'])
})

test.each([
  ['whose response is not known before', atomic, undefined],
  ['whose key was acquired before', underLease, inTransaction],
])('one statement %s runs in a transaction, which stores its response', async (_, retention, response) => {
  const shape = { oneStatement: true as const, ...(response && { response }) }
  expect(await contextWith(retention).transact(reporting, shape)).toEqual(inTransaction)
  expect(await written()).toEqual([`response ${JSON.stringify(inTransaction)}`, 'work'])
})

test.each([
  ['in a transaction', undefined],
  ['alone', { oneStatement: true as const }],
])('work %s runs again after a serialization conflict', async (_, shape) => {
  let runs = 0
  const work = async (given: Database) => {
    if (++runs === 1) await sql`do $$ begin raise exception sqlstate '40001'; end $$`.execute(given)
    await write(given, `run ${runs}`)
    return runs
  }
  expect(await contextWith(null).transact(work, shape)).toBe(2)
  expect(await written()).toEqual(['run 2'])
})
