import { randomUUID } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { sql } from 'kysely'
import { type Address, encodeFunctionData, type Hex, parseEther, parseSignature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, expect, test } from 'vitest'
import { bondingCurve, projectToken } from '../../../server/chain/generated/contracts.ts'
import { tokenUnit } from '../../../server/chain/units.ts'
import { alarmChannel } from '../../../server/engines/alarms.ts'
import { createRelayHandler } from '../../../server/engines/relays/handler.ts'
import { listPending, readHolding } from '../../../server/engines/relays/holdings.ts'
import { confirmRelay, reopenRelay } from '../../../server/engines/relays/settle.ts'
import { findSettlement } from '../../../server/engines/relays/settlement.ts'
import { listRunning } from '../../../server/engines/relays/store.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'
import { someAddress } from '../../support/values.ts'
import { dataOf, relaySettings, relaysOn } from './support/relays.ts'

const market = await createTestMarket({ settings: { ...relaySettings, APPROVE_WAIT_SECONDS: '1' } })
const { chain, db } = market
const { node } = chain
const relays = relaysOn(market)
const project = await market.activeProject()
afterEach(() => node.setAutomine(true))
afterAll(market.close)

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address
const tokensOf = async (holder: string) =>
  Number((await chain.balanceOf(project.token_address, holder)) / tokenUnit)

/** A withdrawal that was stored while nothing sends it. */
async function stored(wanted: Parameters<typeof relays.withdraw>[2] = {}, tokens = 100) {
  const agent = await relays.holder(project, tokens)
  await market.stopEngines()
  const key = randomUUID()
  const to = wanted.to ?? newAddress()
  const { status, body } = await relays.withdraw(agent, project, { ...wanted, to }, key)
  expect(status).toBe(201)
  return { agent, to, key, id: body.withdrawal.id as string }
}

const nonceOf = async (entityId: string) => (await relays.transactionOf(entityId)).nonce as number

/** What a relay takes of the gas budget of a day, in wei. */
const gasBudgetOf = async (id: string) => BigInt((await relays.rowOf(id)).gas_reserved_wei)

async function costOf(hash: Hex): Promise<bigint> {
  const { gasUsed, effectiveGasPrice } = await node.getTransactionReceipt({ hash })
  return gasUsed * effectiveGasPrice
}

/** The private entries of the log about a relay. */
const entriesOf = async (id: string) =>
  (await db.selectFrom('activity').select(['type', 'visibility', 'data']).orderBy('seq').execute()).filter(
    ({ data }) => (data as { withdrawal_id?: string }).withdrawal_id === id,
  )

test('tokens arrive, and the withdrawal names the transaction', async () => {
  const agent = await relays.holder(project)
  const to = newAddress()
  const { body } = await relays.withdraw(agent, project, { to, amount: '12.5' })
  expect(body.withdrawal).toMatchObject({ status: 'queued', tx_hash: null, error: null })
  const { id } = body.withdrawal
  await until(relays.is(id, 'confirmed'))
  const { tx_hash } = await relays.read(agent, id)
  expect((await node.getTransactionReceipt({ hash: tx_hash })).status).toBe('success')
  expect(await chain.balanceOf(project.token_address, to)).toBe(12_500_000_000_000_000_000n)
  expect(await chain.balanceOf(project.token_address, agent.wallet_address)).toBe(87_500_000_000_000_000_000n)
  expect(await gasBudgetOf(id)).toEqual(await costOf(tx_hash))
  expect(await entriesOf(id)).toEqual(
    ['withdrawal.requested', 'withdrawal.confirmed'].map((type) => ({
      type,
      visibility: 'private',
      data: { withdrawal_id: id },
    })),
  )
})

test('ETH arrives, exactly as much as the withdrawal says', async () => {
  const agent = await relays.holder(project)
  const to = newAddress()
  const { body } = await relays.withdraw(agent, project, { to, as: 'eth', amount: '40' })
  const { id, min_eth } = body.withdrawal
  await until(relays.is(id, 'confirmed'))
  const { eth_paid } = await relays.read(agent, id)
  expect(parseEther(eth_paid)).toBe(await node.getBalance({ address: to }))
  expect(parseEther(eth_paid)).toBeGreaterThanOrEqual(parseEther(min_eth))
  expect(await tokensOf(agent.wallet_address)).toBe(60)
})

