import { expect, test } from 'vitest'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { readRow } from '../../support/stored.ts'
import { until } from '../../support/until.ts'

/* PAYOUTS_ENABLED=false stops what is stored and has no nonce yet, not only new approvals. */
const on = await createTestMarket({ proxied: true, engines: false, settings: { APPROVE_WAIT_SECONDS: '1' } })
const off = await createTestMarket({ sharing: on, engines: false, settings: { PAYOUTS_ENABLED: 'false' } })

on.startEngines()
const project = await on.activeProject()
const inReview = await on.bountyInReview({ project })
await on.stopEngines()

const transactionOf = (submissionId: string) => readRow(on.db, 'transactions', { entity_id: submissionId })

test('503 payouts_disabled joins no queued payout, which is not signed before payouts are on again', async () => {
  const bounty = await on.bountyInReview({ project })
  const request = { key: bounty.founder.key, body: {} }
  const path = `/api/bounties/${bounty.id}/approve`
  expectError(await on.api('POST', path, request), 'payout_unconfirmed')

  off.startEngines()
  const transaction = () => transactionOf(bounty.submissionId)
  await until(async () => (await transaction()).error !== null)
  expect(await transaction()).toMatchObject({
    status: 'queued',
    nonce: null,
    error: 'payouts are switched off',
  })
  expectError(await off.api('POST', path, request), 'payouts_disabled')
  await off.stopEngines()

  on.startEngines()
  await until(async () => (await transaction()).status === 'confirmed')
  await on.stopEngines()
})

test('a payout that has its nonce is sent, so that what comes after it is not held up', async () => {
  on.chainProxy.refuse(({ method }) =>
    method === 'eth_sendRawTransaction' ? 'no connection to the other nodes' : undefined,
  )
  on.startEngines()
  const bounty = await inReview
  const request = { key: bounty.founder.key, body: {} }
  expectError(await on.api('POST', `/api/bounties/${bounty.id}/approve`, request), 'payout_unconfirmed')
  await until(async () => (await transactionOf(bounty.submissionId)).nonce !== null)
  await on.stopEngines()
  on.chainProxy.refuse()
  // As after a crash between storing the bytes and sending them.
  await on.db
    .updateTable('transaction_attempts')
    .set({ sends: 0, sent_at: null, last_error: null })
    .where('transaction_id', '=', (where) =>
      where.selectFrom('transactions').select('id').where('entity_id', '=', bounty.submissionId),
    )
    .execute()
  off.startEngines()
  await off.activeProject()
  await until(async () => (await transactionOf(bounty.submissionId)).status === 'confirmed')
})
