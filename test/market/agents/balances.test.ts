import { type Address, encodeFunctionData, formatUnits, parseUnits } from 'viem'
import { describe, expect, test } from 'vitest'
import { bondingCurve } from '../../../server/money/chain/generated/contracts.ts'
import { relaysOn } from '../../money/relays/support/relays.ts'
import { expectError, expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import type { ActiveProject } from '../../support/scenarios.ts'
import { until } from '../../support/until.ts'

const market = await createTestMarket({ proxied: true, followMs: 50 })
const relays = relaysOn(market)

const path = '/api/agents/me/balances'
const list = (key: string, query = '', by = market) => by.api('GET', path + query, { key })
const tokens = (whole: string) => parseUnits(whole, 18)

/** What the curve pays for a sale now, in ether. */
async function quote({ curve_address }: ActiveProject, amount: bigint): Promise<string> {
  const [wei] = await market.chain.node.readContract({
    abi: bondingCurve.abi,
    address: curve_address as Address,
    functionName: 'quoteSell',
    args: [amount],
  })
  return formatUnits(wei, 18)
}

const buyer = await market.chain.fundedAccount()
const sold = await market.activeProject()
await market.chain.buy(buyer, sold.curve_address, tokens('1000'))
const paid = await market.doneBounty({ project: sold })
const contributor = paid.claimant

describe('200', () => {
  test('200 with what a contributor was paid, what of it can leave, and what the curve pays for it', async () => {
    const { status, body } = await list(contributor.key)
    expect(status).toBe(200)
    // 100 tokens minus 5 %.
    expect(body).toEqual({
      balances: [
        {
          project_id: sold.id,
          token_symbol: 'CALC',
          token_address: sold.token_address,
          wallet_address: contributor.wallet_address,
          balance: '95',
          reserve: '0',
          withdrawable: '95',
          value_eth: await quote(sold, tokens('95')),
        },
      ],
      next: null,
    })
    expect(Number(body.balances[0].value_eth)).toBeGreaterThan(0)
  })

  test('200 without what a withdrawal is about to take', async () => {
    const project = await market.activeProject()
    const { claimant } = await market.doneBounty({ project })
    await market.stopEngines()
    const { body } = await relays.withdraw(claimant, project, { amount: '10' })
    expect((await list(claimant.key)).body.balances).toMatchObject([{ balance: '95', withdrawable: '85' }])
    market.startEngines()
    await until(relays.is(body.withdrawal.id, 'confirmed'))
    expect((await list(claimant.key)).body.balances).toMatchObject([{ balance: '85', withdrawable: '85' }])
  })

  test('200 with the reserve of a founder, which neither leaves nor has a price', async () => {
    const { body } = await list(sold.founder.key)
    expect(body.balances).toMatchObject([
      { project_id: sold.id, balance: '99900', reserve: '99900', withdrawable: '0', value_eth: '0' },
    ])
  })

  test('200 with no value where nobody has bought, and with as much as buyers hold where they hold less', async () => {
    const project = await market.activeProject()
    const { claimant } = await market.doneBounty({ project })
    const value = async () => (await list(claimant.key)).body.balances[0].value_eth
    expect(await value()).toBe('0')
    await market.chain.buy(buyer, project.curve_address, tokens('1.5'))
    expect(await value()).toBe(await quote(project, tokens('1.5')))
  })

  test('200 with an entry of each wallet: the managed one stays after another was set', async () => {
    const bounty = await market.doneBounty()
    const { claimant, project } = bounty
    const other = '0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB'
    const body = { wallet_address: other }
    await market.api('PATCH', '/api/agents/me/wallet', { key: claimant.key, body })
    expect((await list(claimant.key)).body.balances).toMatchObject([
      { wallet_address: claimant.wallet_address, balance: '95' },
    ])
    await market.doneBounty({ project, claimant })
    const { balances } = (await list(claimant.key)).body
    expect(balances).toMatchObject([
      { project_id: project.id, wallet_address: claimant.wallet_address, balance: '95', withdrawable: '95' },
      { project_id: project.id, wallet_address: other, withdrawable: '0' },
    ])
    // Other tests may have paid this address too, but in other tokens.
    expect(balances[1].balance).toBe('95')
  })

  test('200 with one entry for the managed wallet, however the agent has written it', async () => {
    const { claimant } = await market.doneBounty()
    const body = { wallet_address: claimant.wallet_address?.toLowerCase() }
    await market.api('PATCH', '/api/agents/me/wallet', { key: claimant.key, body })
    expect((await list(claimant.key)).body.balances).toMatchObject([
      { wallet_address: claimant.wallet_address, balance: '95', withdrawable: '95' },
    ])
  })

  test('200 with tokens that the wallet bought, and with tokens that it was sent if their project is named', async () => {
    const agent = await market.register()
    const recipient = agent.wallet_address as Address
    const project = await market.activeProject()
    const args = [tokens('3'), tokens('1'), recipient, 2n ** 64n] as const
    const data = encodeFunctionData({ abi: bondingCurve.abi, functionName: 'buy', args })
    await market.chain.send(buyer, { to: project.curve_address as Address, data, value: tokens('1') })
    await until(async () => (await list(agent.key)).body.balances.length === 1)
    expect((await list(agent.key)).body.balances).toMatchObject([
      { project_id: project.id, withdrawable: '3' },
    ])
    await relays.give(sold, recipient, 7)
    expect((await list(agent.key)).body.balances).toHaveLength(1)
    expect((await list(agent.key, `?project_id=${sold.id}`)).body.balances).toMatchObject([
      { project_id: sold.id, wallet_address: recipient, balance: '7', withdrawable: '7' },
    ])
    const { body } = await relays.withdraw(agent, sold, { amount: 'all' })
    await until(relays.is(body.withdrawal.id, 'confirmed'))
  })

  test('200 in pages of projects, newest first', async () => {
    const founder = await market.register()
    const projects: string[] = []
    for (let count = 0; count < 3; count++) projects.unshift((await market.activeProject({ founder })).id)
    const first = (await list(founder.key, '?limit=2')).body
    expect(first.balances.map(({ project_id }: { project_id: string }) => project_id)).toEqual(
      projects.slice(0, 2),
    )
    expect(first).toMatchObject({ next: projects[1] })
    const second = (await list(founder.key, `?limit=2&after=${first.next}`)).body
    expect(second).toMatchObject({ balances: [{ project_id: projects[2] }], next: null })
  })

  test('200 with nothing for an agent that was never paid, without a wallet, and without asking the chain', async () => {
    market.chainProxy.disconnect()
    for (const { key } of [await market.register(), await market.registerWithoutWallet()])
      expect((await list(key)).body).toEqual({ balances: [], next: null })
    market.chainProxy.restore()
  })
})

test('200 for payments that are not settled: nothing', async () => {
  const project = await market.activeProject()
  await market.chain.pause()
  const { claimant, founder, id } = await market.bountyInReview({ project })
  const body = {}
  expectError(await market.act({ id }, 'approve', founder, body), 'payouts_disabled')
  expect((await list(claimant.key)).body.balances).toEqual([])
  await market.chain.unpause()
})

test('404 project_not_found', async () => {
  expectError(await list(contributor.key, '?project_id=proj_00000000000000000000'), 'project_not_found')
  expectInvalid(await list(contributor.key, '?project_id=xyz'), 'project_id')
})
