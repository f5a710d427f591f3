import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { cancelAuthorization } from '../../money/relays/support/cancel-authorization.ts'
import { marketsBeside, newAddress, relaySettings, relaysOn } from '../../money/relays/support/relays.ts'
import { dollarsOn } from '../../support/dollars.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'

const settings = { ...relaySettings, WALLET_MASTER_KEY: randomUUID() + randomUUID() }
const market = await createTestMarket({ settings })
const dollars = dollarsOn(market)
const relays = relaysOn(market)
const beside = marketsBeside(market, settings)
const project = await dollars.project()
const own = await dollars.ownProject()
const open = () => market.openBounty({ project })
const openOwn = () => market.openBounty({ project: own.project })
const none = { locked_until: null, expires_soon: false, fund_tx: null, end_tx: null, error_code: null }
const revisionOf = async ({ id }: { id: string }) =>
  (await market.db.selectFrom('bounties').where('id', '=', id).select('revision').executeTakeFirstOrThrow())
    .revision

test('201 and locked for 180 days, a new revision, and everybody can read that the bounty is funded', async () => {
  const bounty = await open()
  const held = await dollars.balanceOf(market.chain.platformWallet)
  const { status, body } = await dollars.lock(bounty, { amount: '20.5' })
  expect([status, body]).toEqual([
    201,
    { dollars: { bounty_id: bounty.id, amount: '20.5', status: 'queued', ...none } },
  ])
  await until(dollars.is(bounty, 'locked'))
  const locked = (await dollars.read(bounty)).dollars
  const slot = await dollars.slotOf(bounty)
  expect(slot).toMatchObject({ dollars: 20_500_000n, state: 1, funder: project.founder.wallet_address })
  expect(new Date(locked.locked_until)).toEqual(new Date(slot.lockedUntil * 1000))
  expect((await dollars.balanceOf(market.chain.platformWallet)) - held).toBe(20_500_000n)
  expect(await revisionOf(bounty)).toBe(2)
  const { activity } = (await market.api('GET', '/api/activity?limit=1')).body
  expect(activity[0]).toMatchObject({
    type: 'bounty.funded',
    bounty_id: bounty.id,
    project_id: project.id,
    agent_id: project.founder.id,
    data: { amount: '20.5', tx_hash: locked.fund_tx, revision: 2, locked_until: locked.locked_until },
  })
})

test('201 with the signature of a wallet of the founder’s own', async () => {
  const bounty = await openOwn()
  const body = await dollars.signed(bounty, own.owner, '1.00')
  expect((await dollars.lock(bounty, body)).status).toBe(201)
  await until(dollars.is(bounty, 'locked'))
  expect(await dollars.slotOf(bounty)).toMatchObject({ dollars: 1_000_000n, funder: own.owner.address })
})

test('409 dollars_exist: of two at once one is 201, and there is no second one later', async () => {
  const bounty = await open()
  const both = await Promise.all([dollars.lock(bounty), dollars.lock(bounty, { amount: '21' })])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  expectError(both.find(({ status }) => status === 409)!, 'dollars_exist')
  await until(dollars.is(bounty, 'locked'))
  expectError(await dollars.lock(bounty), 'dollars_exist')
})

test('409 dollars_exist where only the chain knows of it', async () => {
  const bounty = await open()
  await dollars.lock(bounty)
  await until(dollars.is(bounty, 'locked'))
  await market.db.deleteFrom('deposits').where('bounty_id', '=', bounty.id).execute()
  expectError(await dollars.lock(bounty), 'dollars_exist')
})

test('409 bounty_not_open once it is claimed', async () => {
  expectError(await dollars.lock(await market.claimedBounty({ project })), 'bounty_not_open')
})

