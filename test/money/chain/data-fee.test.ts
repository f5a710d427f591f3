import { numberToHex, parseEther, parseGwei, toFunctionSelector } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { readPayoutCost } from '../../../server/money/chain/gas.ts'
import { noteAlarms } from '../../support/alarms.ts'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'
import { reviewsOn } from '../payouts/support/reviews.ts'
import { gasPriceOracle, type L1Fees, startOpStack } from './support/op-stack.ts'

const { node, rpcUrl, setFees } = await startOpStack()
const market = await createTestMarket({
  rpcUrl,
  proxied: true,
  resendAfterSeconds: 1,
  settings: { REPLACE_AFTER_SECONDS: '1', APPROVE_WAIT_SECONDS: '30' },
})
const { chainProxy } = market
const { approve, transactionsOf } = reviewsOn(market)
const { client, operators } = market.services.chain.require()
const operator = operators[0]!.address
const project = await market.activeProject()
// The first fee of a project costs its treasury's balance as well.
await market.doneBounty({ project })
await node.setBalance({ address: operator, value: parseEther('10') })

const alarms = noteAlarms()
afterEach(() => {
  chainProxy.alter()
  chainProxy.refuse()
})

const opMainnet = { baseFee: parseGwei('30'), baseFeeScalar: 5227n, blobBaseFeeScalar: 1_014_213n }
const withOperator = { ...opMainnet, operatorFee: 300_000_000_000n }
const base = { baseFee: parseGwei('100'), baseFeeScalar: 2269n, blobBaseFeeScalar: 1_055_762n }
const quiet = { baseFee: 0n, baseFeeScalar: 0n, blobBaseFeeScalar: 0n }

describe('what a payout has cost beside its forecast', () => {
  test.for<[string, L1Fees, { baseFee: bigint; tip: bigint }]>([
    ['OP Mainnet, L1 at 30 gwei', opMainnet, { baseFee: 1_000_000n, tip: 1_000_000n }],
    ['Base, L1 at 100 gwei', base, { baseFee: 5_000_000n, tip: 1_000_000n }],
    ['OP Mainnet with an operator fee', withOperator, { baseFee: 1_000_000n, tip: 1_000_000n }],
    ['no fee for data', quiet, { baseFee: 1_000_000n, tip: 1_000_000n }],
  ])('%s: within 5 %%', async ([, fees, { baseFee, tip }], { annotate }) => {
    const { operatorFee = 0n } = fees
    await setFees(fees)
    // The recorded contract is older than operator fees, and anvil suggests fees of its own.
    const getOperatorFee = toFunctionSelector('getOperatorFee(uint256)')
    chainProxy.alter(({ method, params }, result) => {
      const selector = String(Object(params?.[0]).data).slice(0, 10)
      if (method === 'eth_maxPriorityFeePerGas') return numberToHex(tip)
      if (method === 'eth_gasPrice') return numberToHex(baseFee + tip)
      if (operatorFee > 0n && selector === getOperatorFee) return numberToHex(operatorFee, { size: 32 })
      return result
    })
    const bounty = await market.bountyInReview({ project })
    await node.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFee })
    await node.mine({ blocks: 1 })
    await node.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFee })
    const forecast = Number(await readPayoutCost(client))
    const before = await node.getBalance({ address: operator })
    expect((await approve(bounty)).status).toBe(200)
    const cost = Number(before - (await node.getBalance({ address: operator })))
    await annotate(`cost ${cost} wei, forecast ${forecast} wei`)
    expect(Math.abs(forecast / cost - 1)).toBeLessThan(0.05)
  })
})

test('a key that can pay the gas and not the data: an alarm, nothing is sent, and one payment once it has ETH', async () => {
  await setFees(opMainnet)
  const bounty = await market.bountyInReview({ project })
  const paid = (await market.chain.payments()).length
  // A payout's gas limit is some 136,000, and its data costs 100,000 gas's worth.
  const { maxFeePerGas } = await client.estimateFeesPerGas()
  await node.setBalance({ address: operator, value: 200_000n * maxFeePerGas })
  await setFees({ ...opMainnet, baseFee: parseGwei('7000') })
  const approval = approve(bounty)
  await until(async () => (await transactionsOf(bounty))[0]?.error?.includes('too little ETH') === true)
  expect(alarms.map(({ kind }) => kind)).toContain('gas_balance_low')
  expect(await transactionsOf(bounty)).toMatchObject([{ status: 'queued', nonce: null }])
  await node.setBalance({ address: operator, value: parseEther('10') })
  expect((await approval).status).toBe(200)
  expect((await market.chain.payments()).length).toBe(paid + 1)
})

test('a node that refuses for want of ETH: an alarm, the same bytes again, no higher fees, and one payment', async () => {
  await setFees(opMainnet)
  const bounty = await market.bountyInReview({ project })
  const paid = (await market.chain.payments()).length
  chainProxy.refuse(({ method }) =>
    method === 'eth_sendRawTransaction'
      ? 'insufficient funds for gas * price + value: balance 3, tx cost 5, overshot 2'
      : undefined,
  )
  const approval = approve(bounty)
  const attempts = async () => {
    const [transaction] = await transactionsOf(bounty)
    return market.db
      .selectFrom('transaction_attempts')
      .selectAll()
      .where('transaction_id', '=', transaction?.id ?? 0)
      .execute()
  }
  await until(async () => {
    // With new blocks, by which a transaction of its age would get higher fees.
    await node.mine({ blocks: 1 })
    return ((await attempts())[0]?.sends ?? 0) > 3
  })
  expect(await attempts()).toHaveLength(1)
  const { submissionId: entityId } = bounty
  expect(alarms.filter((alarm) => alarm.entityId === entityId)).toMatchObject([{ kind: 'gas_balance_low' }])
  chainProxy.refuse()
  expect((await approval).status).toBe(200)
  expect((await market.chain.payments()).length).toBe(paid + 1)
})

test('a chain without the contract is asked for it once, and for no fee', async () => {
  const other = await createTestMarket({ proxied: true })
  const asked: string[] = []
  other.chainProxy.alter(({ method, params }, result) => {
    if (JSON.stringify(params ?? []).includes(gasPriceOracle)) asked.push(method)
    return result
  })
  await other.doneBounty()
  await other.doneBounty()
  expect(asked).toEqual(['eth_getCode'])
})
