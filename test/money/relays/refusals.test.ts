import { type Address, encodeFunctionData, parseEther } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { embeddedChainId } from '../../../server/embedded/chain/anvil.ts'
import { bondingCurve, projectToken } from '../../../server/money/chain/generated/contracts.ts'
import { tokenUnit } from '../../../server/money/chain/units.ts'
import { startBlocks } from '../../../server/startup/connect/blocks.ts'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'
import { newAddress, relaySettings, relaysOn } from './support/relays.ts'

// Why a withdrawal has failed.

const market = await createTestMarket({ settings: relaySettings })
const { chain } = market
const { node } = chain
const relays = relaysOn(market)
const project = await market.activeProject()
afterEach(() => node.setAutomine(true))

const { stored, tokensOf } = relays.of(project)
const refusesEth = '0x60006000fd'

test('the price falls in the same block: the sale reverts, says why, and fails when it has expired', async () => {
  const whale = await chain.fundedAccount()
  const much = 200_000n * tokenUnit
  await chain.buy(whale, project.curve_address, much)
  const { agent, to, id } = await stored({ as: 'eth' })
  await relays.sendUnmined()
  const args = [much, 0n, whale.address, 2n ** 63n] as const
  const data = encodeFunctionData({ abi: bondingCurve.abi, functionName: 'sell', args })
  await relays.offer(whale, { to: project.curve_address as Address, data }, 10n ** 12n)
  await node.mine({ blocks: 1 })
  await until(async () => (await relays.transactionOf(id)).status === 'reverted')
  expect(await relays.rowOf(id)).toMatchObject({ status: 'running', error_code: 'min_eth_not_met' })
  expect(await relays.read(agent, id)).toMatchObject({ status: 'sent', error: null })
  const config = { FINALITY_BLOCKS: 3, CONFIRMATIONS: 1 }
  const blocks = startBlocks({ db: market.db, rpcUrl: chain.rpcUrl, chainId: embeddedChainId, config })
  await until(async () => (await relays.transactionOf(id)).is_final === true)
  await relays.expire()
  await until(relays.is(id, 'failed'))
  await blocks.stop()
  expect((await relays.read(agent, id)).error.code).toBe('min_eth_not_met')
  expect(await node.getBalance({ address: to as Address })).toBe(0n)
  expect(await tokensOf(agent.wallet_address)).toBe(100)
})

test.each([
  ['insufficient_balance', 'tokens', 'the exported key moves the tokens before'],
  ['min_eth_not_met', 'eth', 'the price falls before'],
  ['recipient_refused', 'eth', 'the recipient has got code that takes no ETH'],
] as const)('failed %s for %s that were never sent, because %s', async (code, as, _) => {
  const whale = await chain.fundedAccount()
  const much = 200_000n * tokenUnit
  await chain.buy(whale, project.curve_address, much)
  const { agent, to, id } = await stored({ as })
  if (code === 'insufficient_balance') {
    const owner = await relays.exported(agent)
    await node.setBalance({ address: owner.address, value: parseEther('1') })
    const args = [newAddress(), 100n * tokenUnit] as const
    const data = encodeFunctionData({ abi: projectToken.abi, functionName: 'transfer', args })
    await chain.send(owner, { to: project.token_address as Address, data })
  } else if (code === 'min_eth_not_met') {
    const args = [much, 0n, whale.address, 2n ** 63n] as const
    const data = encodeFunctionData({ abi: bondingCurve.abi, functionName: 'sell', args })
    await chain.send(whale, { to: project.curve_address as Address, data })
  } else await node.setCode({ address: to as Address, bytecode: refusesEth })
  market.startEngines()
  await until(async () => (await relays.rowOf(id)).error_code === code)
  expect(await relays.read(agent, id)).toMatchObject({ status: 'queued', error: null })
  await relays.expire()
  await relays.finalise()
  await until(relays.is(id, 'failed'))
  expect((await relays.read(agent, id)).error.code).toBe(code)
  expect((await relays.transactionOf(id)).nonce).toBeNull()
})

test('a refusal that is over is not the end: confirmed', async () => {
  const { agent, to, id } = await stored({ as: 'eth' })
  await node.setCode({ address: to as Address, bytecode: refusesEth })
  market.startEngines()
  await until(async () => (await relays.rowOf(id)).error_code === 'recipient_refused')
  await node.setCode({ address: to as Address, bytecode: '0x' })
  await until(relays.is(id, 'confirmed'))
  expect((await relays.read(agent, id)).error).toBeNull()
  expect((await relays.rowOf(id)).error_code).toBeNull()
})

test.each(['in a block after its time', 'never'])(
  'a refusal that was over when it was sent is not why it failed: authorization_expired where it is mined %s',
  async (mined) => {
    const { agent, to, id } = await stored({ as: 'eth' })
    await node.setCode({ address: to as Address, bytecode: refusesEth })
    market.startEngines()
    await until(async () => (await relays.rowOf(id)).error_code === 'recipient_refused')
    await node.setAutomine(false)
    await node.setCode({ address: to as Address, bytecode: '0x' })
    await until(async () => (await node.getTxpoolStatus()).pending === 1)
    await market.stopEngines()
    if (mined === 'never') await node.request({ method: 'anvil_dropAllTransactions' } as never)
    await relays.expire()
    await relays.finalise()
    market.startEngines()
    await until(relays.is(id, 'failed'))
    expect((await relays.read(agent, id)).error.code).toBe('authorization_expired')
  },
)