test('a claim, or a cancellation, that comes at the same time: the deposit is refused, or is locked beside it', async () => {
  for (const step of ['claim', 'cancel']) {
    const bounty = await open()
    const agent = step === 'claim' ? await market.register() : bounty.founder
    const [locked, moved] = await Promise.all([dollars.lock(bounty), market.act(bounty, step, agent)])
    expect(moved.status).toBe(200)
    const row = await market.db
      .selectFrom('deposits')
      .where('bounty_id', '=', bounty.id)
      .selectAll()
      .execute()
    expect(row.length).toBe(locked.status === 201 ? 1 : 0)
    if (locked.status === 201) await until(dollars.is(bounty, 'locked'))
    else expect(['bounty_not_open', 'bounty_cancelled']).toContain(locked.body.error.code)
  }
})

test('400 authorization_invalid for a signature of another amount, bounty, key or time, and for a plain transfer', async () => {
  const bounty = await openOwn()
  const other = await openOwn()
  const body = await dollars.signed(bounty, own.owner)
  const otherOwner = (await dollars.ownProject()).owner
  const refused = async (changed: object, on = bounty) =>
    expectError(await dollars.lock(on, { ...body, ...changed }), 'authorization_invalid')
  await refused({ amount: '19' })
  await refused({}, other)
  await refused(await dollars.signed(bounty, otherOwner))
  await refused({ valid_before: body.valid_before - 1 })
  await refused({ valid_before: body.valid_before + 900 })
  await refused({ valid_before: 1 })
  const { to_sign } = await dollars.read(bounty, '20')
  const { ReceiveWithAuthorization: TransferWithAuthorization } = to_sign.types
  const signature = await own.owner.signTypedData({
    ...to_sign,
    types: { TransferWithAuthorization },
    primaryType: 'TransferWithAuthorization',
  })
  await refused({ signature })
  expect(
    await market.db.selectFrom('deposits').where('bounty_id', '=', bounty.id).selectAll().execute(),
  ).toEqual([])
})

test('400 validation_failed without the signature of a wallet that the service does not hold, or with half of it', async () => {
  const bounty = await openOwn()
  const { signature } = await dollars.signed(bounty, own.owner)
  for (const body of [{ amount: '5' }, { amount: '5', signature }, { amount: '5', valid_before: 5 }])
    expectError(await dollars.lock(bounty, body), 'validation_failed')
})

test('400 insufficient_dollars, without what another deposit is about to move', async () => {
  const poor = await dollars.project()
  const first = await market.openBounty({ project: poor })
  const second = await market.openBounty({ project: poor })
  expectError(await dollars.lock(first, { amount: '1000.000001' }), 'insufficient_dollars')
  await market.stopEngines()
  expect((await dollars.lock(first, { amount: '600' })).status).toBe(201)
  const refused = await dollars.lock(second, { amount: '401' })
  expectError(refused, 'insufficient_dollars')
  expect(refused.body.error.message).toContain('400 dollars')
  market.startEngines()
  await until(dollars.is(first, 'locked'))
})

test('400 insufficient_dollars for what is left of deposits and a withdrawal at once beyond the balance', async () => {
  const mine = await dollars.project()
  const bounties = [await market.openBounty({ project: mine }), await market.openBounty({ project: mine })]
  const { key } = mine.founder
  const requests = await Promise.all([
    ...bounties.map((bounty) => dollars.lock(bounty, { amount: '600' })),
    market.api('POST', '/api/agents/me/dollars/withdraw', {
      key,
      body: { amount: '600', to: newAddress() },
      headers: { 'idempotency-key': randomUUID() },
    }),
  ])
  expect(requests.map(({ status }) => status).sort()).toEqual([201, 400, 400])
  const codes = requests.flatMap(({ body }) => body.error?.code ?? [])
  expect(codes.every((code) => /^insufficient_(dollars|balance)$/.test(code))).toBe(true)
})

test('400 dollars_above_cap', async () => {
  const refused = await dollars.lock(await open(), { amount: '5000.01' })
  expectError(refused, 'dollars_above_cap')
  expect(refused.body.error.message).toContain('5000 dollars')
})

