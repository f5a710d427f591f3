import { pino } from 'pino'
import { type Address, type PrivateKeyAccount, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { LeaseLostError } from '../../../../server/db/lease.ts'
import type { Tick } from '../../../../server/money/transactions/lane/context.ts'
import { reconcile } from '../../../../server/money/transactions/lane/reconcile.ts'
import { createTestMarket } from '../../../support/market.ts'
import type { SubmittedBounty } from '../../../support/scenarios.ts'
import { until } from '../../../support/until.ts'

/* Nonces that the chain has used and this service has not given out. */
const lines: { kind?: string; why?: string }[] = []
const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
const market = await createTestMarket({ proxied: true, log, settings: { APPROVE_WAIT_SECONDS: '2' } })
const [key] = market.chain.operatorKeys
const operator: PrivateKeyAccount = privateKeyToAccount(key as `0x${string}`)
afterEach(() => {
  market.chainProxy.alter()
  lines.length = 0
})

const approve = ({ id, founder }: SubmittedBounty) => market.act({ id }, 'approve', founder, {})
/** Approves and waits as long for the payout as a busy machine takes. */
async function approvePatiently(bounty: SubmittedBounty) {
  const { config } = market.services
  const { APPROVE_WAIT_SECONDS } = config
  config.APPROVE_WAIT_SECONDS = 60
  const response = await approve(bounty)
  config.APPROVE_WAIT_SECONDS = APPROVE_WAIT_SECONDS
  return response
}
const alarmed = (kind: string) => lines.some((line) => line.kind === kind)
const usedNonces = () => market.chain.node.getTransactionCount({ address: operator.address })
const noncesOf = async ({ submissionId }: SubmittedBounty) =>
  (
    await market.db.selectFrom('transactions').where('entity_id', '=', submissionId).select('nonce').execute()
  ).map(({ nonce }) => nonce)

test('an external caller with the key is alarmed about once, and payments come after its nonces', async () => {
  const bounty = await market.bountyInReview()
  await market.chain.send(operator, { to: operator.address as Address, data: '0x', value: parseEther('0') })
  await until(async () => alarmed('nonces_unbooked'))
  const next = await usedNonces()
  expect((await approvePatiently(bounty)).status).toBe(200)
  expect(await noncesOf(bounty)).toEqual([next])
})

test('a process that has lost its lease raises no alarm about nonces that its successor gave out', async () => {
  const alarms: unknown[] = []
  const tick = {
    db: market.db,
    log,
    address: operator.address,
    chain: { client: { getTransactionCount: async () => 7 } },
    view: { minedNonce: 7, depth: { head: 1 } },
    lease: { chainId: 31_337, address: operator.address.toLowerCase(), fence: -1 },
    alarm: (alarm: unknown) => void alarms.push(alarm),
    onUnbooked: async () => void alarms.push('lookup'),
  } as unknown as Tick
  await expect(reconcile(tick, 5)).rejects.toThrow(LeaseLostError)
  expect(alarms).toEqual([])
})

test('one absurd nonce of a confused node is not believed: nothing is sent until the node agrees with itself', async () => {
  const bounty = await market.bountyInReview()
  const next = await usedNonces()
  market.chainProxy.alter(({ method, params }, result) =>
    method === 'eth_getTransactionCount' && params[1] === 'latest' ? '0x5000' : result,
  )
  await until(async () => (await approve(bounty)).body.error.code === 'payout_unconfirmed')
  expect(await noncesOf(bounty)).toEqual([null])
  market.chainProxy.alter()
  await until(async () => (await approve(bounty)).status !== 502)
  expect(await noncesOf(bounty)).toEqual([next])
})

test('a node that insists on a nonce far beyond the book is alarmed about, and no gap is filled up to it', async () => {
  const bounty = await market.bountyInReview()
  const next = await usedNonces()
  market.chainProxy.alter(({ method }, result) => (method === 'eth_getTransactionCount' ? '0x5000' : result))
  await approve(bounty)
  await until(async () => alarmed('nonces_implausible'))
  market.chainProxy.alter()
  await until(async () => (await approve(bounty)).status !== 502)
  expect(await noncesOf(bounty)).toEqual([next])
  const noops = await market.db
    .selectFrom('transactions')
    .where('purpose', '=', 'noop')
    .select('id')
    .execute()
  expect(noops).toEqual([])
})

test('no transaction offers more than MAX_FEE_GWEI, whatever the node suggests, and a person is told', async () => {
  const bounty = await market.bountyInReview()
  const tip = 10n ** 15n
  market.chainProxy.alter(({ method }, result) =>
    method === 'eth_maxPriorityFeePerGas' ? `0x${tip.toString(16)}` : result,
  )
  expect((await approvePatiently(bounty)).status).toBe(200)
  expect(alarmed('fees_at_cap')).toBe(true)
  const fees = await market.db
    .selectFrom('transaction_attempts')
    .innerJoin('transactions', 'transactions.id', 'transaction_id')
    .where('entity_id', '=', bounty.submissionId)
    .select(['max_fee_per_gas', 'max_priority_fee_per_gas'])
    .execute()
  const cap = String(100n * 10n ** 9n)
  expect(fees).toEqual([{ max_fee_per_gas: cap, max_priority_fee_per_gas: cap }])
})
