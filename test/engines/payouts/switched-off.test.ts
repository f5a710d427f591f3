import { afterAll, expect, test } from 'vitest'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'

/* PAYOUTS_ENABLED=false stops what is stored and not yet signed, not only new approvals. */
const on = await createTestMarket({ engines: false, settings: { APPROVE_WAIT_SECONDS: '1' } })
const off = await createTestMarket({ sharing: on, engines: false, settings: { PAYOUTS_ENABLED: 'false' } })
afterAll(async () => {
  await off.close()
  await on.close()
})

test('503 payouts_disabled joins no queued payout, which is not signed before payouts are on again', async () => {
  on.startEngines()
  const bounty = await on.bountyInReview()
  await on.stopEngines()
  const request = { key: bounty.founder.key, body: {} }
  const path = `/api/bounties/${bounty.id}/approve`
  expectError(await on.api('POST', path, request), 'payout_unconfirmed')

  off.startEngines()
  const transaction = () =>
    on.db
      .selectFrom('transactions')
      .where('entity_id', '=', bounty.submissionId)
      .select(['status', 'nonce', 'error'])
      .executeTakeFirstOrThrow()
  await until(async () => (await transaction()).error !== null)
  expect(await transaction()).toEqual({ status: 'queued', nonce: null, error: 'payouts are switched off' })
  expectError(await off.api('POST', path, request), 'payouts_disabled')
  await off.stopEngines()

  on.startEngines()
  await until(async () => (await transaction()).status === 'confirmed')
  await on.stopEngines()
})