test('409 dollars_unavailable where there is no coin', async () => {
  const without = await createTestMarket({ dollars: false })
  const bounty = await without.openBounty()
  const { key } = bounty.founder
  const path = `/api/bounties/${bounty.id}/dollars`
  expectError(await without.api('POST', path, { key, body: { amount: '5' } }), 'dollars_unavailable')
  expectError(await without.api('GET', path, { key }), 'dollars_unavailable')
})

test('429 deposit_limit_reached, whatever was withdrawn', async () => {
  const other = dollarsOn(await beside({ DEPOSITS_PER_DAY: '1', WITHDRAWALS_PER_DAY: '0' }))
  const mine = await dollars.project()
  const first = await market.openBounty({ project: mine })
  const second = await market.openBounty({ project: mine })
  expect((await other.lock(first)).status).toBe(201)
  expectError(await other.lock(second), 'deposit_limit_reached')
})

test('503 withdrawals_unavailable when the gas of a day is reserved', async () => {
  const other = dollarsOn(await beside({ WITHDRAWAL_GAS_ETH_PER_DAY: '0' }))
  expectError(await other.lock(await open()), 'withdrawals_unavailable')
})

test('503 withdrawals_disabled if the operator has switched them off', async () => {
  const other = dollarsOn(await beside({ WITHDRAWALS_ENABLED: 'false' }))
  expectError(await other.lock(await open()), 'withdrawals_disabled')
})

test('what nobody sent in time has failed, and another deposit is possible', async () => {
  const bounty = await openOwn()
  await market.stopEngines()
  await dollars.lock(bounty, await dollars.signed(bounty, own.owner, '7'))
  await relays.expire()
  await relays.finalise()
  market.startEngines()
  await until(dollars.is(bounty, 'failed'))
  expect((await dollars.read(bounty)).dollars).toMatchObject({
    error_code: 'authorization_expired',
    amount: '7',
  })
  expect(await dollars.slotOf(bounty)).toMatchObject({ state: 0 })
  expect((await dollars.lock(bounty, await dollars.signed(bounty, own.owner, '8'))).status).toBe(201)
  await until(dollars.is(bounty, 'locked'))
  expect((await dollars.read(bounty)).dollars).toMatchObject({ error_code: null, amount: '8' })
})

test('409 dollars_exist after the wallet has cancelled the authorization: the coin takes no other one, so none is offered', async () => {
  const bounty = await openOwn()
  await market.stopEngines()
  const { domain, message } = (await dollars.read(bounty, '7')).to_sign
  const signed = await dollars.signed(bounty, own.owner, '7')
  await dollars.lock(bounty, signed)
  await cancelAuthorization(market.chain, own.owner, domain, message.nonce)
  await relays.finalise()
  market.startEngines()
  await until(dollars.is(bounty, 'failed'))
  const { dollars: failed, to_sign } = await dollars.read(bounty, '7')
  expect([failed.error_code, to_sign]).toEqual(['authorization_cancelled', null])
  const refused = await dollars.lock(bounty, signed)
  expectError(refused, 'dollars_exist')
  expect(refused.body.error.message).toContain('has cancelled')
})

test('a reorganisation takes a lock back: queued, and locked again', async () => {
  const bounty = await open()
  await dollars.lock(bounty)
  await until(dollars.is(bounty, 'locked'))
  await market.stopEngines()
  await market.chain.reorganise(1)
  expect(await dollars.slotOf(bounty)).toMatchObject({ state: 0 })
  market.startEngines()
  await until(async () => (await dollars.slotOf(bounty)).state === 1)
  await until(dollars.is(bounty, 'locked'))
  expect(await revisionOf(bounty)).toBe(2)
})

test('409 dollars_in_flight for an approval until the deposit is locked', async () => {
  const bounty = await open()
  await market.stopEngines()
  await dollars.lock(bounty)
  const claimant = await market.register()
  await market.act(bounty, 'claim', claimant)
  await market.act(bounty, 'submit', claimant, { pr_url: await market.work({ ...bounty, claimant }) })
  expectError(await market.act(bounty, 'approve', bounty.founder, {}), 'dollars_in_flight')
  market.startEngines()
  await until(dollars.is(bounty, 'locked'))
})
