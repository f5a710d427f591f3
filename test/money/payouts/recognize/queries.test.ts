import { expect, test } from 'vitest'
import { payoutIdOf } from '../../../../server/money/chain/on-chain-ids.ts'
import {
  bountiesByPayoutId,
  knownPayouts,
  lastSigned,
  unpaidSubmissions,
} from '../../../../server/money/payouts/recognize/queries.ts'
import { openTestDatabase } from '../../../support/database.ts'
import { createRows } from '../../../support/rows.ts'

const { db } = await openTestDatabase({ size: 2 })
const rows = createRows(db)

const chainId = 31_337
const key = `0x${'a'.repeat(40)}`
const hash = (digit: string) => `0x${digit.repeat(64)}`

test('lastSigned is undefined while there is no bounty, and then the time of the first bounty', async () => {
  expect(await lastSigned(db, chainId, key)).toBeUndefined()
  const first = new Date('2026-01-01T00:00:00Z')
  await rows.bounty({ created_at: new Date('2026-01-02T00:00:00Z') })
  await rows.bounty({ created_at: first })
  expect(await lastSigned(db, chainId, key)).toEqual(first)
})

test('lastSigned is the time of the newest attempt of the last nonce that the database gave out', async () => {
  const entityId = await rows.submission()
  const at = (day: number) => new Date(Date.UTC(2026, 1, day))
  await db.insertInto('lanes').values({ chain_id: chainId, address: key, next_nonce: 2 }).execute()
  for (const [nonce, day] of [
    [0, 9],
    [1, 5],
    // Not given out as far as the lane knows: a later backup of the lanes would have it.
    [2, 20],
  ] as const) {
    const id = await rows.transaction({
      chain_id: chainId,
      entity_id: entityId,
      from_address: key,
      nonce,
      gas_limit: 1,
      status: 'unconfirmed',
    })
    for (const replacement of [0, 1])
      await db
        .insertInto('transaction_attempts')
        .values({
          hash: hash(String(nonce * 2 + replacement)),
          transaction_id: id,
          raw: Buffer.of(2),
          max_fee_per_gas: '1',
          max_priority_fee_per_gas: '1',
          head_block: 1,
          created_at: at(day + replacement),
        })
        .execute()
  }
  expect(await lastSigned(db, chainId, key.toUpperCase().replace('0X', '0x'))).toEqual(at(6))
})

test('unpaidSubmissions are the pending ones', async () => {
  const pending = await rows.submission()
  const approving = await rows.submission()
  await db.updateTable('submissions').set({ status: 'approving' }).where('id', '=', approving).execute()
  const ids = (await unpaidSubmissions(db)).map(({ id }) => id)
  expect(ids).toContain(pending)
  expect(ids).not.toContain(approving)
})

test('knownPayouts are those that run, wait for an operator or are settled, and not failed ones', async () => {
  const states = ['running', 'needs_operator', 'settled', 'failed'] as const
  for (const [index, status] of states.entries())
    await rows.payout({ payout_id: hash(String(index)), status })
  const asked = ['0', '1', '2', '3', '8'].map(hash)
  expect(await knownPayouts(db, asked)).toEqual(new Set([hash('0'), hash('1'), hash('2')]))
})

test('bountiesByPayoutId finds bounties in any state but done, cancelled ones too', async () => {
  const open = await rows.bountyAt('open')
  const inReview = await rows.bountyAt('in_review')
  const done = await rows.bountyAt('done')
  const cancelled = await rows.bounty({ status: 'cancelled' })
  const ids = [open, inReview, done, cancelled, 'bnt_unknown'].map((id) => payoutIdOf(chainId, id))
  expect(await bountiesByPayoutId(db, chainId, ids)).toEqual(
    new Map([
      [payoutIdOf(chainId, open), { id: open, status: 'open' }],
      [payoutIdOf(chainId, inReview), { id: inReview, status: 'in_review' }],
      [payoutIdOf(chainId, cancelled), { id: cancelled, status: 'cancelled' }],
    ]),
  )
  expect(await bountiesByPayoutId(db, 1, ids)).toEqual(new Map())
})