test('of two withdrawals at once that the balance does not cover together, one is made', async () => {
  const agent = await relays.holder(project)
  const answers = await Promise.all([
    relays.withdraw(agent, project, { amount: '60' }),
    relays.withdraw(agent, project, { amount: '60' }),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400])
  expectError(answers.find(({ status }) => status === 400)!, 'insufficient_balance')
  const made = answers.find(({ status }) => status === 201)!
  await until(relays.is(made.body.withdrawal.id, 'confirmed'))
  expect(await tokensOf(agent.wallet_address)).toBe(40)
})

test('two withdrawals at once that the balance covers are both made', async () => {
  const agent = await relays.holder(project)
  const answers = await Promise.all(['30', '70'].map((amount) => relays.withdraw(agent, project, { amount })))
  for (const { body } of answers) await until(relays.is(body.withdrawal.id, 'confirmed'))
  expect(await tokensOf(agent.wallet_address)).toBe(0)
})

test('a repeated key returns what became of the withdrawal, for ever, and refuses other terms', async () => {
  const { agent, to, key, id } = await stored()
  market.startEngines()
  await until(relays.is(id, 'confirmed'))
  const repeated = await relays.withdraw(agent, project, { to }, key)
  expect(repeated.headers.get('idempotency-replayed')).toBe('true')
  expect(repeated.body.withdrawal).toEqual(await relays.read(agent, id))
  await relays.forgetKeys()
  const later = await relays.withdraw(agent, project, { to, amount: '10.0' }, key)
  expect(later.body.withdrawal).toMatchObject({ id, status: 'confirmed' })
  await relays.forgetKeys()
  expectError(await relays.withdraw(agent, project, { to, amount: '11' }, key), 'idempotency_key_reused')
  expect(await tokensOf(to)).toBe(10)
})

test.each(['10', 'all'])(
  'a database that has lost a withdrawal of %s does not make it twice for the same key',
  async (amount) => {
    const { agent, to, key, id } = await stored({ amount }, 10)
    market.startEngines()
    await until(relays.is(id, 'confirmed'))
    const { tx_hash } = await relays.read(agent, id)
    await relays.forget(id)
    await chain.send(await chain.fundedAccount(), { to: newAddress(), data: '0x' })
    const again = (await relays.withdraw(agent, project, { to, amount }, key)).body.withdrawal
    expect(again.id).not.toBe(id)
    expect(again).toMatchObject({ amount: '10', status: 'sent' })
    await relays.finalise()
    await until(relays.is(again.id, 'confirmed'))
    expect(await relays.read(agent, again.id)).toMatchObject({ tx_hash, amount: '10' })
    expect(await tokensOf(to)).toBe(10)
  },
)

test('a lost withdrawal is not taken for one with other terms', async () => {
  const { agent, to, key, id } = await stored()
  market.startEngines()
  await until(relays.is(id, 'confirmed'))
  const { tx_hash } = await relays.read(agent, id)
  await relays.forget(id)
  const other = await relays.withdraw(agent, project, { to: newAddress() }, key)
  expectError(other, 'idempotency_key_reused')
  expect(other.body.error.message).toContain(tx_hash)
  expect(await tokensOf(to)).toBe(10)
})

test('a withdrawal that was lost before it was sent is made once, by either signature', async () => {
  const { agent, to, key, id } = await stored()
  const { to_address, data } = await relays.transactionOf(id)
  await relays.forget(id)
  const again = (await relays.withdraw(agent, project, { to }, key)).body.withdrawal
  const account = await chain.fundedAccount()
  const hash = await chain.send(account, { to: to_address as Address, data: dataOf(data) })
  market.startEngines()
  await relays.finalise()
  await until(relays.is(again.id, 'confirmed'))
  expect(await relays.read(agent, again.id)).toMatchObject({ tx_hash: hash })
  expect(await tokensOf(to)).toBe(10)
})

