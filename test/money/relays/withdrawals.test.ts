import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { sql } from 'kysely'
import { type Address, encodeFunctionData, type Hex, parseEther } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { alarmChannel } from '../../../server/loops/alarms.ts'
import { projectToken } from '../../../server/money/chain/generated/contracts.ts'
import { tokenUnit } from '../../../server/money/chain/units.ts'
import { createRelayHandler } from '../../../server/money/relays/handler.ts'
import { listPending, readHolding } from '../../../server/money/relays/holdings.ts'
import { confirmRelay, reopenRelay } from '../../../server/money/relays/settle.ts'
import { findSettlement } from '../../../server/money/relays/settlement.ts'
import { listRunning } from '../../../server/money/relays/store.ts'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'
import { someAddress } from '../../support/values.ts'
import { cancelAuthorization } from './support/cancel-authorization.ts'
import { newAddress, relaySettings, relaysOn } from './support/relays.ts'

const market = await createTestMarket({
  proxied: true,
  settings: { ...relaySettings, APPROVE_WAIT_SECONDS: '1' },
})
const { chain, db } = market
const { node } = chain
const relays = relaysOn(market)
const project = await market.activeProject()
afterEach(() => node.setAutomine(true))

const { stored, tokensOf } = relays.of(project)

/** What a relay takes of the gas budget of a day, in wei. */
const gasBudgetOf = async (id: string) => BigInt((await relays.rowOf(id)).gas_reserved_wei)

async function costOf(hash: Hex): Promise<bigint> {
  const { gasUsed, effectiveGasPrice } = await node.getTransactionReceipt({ hash })
  return gasUsed * effectiveGasPrice
}

/** Condition: the lane has ended the queued transaction of a relay without a nonce. */
const isRefused = (id: string) => async () => (await relays.transactionOf(id)).status === 'refused'

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
  const other = await relays.holder(project)
  const first = await stored()
  const second = await relays.withdraw(other, project)
  await sql`create function refuse_outcome() returns trigger language plpgsql as
    $$ begin raise exception 'the outcome is refused'; end $$`.execute(db)
  await sql`create trigger refuse_outcome before update on relays for each row
    when (new.id = ${sql.lit(first.id)} and new.status = 'confirmed') execute function refuse_outcome()`.execute(
    db,
  )
  market.startEngines()
  await until(relays.is(second.body.withdrawal.id, 'confirmed'))
  // A later one still gets its nonce.
  const third = await relays.withdraw(other, project)
  await until(relays.is(third.body.withdrawal.id, 'confirmed'))
  expect((await relays.rowOf(first.id)).status).toBe('running')
  await sql`drop function refuse_outcome cascade`.execute(db)
  await until(relays.is(first.id, 'confirmed'))
})

test('the queued transaction of a withdrawal that has ended is refused', async () => {
  const { id } = await stored()
  const made = {
    hash: `0x${'a'.repeat(64)}`,
    amount: 10n * tokenUnit,
    ethPaid: null,
    lockedUntil: null,
    isWatched: false,
  } as const
  await confirmRelay(db, id, made)
  market.startEngines()
  await until(async () => (await relays.transactionOf(id)).status === 'refused')
  expect((await relays.transactionOf(id)).error).toBe('the relay is confirmed')
  expect(await gasBudgetOf(id)).toBe(0n)
})

