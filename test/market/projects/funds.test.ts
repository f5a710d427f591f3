import { beforeEach, expect, test } from 'vitest'
import { tokenUnit } from '../../../server/money/chain/units.ts'
import { ageClock } from '../../support/clock.ts'
import { createTestMarket } from '../../support/market.ts'
import { isoTime } from '../../support/values.ts'

const market = await createTestMarket()
const sharing = { sharing: market, engines: false }
const off = await createTestMarket({ ...sharing, settings: { PAYOUTS_ENABLED: 'false' } })
const clock = ageClock()
/** What was read from the chain is more than ten seconds old. */
const age = () => clock.advance(10_001)
beforeEach(age)
const { chain } = market
const { key } = await market.register()

const get = ({ id }: { id: string }, from = market) => from.api('GET', `/api/projects/${id}/funds`, { key })
const fundsOf = async (project: { id: string }, from = market) => (await get(project, from)).body.funds

test('200 with what could be paid now: all, the work under way, or neither', async () => {
  const project = await market.activeProject()
  await market.openBounty({ project, reward_amount: 40_000 })
  await market.claimedBounty({ project, reward_amount: 20_000 })
  await market.bountyInReview({ project, reward_amount: 30_000 })
  const paid = await market.bountyInReview({ project, reward_amount: 10_000 })
  const path = `/api/bounties/${paid.id}/approve`
  expect((await market.api('POST', path, { key: project.founder.key, body: {} })).status).toBe(200)
  const { status, body } = await get(project)
  expect(status).toBe(200)
  const enough = {
    project_id: project.id,
    spendable: '90000',
    reserve_left: '90000',
    committed: '90000',
    in_work: '50000',
    covers_all: true,
    covers_work: true,
    payouts_enabled: true,
    read_at: isoTime,
  }
  expect(body).toEqual({ funds: enough })
  const reward = (difference: number) =>
    market.db
      .updateTable('bounties')
      .set((row) => ({ reward_amount: row('reward_amount', '+', difference) }))
      .where('project_id', '=', project.id)
  await reward(1).where('status', '=', 'open').execute()
  const less = { ...enough, committed: '90001', covers_all: false }
  expect(await fundsOf(project)).toEqual(less)
  await reward(40_001).where('status', '=', 'claimed').execute()
  const least = { committed: '130002', in_work: '90001', covers_all: false, covers_work: false }
  expect(await fundsOf(project)).toEqual({ ...less, ...least })
})

test('200 with the smaller of balance and allowance, in parts of a token, ten seconds later', async () => {
  const account = await chain.fundedAccount()
  const project = await market.activeProject({
    founder: await market.register({ wallet_address: account.address }),
  })
  await chain.buy(account, project.curve_address, 10n * tokenUnit + 5n * 10n ** 17n)
  const before = { spendable: '100000', reserve_left: '100000' }
  const { read_at, ...first } = await fundsOf(project)
  expect(first).toMatchObject(before)
  await chain.approve(account, project.token_address, 100_005n * tokenUnit + 1n)
  expect(await fundsOf(project)).toEqual({ ...first, read_at })
  await age()
  expect(await fundsOf(project)).toMatchObject({ ...before, spendable: '100005.000000000000000001' })
  await chain.approve(account, project.token_address, 2n ** 256n - 1n)
  await age()
  expect(await fundsOf(project)).toMatchObject({ ...before, spendable: '100010.5' })
})

test('200 covers nothing while payouts are off, by the operator or the platform wallet', async () => {
  const project = await market.activeProject()
  const nothing = { covers_all: false, covers_work: false, payouts_enabled: false, spendable: '100000' }
  expect(await fundsOf(project)).toMatchObject({ covers_all: true, covers_work: true })
  expect(await fundsOf(project, off)).toMatchObject(nothing)
  await chain.pause()
  await age()
  expect(await fundsOf(project)).toMatchObject(nothing)
  await chain.unpause()
})
