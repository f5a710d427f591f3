import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { failRelay, reopenRelay } from '../../../server/money/relays/settle.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import type { HeldResponses } from '../../support/rpc-proxy.ts'
import { until } from '../../support/until.ts'
import { relaySettings, relaysOn } from '../relays/support/relays.ts'

const settings = { ...relaySettings, WALLET_MASTER_KEY: randomUUID() + randomUUID() }
const market = await createTestMarket({ settings })
const relays = relaysOn(market)
const { withdraw } = relays
const project = await market.activeProject()
/** A project whose tokens no agent holds. */
const idle = await market.activeProject()

test('409 withdrawal_in_progress names the one that runs, of whatever amount, and 201 once it has ended', async () => {
  const holder = await relays.holder(project, 10)
  await market.stopEngines()
  const { id } = (await withdraw(holder, project, { amount: '10' })).body.withdrawal
  const key = randomUUID()
  for (const amount of ['1', '11', 'all']) {
    const refused = await withdraw(holder, project, { amount, as: 'eth' }, key + amount)
    expectError(refused, 'withdrawal_in_progress')
    expect(refused.body.error.message).toContain(id)
  }
  // Another token of the same wallet.
  const elsewhere = await withdraw(holder, idle, { amount: '1' })
  expectError(elsewhere, 'insufficient_balance')
  market.startEngines()
  await until(relays.is(id, 'confirmed'))
  await relays.give(project, holder.wallet_address, 1)
  expect((await withdraw(holder, project, { amount: '1', as: 'eth' }, `${key}1`)).status).toBe(201)
})

test('409 withdrawal_in_progress while one runs again that the chain has taken back', async () => {
  const holder = await relays.holder(project, 10)
  const { id, tx_hash } = await relays.withdrawn(holder, project, { amount: '1' })
  await market.stopEngines()
  await reopenRelay(market.db, id, [tx_hash])
  const refused = await withdraw(holder, project, { amount: '1' })
  expectError(refused, 'withdrawal_in_progress')
  expect(refused.body.error.message).toContain(id)
  market.startEngines()
  await until(relays.is(id, 'confirmed'))
})

test('of two at once that the balance covers together, one is 201 and the other 409 withdrawal_in_progress', async () => {
  const holder = await relays.holder(project, 10)
  await market.stopEngines()
  const answers = await Promise.all(['1', '2'].map((amount) => withdraw(holder, project, { amount })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  const refused = answers.find(({ status }) => status === 409)!
  expectError(refused, 'withdrawal_in_progress')
  const { id } = answers.find(({ status }) => status === 201)!.body.withdrawal
  expect(refused.body.error.message).toContain(id)
  const rows = market.db.selectFrom('relays').select('id').where('agent_id', '=', holder.id)
  expect(await rows.execute()).toEqual([{ id }])
  market.startEngines()
})

test('409 withdrawal_in_progress names one that began and ended while the node was slow: its tokens are not signed for twice', async () => {
  const holder = await relays.holder(project, 10)
  const other = await createTestMarket({ proxied: true, engines: false, settings, sharing: market })
  let responses: HeldResponses | undefined
  other.chainProxy.refuse(({ method }) => {
    if (method === 'eth_getBlockByNumber') responses ??= other.chainProxy.hold()
    return undefined
  })
  const slow = relaysOn(other).withdraw(holder, project, { amount: 'all' })
  await until(() => responses !== undefined && responses.count() > 0)
  const { id } = await relays.withdrawn(holder, project, { amount: 'all' })
  responses?.release()
  const refused = await slow
  expectError(refused, 'withdrawal_in_progress')
  expect(refused.body.error.message).toContain(id)
})

test('one that the chain has made after it was reported failed runs again beside a later one', async () => {
  const holder = await relays.holder(project, 10)
  await market.stopEngines()
  const { id } = (await withdraw(holder, project, { amount: '1' })).body.withdrawal
  await market.db.transaction().execute((trx) => failRelay(trx, id, 'authorization_expired'))
  const later = (await withdraw(holder, project, { amount: '1' })).body.withdrawal
  await market.db.transaction().execute((trx) => reopenRelay(trx, id, [], true))
  market.startEngines()
  await until(relays.is(id, 'confirmed'))
  await until(relays.is(later.id, 'confirmed'))
})
