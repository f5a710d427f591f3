import { type RawBuilder, sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  hasLiveTransaction,
  isLive,
  otherIsLive,
  otherIsUnresolved,
} from '../../../server/money/transactions/live.ts'
import { openTestDatabase } from '../../support/database.ts'
import { createRows } from '../../support/rows.ts'

const { db } = await openTestDatabase({ size: 2 })
const rows = createRows(db)
beforeEach(async () => {
  await db.deleteFrom('transactions').execute()
})

const address = `0x${'ab'.repeat(20)}`
/** Every state, and whether a transaction in it can still pay or has paid. */
const states = [
  ['queued', true],
  ['unconfirmed', true],
  ['mined', true],
  ['confirmed', true],
  ['needs_operator', true],
  ['reverted', false],
  ['abandoned', false],
  ['refused', false],
] as const
let nonce = 0

/** A transaction in a state, written past the service. */
async function transaction(
  status: (typeof states)[number][0],
  fields: { entity_id?: string; purpose?: 'payout' | 'deploy'; is_final?: boolean } = {},
): Promise<number> {
  const hasNonce = status !== 'queued' && status !== 'refused'
  const isMined = ['mined', 'confirmed', 'reverted'].includes(status)
  const hash = `0x${'cd'.repeat(32)}`
  return rows.transaction({
    entity_id: 'sub_1',
    status,
    ...(hasNonce && { nonce: nonce++, from_address: address, gas_limit: 21_000 }),
    ...(isMined && { mined_hash: hash, block_number: 1, block_hash: hash }),
    ...fields,
  })
}

async function holds(condition: RawBuilder<boolean>, id: number): Promise<boolean | undefined> {
  const { rows } = await sql<{ holds: boolean }>`
    select ${condition} as holds from transactions t where t.id = ${id}`.execute(db)
  return rows[0]?.holds
}

describe.each(states)('a transaction that is %s', (status, live) => {
  test(`${live ? 'is' : 'is not'} live`, async () => {
    expect(await holds(isLive('t'), await transaction(status))).toBe(live)
    expect(await hasLiveTransaction(db, 'payout', 'sub_1')).toBe(live)
  })

  test(`${live ? 'blocks' : 'does not block'} another one for the same payout`, async () => {
    await transaction(status)
    // The database allows one queued transaction for each payout.
    const id = await transaction(status === 'queued' ? 'unconfirmed' : 'queued')
    expect(await holds(otherIsLive(), id)).toBe(live)
    expect(await holds(otherIsUnresolved(), id)).toBe(live)
  })
})

test('a final success is live, and leaves nothing unresolved', async () => {
  await transaction('confirmed', { is_final: true })
  const id = await transaction('queued')
  expect(await holds(otherIsLive(), id)).toBe(true)
  expect(await holds(otherIsUnresolved(), id)).toBe(false)
})

test('a transaction does not block itself, another payout, or a deploy with the same id', async () => {
  const id = await transaction('queued')
  await transaction('unconfirmed', { entity_id: 'sub_2' })
  await transaction('unconfirmed', { purpose: 'deploy' })
  expect(await holds(otherIsLive(), id)).toBe(false)
  expect(await holds(otherIsUnresolved(), id)).toBe(false)
  expect(await hasLiveTransaction(db, 'deploy', 'sub_2')).toBe(false)
})
