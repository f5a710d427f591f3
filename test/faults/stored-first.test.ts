import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Hex, keccak256, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDatabase, createPool, type Database } from '../../server/db/client.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createPostgresProxy, type PostgresProxy } from './proxies/postgres.ts'
import { createStoredFirst, type StoredFirst } from './support/oracle/stored-first.ts'
import { createPatientDatabase } from './support/patient-database.ts'

let database: TestDatabase
let service: Database
let proxy: PostgresProxy
let reader: Database
let order: StoredFirst
beforeAll(async () => {
  database = await createTestDatabase()
  service = createDatabase(createPool(database.url, { size: 2 }))
  proxy = await createPostgresProxy(database.url)
  reader = createPatientDatabase(proxy.url, 2)
})
afterAll(async () => {
  await Promise.all([service.destroy(), reader.destroy()])
  await proxy.close()
  await database.drop()
})
beforeEach(() => {
  order = createStoredFirst(reader, 20)
})
afterEach(() => proxy.accept())

const goAway = () => proxy.refuse(Number.POSITIVE_INFINITY)

let last = 0
const newHash = () => keccak256(toHex(++last))

/** Stores a transaction with one attempt. */
async function store(hash: Hex, db = service): Promise<void> {
  await sql`
    with transaction as (
      insert into transactions (chain_id, purpose, to_address, data, status, from_address, nonce, gas_limit)
      values (1, 'noop', ${hash.slice(0, 42)}, '', 'unconfirmed', ${hash.slice(0, 42)}, 0, 1) returning id)
    insert into transaction_attempts (hash, transaction_id, raw, max_fee_per_gas, max_priority_fee_per_gas, head_block)
    select ${hash}, id, '\\x01', 1, 1, 1 from transaction`.execute(db)
}

async function stored(): Promise<Hex> {
  const hash = newHash()
  await store(hash)
  return hash
}

/** Times are stored and compared in milliseconds: what comes after this is later. */
async function nextMillisecond(): Promise<void> {
  for (const began = Date.now(); Date.now() === began; ) await delay(1)
}

const early = (hash: Hex) => [`${hash} was sent before it was stored`]

test('bytes that are stored may be sent, and sent again', async () => {
  const hash = await stored()
  await order.arrive(hash)
  await order.arrive(hash)
  expect(await order.problems()).toEqual([])
})

test('bytes that are stored after they were sent are noticed, once', async () => {
  const hash = newHash()
  await order.arrive(hash)
  await store(hash)
  await order.arrive(hash)
  expect(await order.problems()).toEqual(early(hash))
})

test('bytes that are sent before their transaction commits are noticed', async () => {
  const hash = newHash()
  await service.transaction().execute(async (trx) => {
    await store(hash, trx)
    await order.arrive(hash)
    await order.problems()
  })
  expect(await order.problems()).toEqual(early(hash))
})

test('while the database is away stored bytes go on, and nothing is wrong when it is back', async () => {
  const hash = await stored()
  goAway()
  await order.arrive(hash)
  proxy.accept()
  expect(await order.problems()).toEqual([])
})

test('bytes that are sent while the database is away, and stored when it is back, are noticed', async () => {
  const hash = newHash()
  const never = newHash()
  goAway()
  await Promise.all([order.arrive(hash), order.arrive(never)])
  await nextMillisecond()
  await store(hash)
  proxy.accept()
  expect(new Set(await order.problems())).toEqual(new Set([...early(hash), ...early(never)]))
})

test('bytes whose row is lost in a fall-back may be sent; bytes that were never stored are noticed after it, too', async () => {
  const sent = await stored()
  const unsent = await stored()
  const unstored = newHash()
  const late = newHash()
  await order.arrive(sent)
  await order.remember()
  await sql`truncate transactions cascade`.execute(service)
  for (const hash of [sent, unsent, unstored, late]) await order.arrive(hash)
  await store(late)
  expect(new Set(await order.problems())).toEqual(new Set([...early(unstored), ...early(late)]))
})

test('a check that fails is a problem', async () => {
  const closed = createPatientDatabase(`${proxy.url}_that_is_not_there`, 1)
  order = createStoredFirst(closed)
  const hash = newHash()
  await order.arrive(hash)
  expect(await order.problems()).toEqual([
    expect.stringContaining(`${hash} was sent before it was stored could not be read`),
  ])
  await closed.destroy()
})
