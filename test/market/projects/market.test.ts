import { type Address, encodeFunctionData, formatEther, parseEther } from 'viem'
import { expect, test } from 'vitest'
import { bondingCurve, projectToken } from '../../../server/money/chain/generated/contracts.ts'
import { chainLogOf } from '../../money/follower/support/chain-log.ts'
import { expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'

const market = await createTestMarket({ proxied: true })
const { api, chain } = market
const agent = await market.register()
const account = await chain.fundedAccount()
/** Nobody trades in it. */
const idle = await market.activeProject()

const marketOf = (project: { id: string }, sell?: string, key = agent.key) =>
  api('GET', `/api/projects/${project.id}/market${sell === undefined ? '' : `?sell=${sell}`}`, { key })

const ofCurve = (project: { curve_address: string }) =>
  ({ abi: bondingCurve.abi, address: project.curve_address as Address }) as const

const note =
  'Rewards can only be sold into the ether that buyers have put in: while nobody has bought, nothing can be sold.'

test('200 says that nothing can be sold while nobody has bought', async () => {
  const price = await chain.node.readContract({ ...ofCurve(idle), functionName: 'price' })
  const [start, end] = await Promise.all(
    (['startFdv', 'endFdv'] as const).map((functionName) =>
      chain.node.readContract({ ...ofCurve(idle), functionName }),
    ),
  )
  const { number, timestamp } = await chain.node.getBlock()
  const { status, body } = await marketOf(idle)
  expect(status).toBe(200)
  expect(body.market).toEqual({
    project_id: idle.id,
    token_address: idle.token_address,
    curve_address: idle.curve_address,
    price_eth: formatEther(price),
    sold: '0',
    eth_held: '0',
    supply: '1000000',
    reserve_left: '100000',
    reserve_claim_eth: '0',
    reserve_claim_bps: 0,
    paid_out: '0',
    // 90 % of a million tokens; a fully diluted value is the price of all of them.
    curve: {
      for_sale: '900000',
      start_price_eth: formatEther((start ?? 0n) / 1_000_000n),
      end_price_eth: formatEther((end ?? 0n) / 1_000_000n),
    },
    quote: { amount: '1', sellable: '0', eth: '0', price_impact_bps: 0 },
    purchase_quote: null,
    as_of: {
      block_number: Number(number),
      mined_at: new Date(Number(timestamp) * 1000).toISOString(),
    },
    note,
  })
})

test('200 with what the contract itself quotes, for as much as buyers hold', async () => {
  const project = await market.activeProject()
  await chain.buy(account, project.curve_address, parseEther('1000.5'))
  await market.doneBounty({ project })
  const contract = ofCurve(project)
  const [price, [part], [all], fees, balance] = await Promise.all([
    chain.node.readContract({ ...contract, functionName: 'price' }),
    chain.node.readContract({ ...contract, functionName: 'quoteSell', args: [parseEther('95.25')] }),
    chain.node.readContract({ ...contract, functionName: 'quoteSell', args: [parseEther('1000.5')] }),
    chain.node.readContract({ ...contract, functionName: 'accruedFees' }),
    chain.node.getBalance({ address: contract.address }),
  ])
  const { body } = await marketOf(project, '95.25')
  expect(body.market).toMatchObject({
    price_eth: formatEther(price),
    sold: '1000.5',
    eth_held: formatEther(balance - fees),
    supply: '1000000',
    reserve_left: '99900',
    paid_out: '100',
    quote: { amount: '95.25', sellable: '95.25', eth: formatEther(part) },
  })
  const { quote } = (await marketOf(project, '999999999')).body.market
  expect(quote).toMatchObject({ amount: '999999999', sellable: '1000.5', eth: formatEther(all) })
})

test('200 with what the contract asks for a purchase, of at most what it has left', async () => {
  const project = await market.activeProject()
  await chain.buy(account, project.curve_address, parseEther('7.5'))
  const quoteBuy = (amount: bigint) =>
    chain.node.readContract({ ...ofCurve(project), functionName: 'quoteBuy', args: [amount] })
  const buy = async (amount: string) =>
    (await marketOf(project, `1&buy=${amount}`)).body.market.purchase_quote
  const [some] = await quoteBuy(parseEther('0.3'))
  const claim = { reserve_claim_eth: expect.any(String), reserve_claim_bps: expect.any(Number) }
  expect(await buy('0.3')).toEqual({ amount: '0.3', available: '0.3', eth: formatEther(some), ...claim })
  const left = parseEther('900000') - parseEther('7.5')
  const [all] = await quoteBuy(left)
  expect(await buy('999999999')).toEqual({
    amount: '999999999',
    available: formatEther(left),
    eth: formatEther(all),
    ...claim,
  })
})

const figures = async (project: { id: string; curve_address: string }) => {
  const { eth_held, reserve_claim_eth, reserve_claim_bps } = (await marketOf(project)).body.market
  const [balance, fees] = await Promise.all([
    chain.node.getBalance({ address: ofCurve(project).address }),
    chain.node.readContract({ ...ofCurve(project), functionName: 'accruedFees' }),
  ])
  expect(parseEther(eth_held)).toBe(balance - fees)
  return { held: balance - fees, claim: parseEther(reserve_claim_eth), bps: reserve_claim_bps }
}

test.each([
  ['a part of the ether', '150000.5', parseEther('100000')],
  ['all of it, and no more than buyers hold', '40000.25', parseEther('40000.25')],
])(
  '200 with what the reserve takes once it is paid out and sold, to the wei: %s',
  async (_, bought, most) => {
    const project = await market.activeProject()
    await chain.buy(account, project.curve_address, parseEther(bought))
    const before = await figures(project)
    const seller = await chain.fundedAccount()
    const claimant = await market.register({ wallet_address: seller.address })
    const bounty = await market.bountyInReview({ project, claimant, reward_amount: 100_000 })
    const { status } = await api('POST', `/api/bounties/${bounty.id}/approve`, { key: project.founder.key })
    expect(status).toBe(200)
    // The platform fee is a part of the reserve that others hold now.
    const { treasury: address } = chain
    await chain.node.setBalance({ address, value: parseEther('1') })
    await chain.node.impersonateAccount({ address })
    const fee = { functionName: 'transfer', args: [seller.address, parseEther('5000')] } as const
    const data = encodeFunctionData({ abi: projectToken.abi, ...fee })
    await chain.send({ address, type: 'json-rpc' }, { to: project.token_address as Address, data })
    await chain.node.stopImpersonatingAccount({ address })

    const contract = ofCurve(project)
    const args = [seller.address] as const
    const amount = await chain.node.readContract({ ...contract, functionName: 'maxSell', args })
    expect(amount).toBe(most)
    const [paid, kept] = await chain.node.readContract({
      ...contract,
      functionName: 'quoteSell',
      args: [amount],
    })
    await chainLogOf(market).sell(seller, project.curve_address, amount)
    const after = await figures(project)
    expect(before.claim).toBe(before.held - after.held)
    expect(before.claim).toBe(paid + kept)
    const share = (Number(before.claim) / Number(before.held)) * 10_000
    expect(Math.abs(before.bps - share)).toBeLessThanOrEqual(1)
    expect(before.bps === 10_000).toBe(amount < parseEther('100000'))
    expect(after).toMatchObject({ claim: 0n, bps: 0 })
  },
)

test.each(['0', '30000'])(
  '200 with what the reserve could take after a purchase, where %s are sold',
  async (sold) => {
    const project = await market.activeProject()
    if (sold !== '0') await chain.buy(account, project.curve_address, parseEther(sold))
    const { purchase_quote } = (await marketOf(project, '1&buy=120000.75')).body.market
    await chain.buy(account, project.curve_address, parseEther('120000.75'))
    const { reserve_claim_eth, reserve_claim_bps } = (await marketOf(project)).body.market
    expect(purchase_quote).toMatchObject({ reserve_claim_eth, reserve_claim_bps })
    expect(Number(reserve_claim_eth)).toBeGreaterThan(0)
  },
)

test('200 with nothing that the reserve could take where it would be worth less than the smallest amount', async () => {
  const project = await market.activeProject()
  await chain.buy(account, project.curve_address, 1n)
  expect(await figures(project)).toEqual({ held: 1n, claim: 0n, bps: 0 })
})

test('200 with the share by which a sale lowers the price', async () => {
  const project = await market.activeProject()
  await chain.buy(account, project.curve_address, parseEther('400000'))
  const before = await chain.node.readContract({ ...ofCurve(project), functionName: 'price' })
  const { quote } = (await marketOf(project, '100000')).body.market
  await chainLogOf(market).sell(account, project.curve_address, parseEther('100000'))
  const after = await chain.node.readContract({ ...ofCurve(project), functionName: 'price' })
  expect(quote.price_impact_bps).toBe(Number(((before - after) * 10_000n) / before))
  expect(quote.price_impact_bps).toBeGreaterThan(100)
})

test('200 where a sale would be worth less than the smallest amount of ether', async () => {
  const project = await market.activeProject()
  await chain.buy(account, project.curve_address, parseEther('10'))
  const { quote } = (await marketOf(project, '0.000000000000000001')).body.market
  expect(quote).toEqual({ amount: '0.000000000000000001', sellable: '0', eth: '0', price_impact_bps: 0 })
})

test('200 with a trade as soon as it is mined, also right after another request', async () => {
  const project = await market.activeProject()
  expect((await marketOf(project)).body.market.sold).toBe('0')
  await market.chain.buy(await market.chain.fundedAccount(), project.curve_address, 5n * 10n ** 18n)
  expect((await marketOf(project)).body.market.sold).toBe('5')
})

test('200 for several requests at once, with one read of the chain', async () => {
  let reads = 0
  market.chainProxy.alter(({ method, params }, result) => {
    if (method === 'eth_getBalance' && params[0] === idle.curve_address) reads++
    return result
  })
  const amounts = ['1', '2', '3', '4', '5']
  const responses = await Promise.all(amounts.map((amount) => marketOf(idle, amount)))
  market.chainProxy.alter()
  expect(responses.map(({ body }) => body.market.quote.amount)).toEqual(amounts)
  expect(reads).toBe(1)
})

test('400 validation_failed for the amount 0', async () => {
  expectInvalid(await marketOf({ id: 'proj_00000000000000000000' }, '0'), 'sell')
})