test.each(['tokens', 'eth'] as const)(
  '`all` as %s that was lost before it was sent, signed again for more: confirmed with what arrived',
  async (as) => {
    const { agent, to, key, id } = await stored({ amount: 'all', as }, 10)
    const { to_address, data } = await relays.transactionOf(id)
    await relays.forget(id)
    await relays.give(project, agent.wallet_address, 5)
    const again = (await relays.withdraw(agent, project, { to, amount: 'all', as }, key)).body.withdrawal
    expect(again.amount).toBe('15')
    const account = await chain.fundedAccount()
    const hash = await chain.send(account, { to: to_address as Address, data: dataOf(data) })
    market.startEngines()
    await relays.finalise()
    await until(relays.is(again.id, 'confirmed'))
    expect(await relays.read(agent, again.id)).toMatchObject({ tx_hash: hash, amount: '10' })
    expect(await tokensOf(agent.wallet_address)).toBe(5)
    await market.stopEngines()
    await reopenRelay(db, again.id)
    expect(await relays.read(agent, again.id)).toMatchObject({ status: 'sent', amount: '15', eth_paid: null })
  },
)

test('a node that leaves the gas price out of receipts: confirmed, and the reservation stays', async () => {
  const { id } = await stored()
  const reserved = await gasBudgetOf(id)
  market.chainProxy.alter(({ method }, result) =>
    method === 'eth_getTransactionReceipt' && result ? { ...result, effectiveGasPrice: undefined } : result,
  )
  market.startEngines()
  await until(relays.is(id, 'confirmed'))
  market.chainProxy.alter()
  expect(await gasBudgetOf(id)).toBe(reserved)
})

test('on a chain with a fee for data, the cost of a withdrawal includes it', async () => {
  const { id, agent } = await stored()
  market.chainProxy.alter(({ method }, result) =>
    method === 'eth_getTransactionReceipt' && result ? { ...result, l1Fee: '0x3e8' } : result,
  )
  market.startEngines()
  await until(relays.is(id, 'confirmed'))
  market.chainProxy.alter()
  const { tx_hash } = await relays.read(agent, id)
  expect(await gasBudgetOf(id)).toBe((await costOf(tx_hash)) + 1000n)
})

test('a withdrawal whose outcome cannot be stored keeps the lane from nothing else', async () => {
  const first = await stored()
  const second = await relays.withdraw(first.agent, project)
  await sql`create function refuse_outcome() returns trigger language plpgsql as
    $$ begin raise exception 'the outcome is refused'; end $$`.execute(db)
  await sql`create trigger refuse_outcome before update on relays for each row
    when (new.id = ${sql.lit(first.id)} and new.status = 'confirmed') execute function refuse_outcome()`.execute(
    db,
  )
  market.startEngines()
  await until(relays.is(second.body.withdrawal.id, 'confirmed'))
  // A later one still gets its nonce.
  const third = await relays.withdraw(first.agent, project)
  await until(relays.is(third.body.withdrawal.id, 'confirmed'))
  expect((await relays.rowOf(first.id)).status).toBe('running')
  await sql`drop function refuse_outcome cascade`.execute(db)
  await until(relays.is(first.id, 'confirmed'))
})

test('the queued transaction of a withdrawal that has ended is refused', async () => {
  const { id } = await stored()
  const made = { hash: `0x${'a'.repeat(64)}`, amount: 10n * tokenUnit, ethPaid: null } as const
  await confirmRelay(db, id, made)
  market.startEngines()
  await until(async () => (await relays.transactionOf(id)).status === 'refused')
  expect((await relays.transactionOf(id)).error).toBe('the relay is confirmed')
  expect(await gasBudgetOf(id)).toBe(0n)
})

test('a lost transaction reopens a withdrawal only if it has confirmed it', async () => {
  const { id } = await stored({ as: 'eth' })
  const [own, other] = [`0x${'a'.repeat(64)}`, `0x${'b'.repeat(64)}`] as const
  const { client } = market.services.chain.require()
  const { markStuck } = createRelayHandler({ chain: { client }, isEnabled: true, lowGasPayouts: 0 })
  const lost = () => markStuck(db, id, { kind: 'nonce_used_elsewhere' }, [own])
  const made = { hash: other, amount: 10n * tokenUnit, ethPaid: 5n }
  await confirmRelay(db, id, made)
  await lost()
  expect(await relays.rowOf(id)).toMatchObject({ status: 'confirmed', tx_hash: other, eth_paid: '5' })
  // The chain shows another payment under the hash that was known.
  await confirmRelay(db, id, { ...made, ethPaid: 6n })
  expect((await relays.rowOf(id)).eth_paid).toBe('6')
  await confirmRelay(db, id, { ...made, hash: own })
  await lost()
  expect(await relays.rowOf(id)).toMatchObject({ status: 'running', tx_hash: null, eth_paid: null })
})

