import { type Address, formatEther, parseEther } from 'viem'
import { expect, test } from 'vitest'
import { bondingCurve } from '../../../server/money/chain/generated/contracts.ts'
import { chainLogOf } from '../../money/follower/support/chain-log.ts'
import { createTestMarket } from '../../support/market.ts'

const market = await createTestMarket({ followMs: 50 })
const { api, chain } = market
const { followed, sell } = chainLogOf(market)
const agent = await market.register()
const account = await chain.fundedAccount()

const history = (project: { id: string }, query = '') =>
  api('GET', `/api/projects/${project.id}/market/history${query}`, { key: agent.key })

/** Trades, and notes the contract's own price after each. */
async function tradesOn(project: { curve_address: string }, amounts: string[]) {
  const prices: string[] = []
  for (const amount of amounts) {
    if (amount.startsWith('-')) await sell(account, project.curve_address, parseEther(amount.slice(1)))
    else await chain.buy(account, project.curve_address, parseEther(amount))
    const address = project.curve_address as Address
    const price = await chain.node.readContract({ abi: bondingCurve.abi, address, functionName: 'price' })
    prices.unshift(formatEther(price))
  }
  await followed(project.curve_address, amounts.length)
  return prices
}

test('200 with the trades, newest first, and the contract’s price after each', async () => {
  const project = await market.activeProject({ token_supply: 999_983 })
  const prices = await tradesOn(project, ['1000.123456789', '20', '-7.5'])
  const { status, body } = await history(project)
  expect(status).toBe(200)
  expect(body).toMatchObject({ next: null })
  const trader = account.address
  expect(body.trades.map((trade: { price_after_eth: string }) => trade.price_after_eth)).toEqual(prices)
  expect(body.trades).toMatchObject([
    { side: 'sell', trader, recipient: trader, amount: '7.5' },
    { side: 'buy', trader, recipient: trader, amount: '20' },
    { side: 'buy', trader, recipient: trader, amount: '1000.123456789' },
  ])
  const [newest] = body.trades
  const receipt = await chain.node.getTransactionReceipt({ hash: newest.tx_hash })
  const { timestamp } = await chain.node.getBlock({ blockNumber: receipt.blockNumber })
  const sold = receipt.logs.find((log) => log.address === project.curve_address.toLowerCase())
  expect(newest).toMatchObject({
    id: `trd_${receipt.blockNumber}_${sold?.logIndex}`,
    block_number: Number(receipt.blockNumber),
    log_index: sold?.logIndex,
    mined_at: new Date(Number(timestamp) * 1000).toISOString(),
  })
  expect(Number(newest.fee_eth)).toBeGreaterThan(0)
})

test('200 page by page, also after the trade from which to go on was taken back', async () => {
  const project = await market.activeProject()
  await tradesOn(project, ['1', '2', '3'])
  const first = (await history(project, '?limit=2')).body
  expect(first.trades.map(({ amount }: { amount: string }) => amount)).toEqual(['3', '2'])
  expect(first).toMatchObject({ next: first.trades[1].id })
  await chain.reorganise(2)
  await followed(project.curve_address, 1)
  const second = (await history(project, `?limit=2&after=${first.next}`)).body
  expect(second.trades.map(({ amount }: { amount: string }) => amount)).toEqual(['1'])
  expect(second).toMatchObject({ next: null })
  expect((await history(project)).body.trades).toEqual(second.trades)
})

test('200 with nothing while nobody has bought', async () => {
  const { body } = await history(await market.activeProject())
  expect(body).toEqual({ trades: [], next: null })
})
