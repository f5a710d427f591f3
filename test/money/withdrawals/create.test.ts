import { randomUUID } from 'node:crypto'
import { formatEther, numberToHex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { bondingCurve } from '../../../server/money/chain/generated/contracts.ts'
import { tokenUnit } from '../../../server/money/chain/units.ts'
import { burnAddresses, inEveryCase, reservedAddresses } from '../../market/agents/reserved-addresses.ts'
import { expectError, expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'
import { idOf, isoTime, someAddress } from '../../support/values.ts'
import { marketsBeside, relaySettings, relaysOn } from '../relays/support/relays.ts'

const settings = { ...relaySettings, WALLET_MASTER_KEY: randomUUID() + randomUUID() }
const market = await createTestMarket({ proxied: true, settings })
const relays = relaysOn(market)
const { withdraw } = relays
const { node } = market.chain
const project = await market.activeProject()
const agent = await relays.holder(project, 1000)

const path = '/api/agents/me/withdrawals'

/** Expects that nothing was stored for an agent. */
async function expectNothingStored(agentId: string) {
  const rows = await market.db.selectFrom('relays').select('id').where('agent_id', '=', agentId).execute()
  expect(rows).toEqual([])
}

const beside = marketsBeside(market, settings)

test('201 with tokens on their way', async () => {
  const before = Math.floor(Date.now() / 1000)
  const { status, body } = await withdraw(agent, project, { amount: '1.000000000000000001' })
  expect(status).toBe(201)
  expect(body).toEqual({
    withdrawal: {
      id: idOf('wd_'),
      project_id: project.id,
      token_symbol: 'CALC',
      token_address: project.token_address,
      wallet_address: agent.wallet_address,
      amount: '1.000000000000000001',
      to: someAddress,
      as: 'tokens',
      min_eth: null,
      eth_paid: null,
      status: 'queued',
      tx_hash: null,
      error: null,
      expires_at: isoTime,
      created_at: isoTime,
      updated_at: isoTime,
    },
  })
  const validFor = new Date(body.withdrawal.expires_at).getTime() / 1000 - before
  expect(validFor).toBeGreaterThanOrEqual(900)
})

test('201 valid for a quarter of an hour from now, also where the newest block is old', async () => {
  const holder = await relays.holder(project, 10)
  const now = Math.floor(Date.now() / 1000)
  const other = await beside({})
  other.chainProxy.alter(({ method }, result) =>
    method === 'eth_getBlockByNumber'
      ? { ...(result as object), timestamp: numberToHex(now - 7200) }
      : result,
  )
  const { body } = await relaysOn(other).withdraw(holder, project)
  expect(new Date(body.withdrawal.expires_at).getTime() / 1000).toBeGreaterThanOrEqual(now + 900)
})

test('201 as eth, with the quote less 1 % as the least', async () => {
  const holder = await relays.holder(project, 10)
  await market.stopEngines()
  const [quote] = await node.readContract({
    abi: bondingCurve.abi,
    address: project.curve_address as `0x${string}`,
    functionName: 'quoteSell',
    args: [4n * tokenUnit],
  })
  const { body } = await withdraw(holder, project, { amount: '4', as: 'eth' })
  expect(body.withdrawal).toMatchObject({
    as: 'eth',
    min_eth: formatEther(quote - quote / 100n),
    eth_paid: null,
  })
  const other = await relays.holder(project, 10)
  const own = await withdraw(other, project, { amount: '4', as: 'eth', min_eth: formatEther(quote) })
  expect(own.body.withdrawal.min_eth).toBe(formatEther(quote))
  market.startEngines()
})

test.each(['tokens', 'eth'] as const)('201 as %s with `all` for everything that is left', async (as) => {
  const holder = await relays.holder(project, 10)
  await relays.withdrawn(holder, project, { amount: '3.5' })
  expect((await withdraw(holder, project, { amount: 'all', as })).body.withdrawal.amount).toBe('6.5')
})

test('201 again with the same key for what has become of the withdrawal since', async () => {
  const holder = await relays.holder(project, 10)
  const key = randomUUID()
  const { body } = await withdraw(holder, project, {}, key)
  expect(body.withdrawal.status).toBe('queued')
  await until(async () => {
    const again = await withdraw(holder, project, {}, key)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    return again.body.withdrawal.status === 'confirmed'
  })
})

test('400 idempotency_key_required without a key, before anything else', async () => {
  const body = { project_id: 'proj_x', amount: '1', to: someAddress, as: 'tokens' }
  expectError(await market.api('POST', path, { key: agent.key, body }), 'idempotency_key_required')
})

test('422 idempotency_key_reused for other terms with the same key', async () => {
  const holder = await relays.holder(project, 10)
  const key = randomUUID()
  await withdraw(holder, project, { amount: '1' }, key)
  expectError(await withdraw(holder, project, { amount: '2' }, key), 'idempotency_key_reused')
})

describe('400 validation_failed', () => {
  test.each([
    ['amount', '0'],
    ['amount', '0.0'],
    ['min_eth', '0.1'],
    // The last letters of an EIP-55 example in another case.
    ['to', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'],
  ])('for %s %s', async (field, value) => {
    const body = { project_id: project.id, amount: '1', to: someAddress, as: 'tokens', [field]: value }
    const headers = { 'idempotency-key': randomUUID() }
    expectInvalid(await market.api('POST', path, { key: agent.key, body, headers }), field)
  })

  test.each(['tokens', 'eth'] as const)('for %s to the managed wallet itself', async (as) => {
    for (const to of inEveryCase(agent.wallet_address))
      expectInvalid(await withdraw(agent, project, { to, as }), 'to')
  })
})

test('404 project_not_found', async () => {
  expectError(await withdraw(agent, { id: 'proj_00000000000000000000' }), 'project_not_found')
})

test('400 token_not_deployed while proposed', async () => {
  expectError(await withdraw(agent, await market.proposedProject()), 'token_not_deployed')
})

test('409 wallet_not_managed for an agent that brought its own wallet', async () => {
  const other = await market.register({ wallet_address: someAddress })
  expectError(await withdraw(other, project), 'wallet_not_managed')
})

test.each(reservedAddresses(market))('400 reserved_address for %s', async (_, addressOf) => {
  for (const to of inEveryCase(await addressOf()))
    expectError(await withdraw(agent, project, { to }), 'reserved_address')
})

describe('400 insufficient_balance', () => {
  test('for more than the wallet has, with what can be withdrawn', async () => {
    const holder = await relays.holder(project, 10)
    const { body, ...answer } = await withdraw(holder, project, { amount: '10.5' })
    expectError({ body, ...answer }, 'insufficient_balance')
    expect(body.error.message).toContain('10 tokens')
    await expectNothingStored(holder.id)
  })

  test('for any of an empty wallet', async () => {
    const empty = await market.register()
    for (const as of ['tokens', 'eth'] as const)
      for (const amount of ['all', '1'])
        expectError(await withdraw(empty, project, { amount, as }), 'insufficient_balance')
  })

  test("for any of the founder's bounty reserve, beyond which everything can be withdrawn", async () => {
    const { founder } = project
    expectError(await withdraw(founder, project, { amount: '1' }), 'insufficient_balance')
    expectError(await withdraw(founder, project, { amount: 'all' }), 'insufficient_balance')
    const bounty = await market.doneBounty({ project })
    const { withdrawal } = (
      await withdraw(bounty.claimant, project, { amount: 'all', to: founder.wallet_address as string })
    ).body
    await until(relays.is(withdrawal.id, 'confirmed'))
    expectError(await withdraw(founder, project, { amount: '95.000000000000000001' }), 'insufficient_balance')
    expect((await withdraw(founder, project, { amount: 'all' })).body.withdrawal.amount).toBe('95')
  })
})

test('400 nothing_to_sell says that nobody has bought: a reward has no ETH of its own', async () => {
  const fresh = await market.activeProject()
  const { claimant } = await market.doneBounty({ project: fresh })
  for (const amount of ['all', '95']) {
    const answer = await withdraw(claimant, fresh, { amount, as: 'eth' })
    expectError(answer, 'nothing_to_sell')
    expect(answer.body.error.message).toContain('nobody has bought')
  }
  expect((await withdraw(claimant, fresh, { amount: '95' })).status).toBe(201)
})

test('400 min_eth_not_met if the curve pays less now', async () => {
  expectError(await withdraw(agent, project, { as: 'eth', min_eth: '1000' }), 'min_eth_not_met')
})

test.each([
  ['that reverts', '0x60006000fd'],
  ['that needs too much gas', '0x5b600056'],
])('400 recipient_refused for a contract %s', async (_, bytecode) => {
  const holder = await relays.holder(project, 10)
  const to = privateKeyToAccount(generatePrivateKey()).address
  await node.setCode({ address: to, bytecode: bytecode as `0x${string}` })
  expectError(await withdraw(holder, project, { to, as: 'eth' }), 'recipient_refused')
  expect((await withdraw(holder, project, { to })).status).toBe(201)
})

test.each(burnAddresses)('400 recipient_refused for %s, which nobody has the key of', async (to) => {
  for (const as of ['tokens', 'eth'] as const)
    expectError(await withdraw(agent, project, { to, as }), 'recipient_refused')
})

test('429 withdrawal_limit_reached says when the next one is free', async () => {
  const holder = await relays.holder(project)
  const { withdraw: ask } = relaysOn(await beside({ WITHDRAWALS_PER_DAY: '2' }))
  for (const amount of ['1', '2']) {
    const { id } = (await ask(holder, project, { amount })).body.withdrawal
    await until(relays.is(id, 'confirmed'))
  }
  const answer = await ask(holder, project, { amount: '3' })
  expectError(answer, 'withdrawal_limit_reached')
  expect(answer.body.error.retryable).toBe(false)
  const wait = Number(answer.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(86_000)
  expect(wait).toBeLessThanOrEqual(86_400)
  await market.db
    .updateTable('relays')
    .set({ created_at: new Date(Date.now() - 86_401_000) })
    .where('agent_id', '=', holder.id)
    .where('amount', '=', (1n * tokenUnit).toString())
    .execute()
  expect((await ask(holder, project, { amount: '3' })).status).toBe(201)
})

test('503 withdrawals_unavailable when what is left of the gas of a day does not cover another one', async () => {
  const holder = await relays.holder(project)
  await market.stopEngines()
  const { wei } = await market.db
    .selectFrom('relays')
    .select(({ fn }) => fn.sum<string>('gas_reserved_wei').as('wei'))
    .where('created_at', '>', new Date(Date.now() - 86_400_000))
    .executeTakeFirstOrThrow()
  const other = await beside({ WITHDRAWAL_GAS_ETH_PER_DAY: formatEther(BigInt(wei ?? 0) + 1n) })
  expectError(await relaysOn(other).withdraw(holder, project), 'withdrawals_unavailable')
  await expectNothingStored(holder.id)
  market.startEngines()
})

test('503 withdrawals_unavailable while no operator key can fund enough payouts', async () => {
  const holder = await relays.holder(project)
  const other = await beside({ LOW_GAS_PAYOUTS: '1000000' })
  const [operator] = other.services.chain.require().operators
  const address = operator?.address as `0x${string}`
  const balance = await node.getBalance({ address })
  await node.setBalance({ address, value: parseEther('1') })
  expectError(await relaysOn(other).withdraw(holder, project), 'withdrawals_unavailable')
  await node.setBalance({ address, value: balance })
  await expectNothingStored(holder.id)
})

test('503 withdrawals_disabled if the operator has switched them off, except for known keys', async () => {
  const holder = await relays.holder(project)
  const key = randomUUID()
  const { withdrawal } = (await withdraw(holder, project, {}, key)).body
  await relays.forgetKeys()
  const { withdraw: ask } = relaysOn(await beside({ WITHDRAWALS_ENABLED: 'false' }))
  expectError(await ask(holder, project), 'withdrawals_disabled')
  expect((await ask(holder, project, {}, key)).body.withdrawal.id).toBe(withdrawal.id)
})

test('503 chain_unreachable while no node responds, and 201 with the same key after', async () => {
  const holder = await relays.holder(project)
  const key = randomUUID()
  market.chainProxy.disconnect()
  expectError(await withdraw(holder, project, {}, key), 'chain_unreachable')
  market.chainProxy.restore()
  expect((await withdraw(holder, project, {}, key)).status).toBe(201)
})