test('a node that lags behind a confirmed withdrawal does not offer its tokens again', async () => {
  const agent = await relays.holder(project)
  const before = await node.getBlockNumber()
  market.startEngines()
  const { id } = (await relays.withdraw(agent, project, { amount: '60' })).body.withdrawal
  await until(relays.is(id, 'confirmed'))
  const { client } = market.services.chain.require()
  const { token, wallet } = await relays.rowOf(id)
  const holder = { token: token as Address, wallet: wallet as Address, founder: someAddress as Address }
  const withdrawable = async (block: bigint) => {
    const { pending } = await listPending(db, agent.id)
    return (await readHolding(client, holder, block, pending)).withdrawable / tokenUnit
  }
  expect(await withdrawable(before)).toBe(40n)
  expect(await withdrawable(await node.getBlockNumber())).toBe(40n)
})

test('a withdrawal that ends while another is asked for is not counted as there: 400', async () => {
  const { agent, id } = await stored({ amount: '60' })
  // It has read the newest block, and waits for the response.
  const other = await createTestMarket({ sharing: market, engines: false, settings: relaySettings })
  const responses = other.chainProxy.hold()
  const asked = relaysOn(other).withdraw(agent, project, { amount: '60' })
  await until(() => responses.count() > 2)
  market.startEngines()
  await until(relays.is(id, 'confirmed'))
  responses.release()
  expectError(await asked, 'insufficient_balance')
  await other.close()
})

test('somebody else relays it before us: it is confirmed with that transaction, and ours is not sent', async () => {
  const { to, id, agent } = await stored()
  const hash = await relays.relayFromOutside(id)
  const head = Number(await node.getBlockNumber())
  const [running] = (await listRunning(db, 31_337)).filter(({ relay }) => relay.id === id)
  const settlement = (final: number) =>
    findSettlement(market.services.chain.require().client, running!.relay, { head, counted: head, final }, 0)
  expect(await settlement(head - 1)).toBeUndefined()
  expect(await settlement(head)).toEqual({
    ...{ status: 'confirmed', hash, ethPaid: null },
    amount: 10n * tokenUnit,
  })
  market.startEngines()
  await until(async () => (await relays.transactionOf(id)).error !== null)
  expect(await relays.read(agent, id)).toMatchObject({ status: 'queued' })
  await relays.finalise()
  await until(relays.is(id, 'confirmed'))
  expect((await relays.rowOf(id)).tx_hash).toBe(hash)
  expect((await relays.transactionOf(id)).status).toBe('refused')
  expect(await tokensOf(to)).toBe(10)
})

test('somebody else relays it in the same block: ours reverts, and it is confirmed before it expires', async () => {
  const { to, id } = await stored()
  await node.setAutomine(false)
  market.startEngines()
  await until(async () => (await node.getTxpoolStatus()).pending === 1)
  const hash = await relays.relayFromOutside(id, 10n ** 12n)
  await node.mine({ blocks: 1 })
  await until(async () => (await relays.transactionOf(id)).status === 'reverted')
  expect((await relays.rowOf(id)).status).toBe('running')
  const reverted = (await relays.transactionOf(id)).mined_hash as Hex
  expect(await gasBudgetOf(id)).toBe(await costOf(reverted))
  await relays.finalise()
  await until(relays.is(id, 'confirmed'))
  expect(await relays.rowOf(id)).toMatchObject({ tx_hash: hash, error_code: null })
  expect(await tokensOf(to)).toBe(10)
})

