import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createContext, type ResponseRetention } from '../server/context.ts'
import type { Database } from '../server/db/client.ts'
import { openTestDatabase } from './support/database.ts'

/* `ctx.transact` by what it leaves in the database: `service_keys` holds the work, and the stored response beside it. */
const { db } = await openTestDatabase({ size: 2 })
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

const keyed: ResponseRetention = {
  idempotent: { keyDigest: Buffer.alloc(32), resume: null, storeResume: async () => undefined },
  store: async (trx, body) => void (await write(trx, `response ${JSON.stringify(body)}`)),
}

function contextWith(retention: ResponseRetention | null) {
  const request = { services: { db }, requestId: 'req_1', agent: null, signal: new AbortController().signal }
  return createContext({ ...request, log: undefined } as never, retention)
}

test.each([
  ['no Idempotency-Key', null, ['work']],
  ['an Idempotency-Key', keyed, ['response "done"', 'work']],
])('work runs in a transaction, which stores its response, with %s', async (_, retention, rows) => {
  const work = async (trx: Database) => {
    expect(trx.isTransaction).toBe(true)
    await write(trx, 'work')
    return 'done'
  }
  expect(await contextWith(retention).transact(work)).toBe('done')
  expect(await written()).toEqual(rows)
})

test.each([
  ['the work', () => Promise.reject(new Error('refused')), keyed],
  ['the storing', async () => 'done', { ...keyed, store: () => Promise.reject(new Error('refused')) }],
])('nothing is left if %s fails', async (_, last, retention) => {
  const work = async (trx: Database) => {
    await write(trx, 'first')
    return last()
  }
  await expect(contextWith(retention).transact(work)).rejects.toThrow('refused')
  expect(await written()).toEqual([])
})

test('work runs again after a serialization conflict', async () => {
  let runs = 0
  const work = async (trx: Database) => {
    if (++runs === 1) await sql`do $$ begin raise exception sqlstate '40001'; end $$`.execute(trx)
    await write(trx, `run ${runs}`)
    return runs
  }
  expect(await contextWith(null).transact(work)).toBe(2)
  expect(await written()).toEqual(['run 2'])
})
