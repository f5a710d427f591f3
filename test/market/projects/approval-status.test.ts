import { expect, test } from 'vitest'
import { tokenUnit } from '../../../server/money/chain/units.ts'
import { createTestMarket } from '../../support/market.ts'

const market = await createTestMarket()

const status = (project: { id: string }, key?: string) =>
  market.api('GET', `/api/projects/${project.id}/approval-status`, { key })

test('200 with the bounty reserve of a fresh project', async () => {
  const project = await market.activeProject()
  const { status: code, body } = await status(project, project.founder.key)
  expect(code).toBe(200)
  expect(body).toEqual({ balance: '100000', allowance: '100000', committed: '0', available: '100000' })
})

test('200 counts every bounty that is not done, and a payment lowers both sides', async () => {
  const project = await market.activeProject()
  await market.openBounty({ project, reward_amount: 1 })
  await market.claimedBounty({ project, reward_amount: 20 })
  await market.bountyInReview({ project, reward_amount: 300 })
  const before = await status(project, project.founder.key)
  expect(before.body).toEqual({
    balance: '100000',
    allowance: '100000',
    committed: '321',
    available: '99679',
  })
  await market.doneBounty({ project })
  const after = await status(project, project.founder.key)
  expect(after.body).toEqual({ balance: '99900', allowance: '99900', committed: '321', available: '99579' })
})

test('200 rounds down and takes the smaller of balance and allowance', async () => {
  const account = await market.chain.fundedAccount()
  const founder = await market.register({ wallet_address: account.address })
  const project = await market.activeProject({ founder })
  await market.chain.buy(account, project.curve_address, 10n * tokenUnit - 1n)
  expect((await status(project, founder.key)).body).toMatchObject({
    balance: '100009',
    allowance: '100000',
    available: '100000',
  })
  await market.chain.approve(account, project.token_address, 100_005n * tokenUnit + 1n)
  expect((await status(project, founder.key)).body).toMatchObject({
    balance: '100009',
    allowance: '100005',
    available: '100005',
  })
  await market.chain.approve(account, project.token_address, 2n ** 256n - 1n)
  expect((await status(project, founder.key)).body).toMatchObject({
    balance: '100009',
    allowance: String((2n ** 256n - 1n) / tokenUnit),
    available: '100009',
  })
})

test('200 with a negative `available` if the founder took promised tokens back', async () => {
  const account = await market.chain.fundedAccount()
  const founder = await market.register({ wallet_address: account.address })
  const project = await market.activeProject({ founder })
  await market.chain.buy(account, project.curve_address, 500n * tokenUnit)
  await market.chain.approve(account, project.token_address, 100_500n * tokenUnit)
  await market.openBounty({ project, reward_amount: 100_500 })
  await market.chain.approve(account, project.token_address, 100_000n * tokenUnit)
  expect((await status(project, founder.key)).body).toEqual({
    balance: '100500',
    allowance: '100000',
    committed: '100500',
    available: '-500',
  })
})