test('the exported key cancels it: failed authorization_cancelled', async () => {
  const { agent, to, id } = await stored()
  const owner = await relays.exported(agent)
  const nonce = (await relays.rowOf(id)).nonce as `0x${string}`
  const token = project.token_address as Address
  const signature = await owner.signTypedData({
    domain: { name: 'Calculator', version: '1', chainId: 31_337, verifyingContract: token },
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: owner.address, nonce },
  })
  const { r, s, yParity } = parseSignature(signature)
  const data = encodeFunctionData({
    abi: projectToken.abi,
    functionName: 'cancelAuthorization',
    args: [owner.address, nonce, yParity + 27, r, s],
  })
  await chain.send(await chain.fundedAccount(), { to: token, data })
  market.startEngines()
  await relays.finalise()
  await until(relays.is(id, 'failed'))
  expect((await relays.read(agent, id)).error.code).toBe('authorization_cancelled')
  expect((await relays.transactionOf(id)).status).toBe('refused')
  expect(await tokensOf(to)).toBe(0)
  expect((await entriesOf(id)).map(({ type }) => type)).toEqual(['withdrawal.requested', 'withdrawal.failed'])
})

test('expired and never sent: failed only when a final block is past its time', async () => {
  const { agent, to, id } = await stored()
  await relays.expire()
  market.startEngines()
  await until(async () => (await relays.transactionOf(id)).error?.includes('expired') ?? false)
  expect(await relays.read(agent, id)).toMatchObject({ status: 'queued', error: null })
  await node.mine({ blocks: 1 })
  await until(relays.is(id, 'failed'))
  expect((await relays.read(agent, id)).error.code).toBe('authorization_expired')
  expect(await relays.transactionOf(id)).toMatchObject({ status: 'refused', nonce: null })
  expect(await gasBudgetOf(id)).toBe(0n)
  expect(await tokensOf(to)).toBe(0)
})

test('the price falls in the same block: the sale reverts, says why, and fails when it has expired', async () => {
  const whale = await chain.fundedAccount()
  const much = 200_000n * tokenUnit
  await chain.buy(whale, project.curve_address, much)
  const { agent, to, id } = await stored({ as: 'eth' })
  await node.setAutomine(false)
  market.startEngines()
  await until(async () => (await node.getTxpoolStatus()).pending === 1)
  const args = [much, 0n, whale.address, 2n ** 63n] as const
  const data = encodeFunctionData({ abi: bondingCurve.abi, functionName: 'sell', args })
  await relays.offer(whale, { to: project.curve_address as Address, data }, 10n ** 12n)
  await node.mine({ blocks: 1 })
  await until(async () => (await relays.transactionOf(id)).status === 'reverted')
  expect(await relays.rowOf(id)).toMatchObject({ status: 'running', error_code: 'min_eth_not_met' })
  expect(await relays.read(agent, id)).toMatchObject({ status: 'sent', error: null })
  await relays.expire()
  await relays.finalise()
  await until(relays.is(id, 'failed'))
  expect((await relays.read(agent, id)).error.code).toBe('min_eth_not_met')
  expect(await node.getBalance({ address: to as Address })).toBe(0n)
  expect(await tokensOf(agent.wallet_address)).toBe(100)
})

test('a wallet that the agent has replaced can still be emptied', async () => {
  const agent = await relays.holder(project)
  const body = { wallet_address: someAddress }
  expect((await market.api('PATCH', '/api/agents/me/wallet', { key: agent.key, body })).status).toBe(200)
  const { withdrawal } = (await relays.withdraw(agent, project, { amount: 'all' })).body
  expect(withdrawal).toMatchObject({ amount: '100', wallet_address: agent.wallet_address.toLowerCase() })
  await until(relays.is(withdrawal.id, 'confirmed'))
  expect(await tokensOf(agent.wallet_address)).toBe(0)
})

test('a payout goes first, though the withdrawal was stored before it', async () => {
  const bounty = await market.bountyInReview({ project })
  const { id } = await stored()
  await market.api('POST', `/api/bounties/${bounty.id}/approve`, { key: bounty.founder.key, body: {} })
  await node.setAutomine(false)
  market.startEngines()
  await until(async () => (await node.getTxpoolStatus()).pending === 2)
  expect(await nonceOf(bounty.submissionId)).toBeLessThan(await nonceOf(id))
  await node.mine({ blocks: 1 })
  await until(relays.is(id, 'confirmed'))
})

