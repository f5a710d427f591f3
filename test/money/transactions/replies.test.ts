import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'
import { reviewsOn } from '../payouts/support/reviews.ts'
import { relaySettings, relaysOn } from '../relays/support/relays.ts'

/* What nodes leave out of their replies, or say in words that are not known here. */
const market = await createTestMarket({
  proxied: true,
  settings: { ...relaySettings, APPROVE_WAIT_SECONDS: '1' },
})
const { chainProxy, db } = market
const { approve, reject, stateOf } = reviewsOn(market)
const relays = relaysOn(market)
afterEach(() => {
  chainProxy.alter()
  chainProxy.refuse()
})

test('receipts without a status: a project becomes active, a payout and a withdrawal are confirmed', async () => {
  chainProxy.alter(({ method }, result) => {
    const { status: _, ...others } = Object(result)
    return method === 'eth_getTransactionReceipt' && result ? others : result
  })
  const project = await market.activeProject()
  const bounty = await market.bountyInReview({ project })
  // A busy machine takes longer than this market's founders wait.
  await approve(bounty)
  await until(async () => (await stateOf(bounty)).bounty === 'done')
  const agent = await relays.holder(project)
  const { id } = (await relays.withdraw(agent, project, { amount: '10' })).body.withdrawal
  await until(relays.is(id, 'confirmed'))
  const states = await db
    .selectFrom('transactions')
    .select('status')
    .where('purpose', '<>', 'permit')
    .execute()
  expect(new Set(states.map(({ status }) => status))).toEqual(new Set(['confirmed']))
})

test('a payout of which the node says nothing clear waits, and after ten minutes its review can end', async () => {
  const bounty = await market.bountyInReview()
  // `pay`, as an estimate and as a call.
  chainProxy.refuse(({ method, params }) =>
    /^eth_(estimateGas|call)$/.test(method) && String(Object(params?.[0]).data).length > 10 + 5 * 64
      ? 'computer says no'
      : undefined,
  )
  expect((await approve(bounty)).body.error.code).toBe('payout_unconfirmed')
  expect((await reject(bounty)).body.error.code).toBe('approval_in_progress')
  await sql`update payouts set begun_at = begun_at - interval '10 minutes' where submission_id = ${bounty.submissionId}`.execute(
    db,
  )
  await until(async () => (await stateOf(bounty)).submissions[0] === 'pending')
  const [transaction] = await db
    .selectFrom('transactions')
    .select(['status', 'nonce', 'error'])
    .where('entity_id', '=', bounty.submissionId)
    .execute()
  expect(transaction).toMatchObject({
    status: 'refused',
    nonce: null,
    error: expect.stringContaining('says no'),
  })
  expect((await reject(bounty)).status).toBe(200)
})
