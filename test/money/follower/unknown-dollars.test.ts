import { expect, test } from 'vitest'
import { payoutIdOf } from '../../../server/money/chain/on-chain-ids.ts'
import { moveOrder } from '../../../server/money/orders/move.ts'
import { noteAlarms } from '../../support/alarms.ts'
import { coinOn, dollars } from '../../support/locked-dollars.ts'
import { createTestMarket } from '../../support/market.ts'
import { setRows } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { reviewsOn } from '../payouts/support/reviews.ts'
import { chainLogOf } from './support/chain-log.ts'

const alarms = noteAlarms()
const market = await createTestMarket({ followMs: 50, settings: { FINALITY_BLOCKS: '2' } })
const { caughtUp } = chainLogOf(market)
const { approve, cancel } = reviewsOn(market)
const coin = coinOn(market)
const project = await coin.project()

const unknownOf = ({ id }: { id: string }) =>
  alarms
    .filter(({ kind, entityId }) => kind === 'payment_unknown' && entityId === payoutIdOf(31_337, id))
    .map(({ why }) => why)

test('a deposit, a payment and a refund that the service ordered raise no alarm', async () => {
  const paid = await market.bountyInReview({ project })
  const cancelled = await market.openBounty({ project })
  await market.stopEngines()
  await coin.lock(project, paid.id, dollars('20'))
  await coin.lock(project, cancelled.id, dollars('20'))
  market.startEngines()
  expect((await approve(paid)).status).toBe(200)
  expect((await cancel(cancelled)).status).toBe(200)
  await until(async () => (await coin.slot(cancelled.id)).state === 2)
  await caughtUp()
  expect([...unknownOf(paid), ...unknownOf(cancelled)]).toEqual([])
})

test('a deposit of which there is no row raises an alarm', async () => {
  const bounty = await market.openBounty({ project })
  await coin.lock(project, bounty.id, dollars('20'), false)
  await until(() => unknownOf(bounty).some((why) => why.includes('has locked 20 dollars')))
})

test('a deposit that the database has lost is locked for its bounty again, and returned where that is cancelled', async () => {
  const open = await market.openBounty({ project })
  const cancelled = await market.openBounty({ project })
  await cancel(cancelled)
  await coin.lock(project, open.id, dollars('20'), false)
  await coin.lock(project, cancelled.id, dollars('20'), false)
  const shown = async () =>
    (await market.api('GET', `/api/bounties/${open.id}/dollars`, { key: open.founder.key })).body.dollars
  await until(async () => {
    await market.chain.node.mine({ blocks: 1 })
    return (await shown()).status === 'locked'
  })
  const { lockedUntil } = await coin.slot(open.id)
  expect(await shown()).toMatchObject({
    amount: '20',
    locked_until: new Date(lockedUntil * 1000).toISOString(),
    error_code: null,
  })
  await until(async () => (await coin.slot(cancelled.id)).state === 2)
  expect((await cancel(open)).status).toBe(200)
  await until(async () => (await coin.slot(open.id)).state === 2)
})

test('a deposit of another amount than its row has raises an alarm', async () => {
  const bounty = await market.openBounty({ project })
  await market.stopEngines()
  await coin.lock(project, bounty.id, dollars('20'))
  // The amount of what is locked cannot be changed.
  await moveOrder(market.db, 'deposit', 'reopen', bounty.id)
  await setRows(market.db, 'deposits', { bounty_id: bounty.id }, { amount: dollars('21').toString() })
  market.startEngines()
  await until(() => unknownOf(bounty).some((why) => why.includes('has locked 20 dollars')))
})

test('a refund with an operator key behind the back of the service raises an alarm', async () => {
  const bounty = await market.openBounty({ project })
  await market.stopEngines()
  await coin.lock(project, bounty.id, dollars('20'))
  const hash = await coin.refundOnChain(bounty.id)
  market.startEngines()
  await until(() => unknownOf(bounty).some((why) => why.includes(`${hash} has returned 20 dollars`)))
})

test('payments of at least half of the daily cap raise an alarm before they reach it', async () => {
  const near = () => alarms.filter(({ kind }) => kind === 'dollar_cap_near')
  const pay = async (amount: string) => {
    const bounty = await market.bountyInReview({ project })
    await coin.lock(project, bounty.id, dollars(amount))
    expect((await approve(bounty)).status).toBe(200)
    await caughtUp()
  }
  await coin.setCap(dollars('100'))
  await pay('20')
  expect(near()).toEqual([])
  await pay('10')
  await until(() => near().length > 0)
  expect(near()[0]?.why).toBe('50 of at most 100 dollars a day were paid today')
})