test('a lost transaction reopens a withdrawal only if it has confirmed it', async () => {
  const { id } = await stored({ as: 'eth' })
  const own = `0x${'a'.repeat(64)}` as const
  const other = `0x${'b'.repeat(64)}` as const
  const { markStuck } = createRelayHandler({
    db,
    chain: market.services.chain.require(),
    isEnabled: true,
    limits: { LOW_GAS_PAYOUTS: 0 },
  })
  const lost = () => markStuck(db, id, 'its nonce was used elsewhere', [own])
  const made = { hash: other, amount: 10n * tokenUnit, ethPaid: 5n, isWatched: false }
  await confirmRelay(db, id, made)
  await lost()
  expect(await relays.rowOf(id)).toMatchObject({ status: 'confirmed', tx_hash: other, eth_paid: '5' })
  await reopenRelay(db, id, [other])
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
    const pending = await listPending(db, agent.id)
    return (await readHolding(client, holder, block, pending)).withdrawable / tokenUnit
  }
  expect(await withdrawable(before)).toBe(40n)
  expect(await withdrawable(await node.getBlockNumber())).toBe(40n)
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
    status: 'confirmed',
    hash,
    ethPaid: null,
    lockedUntil: null,
    isWatched: false,
    amount: 10n * tokenUnit,
  })
  market.startEngines()
  await until(async () => (await relays.transactionOf(id)).error !== null)
  expect(await relays.read(agent, id)).toMatchObject({ status: 'queued' })
  await relays.finalise()
  await until(relays.is(id, 'confirmed'))
  expect((await relays.rowOf(id)).tx_hash).toBe(hash)
  await until(isRefused(id))
  expect(await tokensOf(to)).toBe(10)
})

test('somebody else relays it in the same block: ours reverts, and it is confirmed before it expires', async () => {
  const { to, id } = await stored()
  await relays.sendUnmined()
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

test('while it is sent it shows the transaction that was sent last, and when', async () => {
  const { agent, id } = await stored()
  const { updated_at } = await relays.read(agent, id)
  await relays.sendUnmined()
  await until(async () => (await relays.read(agent, id)).status === 'sent')
  const sent = await relays.read(agent, id)
  expect((await node.getTransaction({ hash: sent.tx_hash })).blockNumber).toBeNull()
  expect(Date.parse(sent.updated_at)).toBeGreaterThan(Date.parse(updated_at))
  await node.mine({ blocks: 1 })
  await until(relays.is(id, 'confirmed'))
})

test('a key that has delegated to code without ERC-1271 withdraws and sells', async () => {
  const agent = await relays.holder(project)
  const owner = await relays.exported(agent)
  await relays.delegate(owner, chain.platformWallet)
  expect(await node.getCode({ address: owner.address })).toMatch(/^0xef0100/)
  for (const wanted of [{}, { as: 'eth', min_eth: '0' }] as const)
    await relays.withdrawn(agent, project, { to: newAddress(), ...wanted })
})

test('the exported key cancels it: failed authorization_cancelled', async () => {
  const { agent, to, id } = await stored()
  const owner = await relays.exported(agent)
  const nonce = (await relays.rowOf(id)).nonce as `0x${string}`
  const token = project.token_address as Address
  const domain = { name: 'Calculator', version: '1', chainId: 31_337, verifyingContract: token }
  await cancelAuthorization(chain, owner, domain, nonce)
  market.startEngines()
  await relays.finalise()
  await until(relays.is(id, 'failed'))
  expect((await relays.read(agent, id)).error.code).toBe('authorization_cancelled')
  await until(isRefused(id))
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
  await until(isRefused(id))
  expect((await relays.transactionOf(id)).nonce).toBeNull()
  expect(await gasBudgetOf(id)).toBe(0n)
  expect(await tokensOf(to)).toBe(0)
})

test('a process that was stopped does not confirm by a transaction that its lane has lost meanwhile', async () => {
  const { id } = await stored()
  const hash = `0x${'a'.repeat(64)}` as const
  await confirmRelay(db, id, { hash, amount: 10n * tokenUnit, ethPaid: null, isWatched: true })
  expect((await relays.rowOf(id)).status).toBe('running')
  market.startEngines()
  await until(relays.is(id, 'confirmed'))
})

test('a wallet that the agent has replaced can still be emptied', async () => {
  const agent = await relays.holder(project)
  const body = { wallet_address: someAddress }
  expect((await market.api('PATCH', '/api/agents/me/wallet', { key: agent.key, body })).status).toBe(200)
  const { withdrawal } = (await relays.withdraw(agent, project, { amount: 'all' })).body
  expect(withdrawal).toMatchObject({ amount: '100', wallet_address: agent.wallet_address })
  await until(relays.is(withdrawal.id, 'confirmed'))
  expect(await tokensOf(agent.wallet_address)).toBe(0)
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
