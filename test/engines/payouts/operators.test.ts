import { encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import { platformWallet } from '../../../server/chain/generated/contracts.ts'
import { noteAlarms } from '../../support/alarms.ts'
import { createTestMarket, type TestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'
import { reviewsOn } from './support/reviews.ts'

const alarms = noteAlarms()

function operatorsOf({ chain, services }: TestMarket) {
  const { operators } = services.chain.require()
  const set = (index: number, allowed: boolean) => {
    const { abi } = platformWallet
    const args = [operators[index]!.address, allowed] as const
    const data = encodeFunctionData({ abi, functionName: 'setOperator', args })
    return chain.send(chain.owner, { to: chain.platformWallet, data })
  }
  const isReported = (index: number) =>
    alarms.some(
      ({ kind, lane }) => kind === 'operator_removed' && lane === operators[index]!.address.toLowerCase(),
    )
  return { set, isReported }
}

test('payouts go to the other operator keys while one has lost its right, which an alarm reports', async () => {
  const market = await createTestMarket({ operators: 2 })
  const { approve, isDone } = reviewsOn(market)
  const { set, isReported } = operatorsOf(market)
  const project = await market.activeProject()
  await set(0, false)
  while (!isReported(0)) {
    const bounty = await market.bountyInReview({ project })
    expect((await approve(bounty)).status).toBe(200)
    expect(await isDone(bounty)).toBe(true)
  }
  expect(isReported(1)).toBe(false)
})

test('without any key that may pay, a payout waits and fails no approval; it is paid once when a key has its right again', async () => {
  const market = await createTestMarket()
  const { approve } = reviewsOn(market)
  const { set, isReported } = operatorsOf(market)
  const bounty = await market.bountyInReview()
  await set(0, false)
  const approval = approve(bounty)
  await until(() => isReported(0))
  expect(await market.chain.payments()).toEqual([])
  await set(0, true)
  expect((await approval).status).toBe(200)
  expect(await market.chain.payments()).toHaveLength(1)
})
