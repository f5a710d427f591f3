import type { PublicClient } from 'viem'
import { expect, test } from 'vitest'
import { listReport } from '../../../server/ops/payouts/report.ts'
import { retry } from '../../../server/ops/payouts/retry.ts'
import { listUnresolved } from '../../../server/ops/payouts/unresolved.ts'
import { createTestChain } from '../../support/chain.ts'
import { openTestDatabase } from '../../support/database.ts'
import { createRows } from '../../support/rows.ts'
import { readRow, setRows } from '../../support/stored.ts'

const { db } = await openTestDatabase({ size: 2 })
const rows = createRows(db)
const chain = await createTestChain()
const unpaidEndings = ['rejected', 'changes_requested', 'retracted'] as const

const context = {
  db,
  client: chain.node as unknown as PublicClient,
  finality: { confirmations: 1, tag: null, finalityBlocks: 64 },
}

/** A payout that waits for an operator, with a transaction at `nonce` of a key. */
async function stuckPayout(fields: {
  key: string
  nonce: number
  chainId?: number
  submission?: (typeof unpaidEndings)[number]
}) {
  const { key, nonce, chainId: chain_id = 31_337, submission: status = 'approving' } = fields
  const reviewed_at = status === 'approving' ? null : new Date()
  const submissionId = await rows.submission({ status, reviewed_at })
  const transactionId = await rows.transaction({
    chain_id,
    entity_id: submissionId,
    from_address: key,
    nonce,
    gas_limit: 1,
    status: 'needs_operator',
  })
  const error = 'its nonce was used'
  await rows.payout({
    platform_wallet: chain.platformWallet,
    submission_id: submissionId,
    chain_id,
    transaction_id: transactionId,
    status: 'needs_operator',
    error,
  })
  return { submissionId, transactionId }
}

/** A withdrawal whose transaction, at nonce 0 of a key, waits for an operator. */
async function stuckWithdrawal(key: string, status: 'running' | 'confirmed') {
  const relayId = await rows.relay({ chain_id: 31_337 })
  const transactionId = await rows.transaction({
    purpose: 'withdrawal',
    entity_id: relayId,
    to_address: chain.tokenImplementation.toLowerCase(),
    data: Buffer.of(1, 2),
    from_address: key,
    nonce: 0,
    gas_limit: 1,
    status: 'needs_operator',
    error: 'its nonce was used',
  })
  const settled = { status, tx_hash: `0x${'8'.repeat(64)}`, confirmed_at: new Date() }
  await setRows(
    db,
    'relays',
    { id: relayId },
    { transaction_id: transactionId, ...(status === 'confirmed' && settled) },
  )
  return { relayId, transactionId }
}

const transactionsOf = (entityId: string) =>
  db
    .selectFrom('transactions')
    .select(['id', 'status', 'nonce', 'purpose', 'to_address', 'data'])
    .where('entity_id', '=', entityId)
    .orderBy('id')
    .execute()

const statusOf = async (submission_id: string) => (await readRow(db, 'payouts', { submission_id })).status

test('refused for an id without a payout or an activation', async () => {
  expect(await retry(context, 'sub_unknown')).toEqual({
    done: false,
    explanation: 'there is no payout, activation, withdrawal, allowance, deposit or refund of sub_unknown',
  })
})

test.each(unpaidEndings)('refused after the submission ended as %s', async (submission) => {
  const { address: key } = await chain.fundedAccount()
  const { submissionId } = await stuckPayout({ key: key.toLowerCase(), nonce: 0, submission })
  expect(await retry(context, submissionId)).toMatchObject({ done: false })
  expect(await statusOf(submissionId)).toBe('needs_operator')
})

test('refused for a payout of another chain', async () => {
  const { address: key } = await chain.fundedAccount()
  const { submissionId } = await stuckPayout({ key: key.toLowerCase(), nonce: 0, chainId: 1 })
  expect(await retry(context, submissionId)).toEqual({
    done: false,
    explanation: 'it belongs to chain 1, and this node serves chain 31337',
  })
})