test('a payout that had to wait goes before a withdrawal that had not', async () => {
  const bounty = await market.bountyInReview({ project })
  const { id } = await stored()
  await market.api('POST', `/api/bounties/${bounty.id}/approve`, { key: bounty.founder.key, body: {} })
  await db
    .updateTable('transactions')
    .set({ error: 'had to wait', updated_at: new Date(0) })
    .where('entity_id', '=', bounty.submissionId)
    .execute()
  await node.setAutomine(false)
  market.startEngines()
  await until(async () => (await node.getTxpoolStatus()).pending === 2)
  expect(await nonceOf(bounty.submissionId)).toBeLessThan(await nonceOf(id))
  await node.mine({ blocks: 1 })
  await until(relays.is(id, 'confirmed'))
})

test('withdrawals fill half of a lane, and a payout gets the next nonce', async () => {
  const bounty = await market.bountyInReview({ project })
  const { agent, id } = await stored({ amount: '1' })
  const ids = [id]
  for (let count = 0; count < 9; count++)
    ids.push((await relays.withdraw(agent, project, { amount: '1' })).body.withdrawal.id)
  const nonces = async () => (await Promise.all(ids.map(nonceOf))).filter((nonce) => nonce !== null)
  await node.setAutomine(false)
  market.startEngines()
  await until(async () => (await node.getTxpoolStatus()).pending >= 8)
  await market.api('POST', `/api/bounties/${bounty.id}/approve`, { key: bounty.founder.key, body: {} })
  await until(async () => (await nonceOf(bounty.submissionId)) !== null)
  expect((await nonces()).length).toBe(8)
  expect(await nonceOf(bounty.submissionId)).toBe(Math.max(...(await nonces())) + 1)
  await node.setAutomine(true)
  await node.mine({ blocks: 1 })
  for (const one of ids) await until(relays.is(one, 'confirmed'))
})

test('payouts that are paused do not stop withdrawals', async () => {
  await chain.pause()
  const agent = await relays.holder(project)
  const { withdrawal } = (await relays.withdraw(agent, project)).body
  await until(relays.is(withdrawal.id, 'confirmed'))
  await chain.unpause()
})

test('a reorganisation takes it back: the same transaction is sent again', async () => {
  const { to, id } = await stored()
  market.startEngines()
  await until(relays.is(id, 'confirmed'))
  const { tx_hash } = await relays.rowOf(id)
  await chain.reorganise(1)
  await until(async () => (await tokensOf(to)) === 10)
  await until(async () => (await relays.transactionOf(id)).status === 'confirmed')
  expect(await relays.rowOf(id)).toMatchObject({ status: 'confirmed', tx_hash })
  expect((await entriesOf(id)).length).toBe(2)
})

test('a reorganisation takes it back for good: failed, and the operator is called', async () => {
  const { agent, to, id } = await stored()
  const alarms: unknown[] = []
  const listen = (alarm: unknown) => alarms.push(alarm)
  subscribe(alarmChannel, listen)
  market.startEngines()
  await until(relays.is(id, 'confirmed'))
  await market.stopEngines()
  await chain.reorganise(1)
  // The exported key moves the tokens before our transaction comes back.
  const owner = await relays.exported(agent)
  await node.setBalance({ address: owner.address, value: parseEther('1') })
  const args = [newAddress(), 100n * tokenUnit] as const
  const transfer = encodeFunctionData({ abi: projectToken.abi, functionName: 'transfer', args })
  await chain.send(owner, { to: project.token_address as Address, data: transfer })
  market.startEngines()
  await until(relays.is(id, 'running'))
  expect(await relays.rowOf(id)).toMatchObject({ tx_hash: null, error_code: 'insufficient_balance' })
  await relays.expire()
  await relays.finalise()
  await until(relays.is(id, 'failed'))
  expect((await relays.read(agent, id)).error.code).toBe('insufficient_balance')
  expect(await tokensOf(to)).toBe(0)
  const why = 'it was reported confirmed, and then the chain took it back until nobody could send it any more'
  await until(() => alarms.length > 0)
  expect(alarms).toEqual([{ kind: 'relay_needs_operator', entityId: id, why }])
  unsubscribe(alarmChannel, listen)
})
