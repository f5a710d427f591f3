import { encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import { platformWallet } from '../../../server/money/chain/generated/contracts.ts'
import { payoutIdOf } from '../../../server/money/chain/on-chain-ids.ts'
import { tokenUnit } from '../../../server/money/chain/units.ts'
import { noteAlarms } from '../../support/alarms.ts'
import { createTestMarket } from '../../support/market.ts'
import { createRows } from '../../support/rows.ts'
import type { SubmittedBounty } from '../../support/scenarios.ts'
import { until } from '../../support/until.ts'
import { chainLogOf } from './support/chain-log.ts'

type Hex = `0x${string}`

const alarms = noteAlarms()
const market = await createTestMarket({ proxied: true, followMs: 50 })
const { db, chain, chainProxy } = market
const { caughtUp, pay } = chainLogOf(market)
/** A key that may pay, and that no process of this service has. */
const operator = await chain.fundedAccount()
await chain.send(chain.owner, {
  to: chain.platformWallet,
  data: encodeFunctionData({
    abi: platformWallet.abi,
    functionName: 'setOperator',
    args: [operator.address, true],
  }),
})
const project = await market.activeProject()

const termsOf = (bounty: SubmittedBounty, amount = 95n * tokenUnit) =>
  [
    project.token_address as Hex,
    project.founder.wallet_address as Hex,
    bounty.claimant.wallet_address as Hex,
    amount,
    5n * tokenUnit,
  ] as const

/** A payout of the bounty that has failed, with a fee as in {@link termsOf}. */
const failed = ({ submissionId: submission_id }: SubmittedBounty, payout_id: string, terms: object) => {
  const { platformWallet: platform_wallet } = chain
  const fee = String(5n * tokenUnit)
  return createRows(db).payout({ submission_id, payout_id, platform_wallet, status: 'failed', fee, ...terms })
}

const unknown = (payoutId: string) =>
  alarms.filter(({ kind, entityId }) => kind === 'payment_unknown' && entityId === payoutId)

test('a payment that the service ordered raises no alarm, neither under way nor settled', async () => {
  const bounty = await market.doneBounty({ project })
  await caughtUp()
  await until(async () => (await db.selectFrom('payments').select('payout_id').execute()).length === 1)
  expect(unknown(payoutIdOf(31_337, bounty.id))).toEqual([])
})

test('a payment with an operator key behind the back of the service raises an alarm before it is final', async () => {
  const bounty = await market.bountyInReview({ project })
  const payoutId = payoutIdOf(31_337, 'bnt_that_nobody_has_offered')
  const hash = await pay(operator, [payoutId, ...termsOf(bounty)])
  await until(() => unknown(payoutId).length > 0)
  const [alarm] = unknown(payoutId)
  expect(alarm?.why).toContain(`${hash} has paid ${95n * tokenUnit} base units`)
  expect(alarm?.why).toContain('with any operator key: npm run contracts -- pause')
  const follower = await db.selectFrom('followers').select('block_number').executeTakeFirstOrThrow()
  const { blockNumber } = await chain.node.getTransactionReceipt({ hash })
  expect(follower.block_number).toBeLessThan(Number(blockNumber))
})

test('a payment raises an alarm though trades cannot be read, and is stored when they can', async () => {
  const bounty = await market.bountyInReview({ project })
  const payoutId = payoutIdOf(31_337, 'bnt_behind_forged_trades')
  const stored = () => db.selectFrom('payments').where('payout_id', '=', payoutId).select('fee').execute()
  const wallet = chain.platformWallet.toLowerCase()
  chainProxy.refuse(({ method, params }) => {
    if (method !== 'eth_getLogs') return undefined
    const { blockHash, address, fromBlock, toBlock } = params[0] as {
      blockHash?: string
      address?: string[]
      fromBlock: string
      toBlock: string
    }
    if (blockHash) return undefined
    if (Number(toBlock) - Number(fromBlock) >= 60) return 'too many blocks'
    return address?.some((one) => one.toLowerCase() === wallet) ? undefined : 'too many results'
  })
  // The payment is not in the first window, whose trades are refused.
  await chain.node.mine({ blocks: 120 })
  await pay(operator, [payoutId, ...termsOf(bounty)])
  await until(() => unknown(payoutId).length > 0)
  expect(await stored()).toEqual([])
  chainProxy.refuse()
  await until(async () => (await stored()).length === 1)
})

test('a payment with other terms than the payout of its id raises an alarm', async () => {
  const bounty = await market.bountyInReview({ project })
  const payoutId = payoutIdOf(31_337, 'bnt_of_other_terms')
  const [token, from, to] = termsOf(bounty)
  const terms = { token, from_address: from, to_address: to, amount: String(90n * tokenUnit) }
  await failed(bounty, payoutId, terms)
  await pay(operator, [payoutId, ...termsOf(bounty)])
  await until(() => unknown(payoutId).length > 0)
})

test('a payment of a submission whose review ended without one raises an alarm, though its bounty is cancelled', async () => {
  const bounty = await market.bountyInReview({ project })
  const payoutId = payoutIdOf(31_337, bounty.id)
  const [token, from, to, amount] = termsOf(bounty)
  await failed(bounty, payoutId, { token, from_address: from, to_address: to, amount: String(amount) })
  const { id, founder, submissionId, claimant } = bounty
  const retracted = await market.api('POST', `/api/submissions/${submissionId}/retract`, {
    key: claimant.key,
  })
  const cancelled = await market.act({ id }, 'cancel', founder)
  expect([retracted.status, cancelled.status]).toEqual([200, 200])
  await pay(operator, [payoutId, ...termsOf(bounty)])
  await until(() => unknown(payoutId).length > 0)
})