test('refused while the nonce is unused, and done after another transaction has used it', async () => {
  const account = await chain.fundedAccount()
  const key = account.address.toLowerCase()
  const { submissionId, transactionId } = await stuckPayout({ key, nonce: 0 })
  const early = await retry(context, submissionId)
  expect(early.done).toBe(false)
  expect(early.explanation).toContain(`nonce 0 of ${key} is not used up`)
  expect(await statusOf(submissionId)).toBe('needs_operator')

  await chain.send(account, { to: account.address, data: '0x' })
  expect(await retry(context, submissionId)).toMatchObject({ done: true })
  expect(await statusOf(submissionId)).toBe('running')
  expect(await transactionsOf(submissionId)).toMatchObject([
    { id: transactionId, status: 'abandoned', nonce: 0 },
    { id: expect.any(Number), status: 'queued', nonce: null },
  ])
})

test('a withdrawal is listed, and relayed again after another transaction has used its nonce', async () => {
  const account = await chain.fundedAccount()
  const key = account.address.toLowerCase()
  const { relayId, transactionId } = await stuckWithdrawal(key, 'running')
  const listed = async () => (await listUnresolved(db)).filter(({ entityId }) => entityId === relayId)
  expect(listReport(await listed())).toEqual([
    expect.stringMatching(new RegExp(`^${relayId}  withdrawal running, \\d+ s old, 0 attempts$`)),
    '  last error  its nonce was used',
    `  next step   npm run payouts -- retry ${relayId}`,
  ])
  expect(await retry(context, relayId)).toMatchObject({ done: false })

  await chain.send(account, { to: account.address, data: '0x' })
  expect(await retry(context, relayId)).toMatchObject({ done: true })
  const call = {
    purpose: 'withdrawal',
    to_address: chain.tokenImplementation.toLowerCase(),
    data: Buffer.of(1, 2),
  }
  expect(await transactionsOf(relayId)).toEqual([
    { id: transactionId, status: 'abandoned', nonce: 0, ...call },
    { id: expect.any(Number), status: 'queued', nonce: null, ...call },
  ])
  expect((await readRow(db, 'relays', { id: relayId })).transaction_id).not.toBe(transactionId)
  expect(listReport(await listed()).at(-1)).toBe(
    '  next step   nothing: it is sent as soon as an operator key is free',
  )
})

test('a withdrawal that was confirmed meanwhile is not relayed again', async () => {
  const account = await chain.fundedAccount()
  const { relayId, transactionId } = await stuckWithdrawal(account.address.toLowerCase(), 'confirmed')
  await chain.send(account, { to: account.address, data: '0x' })
  expect(await retry(context, relayId)).toEqual({
    done: true,
    explanation: 'abandoned; nothing is left to be sent',
  })
  expect(await transactionsOf(relayId)).toMatchObject([{ id: transactionId, status: 'abandoned' }])
  expect((await listUnresolved(db)).map(({ entityId }) => entityId)).not.toContain(relayId)
})

test('a refund is listed, and made again after another transaction has used its nonce', async () => {
  const account = await chain.fundedAccount()
  const key = account.address.toLowerCase()
  const locked = { locked_until: new Date(), fund_tx: `0x${'8'.repeat(64)}` }
  const bountyId = await rows.deposit({ chain_id: 31_337, status: 'refunding', ...locked })
  const transaction_id = await rows.transaction({
    purpose: 'refund',
    entity_id: bountyId,
    from_address: key,
    nonce: 0,
    gas_limit: 1,
    status: 'needs_operator',
    error: 'its nonce was used',
  })
  await setRows(db, 'deposits', { bounty_id: bountyId }, { transaction_id })
  const [listed] = (await listUnresolved(db)).filter(({ entityId }) => entityId === bountyId)
  expect(listed).toMatchObject({
    kind: 'refund',
    status: 'refunding',
    transactions: [{ id: transaction_id }],
  })
  expect(await retry(context, bountyId)).toMatchObject({ done: false })

  await chain.send(account, { to: account.address, data: '0x' })
  expect(await retry(context, bountyId)).toMatchObject({ done: true })
  expect(await transactionsOf(bountyId)).toMatchObject([
    { id: transaction_id, status: 'abandoned' },
    { status: 'queued', nonce: null, purpose: 'refund' },
  ])
})
