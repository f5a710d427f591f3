import { expect, test } from 'vitest'
import { giveDollars } from '../../server/embedded/chain/dollar.ts'
import { coinOn, dollars } from '../support/locked-dollars.ts'
import { createTestMarket } from '../support/market.ts'
import { createRows } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { connect } from './client.ts'

const market = await createTestMarket()
const coin = coinOn(market)

test('a founder locks dollars of the managed wallet, and contributors find and read them, and hear of them', async () => {
  const founder = await market.register()
  const boss = await connect(market.baseUrl, founder.key)
  const project = await market.activeProject({ founder })
  await giveDollars(market.chain.rpcUrl, founder.wallet_address as `0x${string}`)
  expect(await boss.use('dollars')).toMatchObject({ balance: '1000', withdrawable: '1000' })
  const plain = await market.openBounty({ project })
  const { id } = await market.openBounty({ project })
  expect(await boss.use('lock_dollars', { bounty_id: id, amount: '20.50' })).toMatchObject({
    dollars: { bounty_id: id, amount: '20.5', status: 'queued' },
    next_step: expect.stringMatching(/^Call dollars with this bounty_id/),
  })
  await until(async () => (await boss.use('dollars', { bounty_id: id })).dollars.status === 'locked')
  expect(await boss.refused('lock_dollars', { bounty_id: id, amount: '1' })).toMatchObject({
    error: { code: 'dollars_exist' },
    next_step: 'Call dollars with this bounty_id to see how they stand.',
  })

  const worker = await connect(market.baseUrl, (await market.register()).key)
  expect((await worker.use('find_bounties', { min_dollars: '20.5' })).bounties).toMatchObject([
    { id, dollars: '20.5' },
  ])
  expect((await worker.use('find_bounties', { min_dollars: '20.51' })).bounties).toEqual([])
  expect((await worker.use('find_bounties', { sort: 'dollars' })).bounties).toMatchObject([{ id }])
  expect((await worker.use('get_bounty', { bounty_id: id })).bounty).toMatchObject({ dollars: '20.5' })
  expect((await worker.use('get_bounty', { bounty_id: plain.id })).bounty).not.toHaveProperty('dollars')
  const { preflight } = await worker.use('preflight', { bounty_id: id })
  expect(preflight.dollars).toMatchObject({ amount: '20.5', status: 'locked', expires_soon: false })
  expect(preflight.needs[0]).toBe(
    `20.5 dollars are locked for it until ${preflight.dollars.locked_until}: an approval pays them with the tokens, less the platform fee.`,
  )
})

test('lock_dollars says what a wallet of the founder has to sign, and locks nothing', async () => {
  const project = await coin.project()
  const { id } = await market.openBounty({ project })
  const { use } = await connect(market.baseUrl, project.founder.key)
  const { to_sign, next_step } = await use('lock_dollars', { bounty_id: id, amount: '20' })
  expect(to_sign).toMatchObject({
    primaryType: 'ReceiveWithAuthorization',
    domain: { name: 'USD Coin' },
    message: { from: project.account.address, value: String(dollars('20')) },
  })
  expect(next_step).toMatch(
    /^Nothing is locked yet.*POST \/api\/bounties\/\{id\}\/dollars with amount, signature/,
  )
  expect((await use('dollars', { bounty_id: id })).dollars.status).toBe('none')
})

test('dollars whose lock expires soon are in no list, and preflight says that they may go back', async () => {
  const project = await coin.project()
  const bounty = await market.openBounty({ project, title: 'Soon' })
  const days = 86_400_000
  // Medium work takes 6 days with both extensions, its review 7, and 7 days are to spare.
  const locked_until = new Date(Date.now() + 20 * days - 60_000)
  const of = { agent_id: project.founder.id, project_id: project.id }
  await createRows(market.db).deposit({
    ...of,
    bounty_id: bounty.id,
    amount: '5000000',
    status: 'locked',
    locked_until,
    fund_tx: `0x${'1'.repeat(64)}`,
  })
  const { use } = await connect(market.baseUrl, (await market.register()).key)
  expect((await use('find_bounties', { project_id: project.id, min_dollars: '1' })).bounties).toEqual([])
  const [found] = (await use('find_bounties', { project_id: project.id })).bounties
  expect(found).not.toHaveProperty('dollars')
  const soon = async () => (await use('preflight', { bounty_id: bounty.id })).preflight
  const { dollars: said, needs } = await soon()
  expect(said).toEqual({
    amount: '5',
    status: 'locked',
    locked_until: locked_until.toISOString(),
    expires_soon: true,
  })
  expect(needs[0]).toMatch(/^5 dollars are locked for it until .*, which may be before you are paid/)
  await market.db
    .updateTable('deposits')
    .set({ locked_until: new Date(Date.now() + 20 * days + 60_000) })
    .where('bounty_id', '=', bounty.id)
    .execute()
  expect((await soon()).dollars.expires_soon).toBe(false)
  const [counted] = (await use('find_bounties', { project_id: project.id, min_dollars: '5' })).bounties
  expect(counted).toMatchObject({ id: bounty.id, dollars: '5' })
})

test('next_actions of the founder says which dollars an approval pays', async () => {
  const project = await coin.project()
  const bounty = await market.bountyInReview({ project })
  await coin.lock(project, bounty.id, dollars('20'))
  const { use } = await connect(market.baseUrl, project.founder.key)
  const { tasks } = await use('next_actions')
  expect(tasks[0]).toMatchObject({
    bounty_id: bounty.id,
    consequence: expect.stringMatching(
      /The reward is 100 tokens: 95 for the contributor, 5 platform fee\. With them it pays the 20 locked dollars, less the fee\.$/,
    ),
  })
})
