import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, type Hex, keccak256, parseEther, toHex, walletActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ConfigError } from '../../../../server/config/config.ts'
import { deployDollar, localDollar } from '../../../../server/embedded/chain/dollar.ts'
import { administer } from '../../../../server/money/chain/deploy/administer.ts'
import { administrativeCommands } from '../../../../server/money/chain/deploy/calls.ts'
import { DeploymentError, deployContracts } from '../../../../server/money/chain/deploy/deploy.ts'
import {
  bondingCurve,
  platformWallet,
  projectFactory,
} from '../../../../server/money/chain/generated/contracts.ts'
import { createTestChain, type TestChain } from '../../../support/chain.ts'
import { receiptOf } from '../../../support/receipt.ts'

let chain: TestChain
let owner: Awaited<ReturnType<TestChain['fundedAccount']>>
let treasury: typeof owner
let wallet: Address
let token: Address
let curve: Address

const someone = () => privateKeyToAccount(generatePrivateKey()).address

beforeAll(async () => {
  chain = await createTestChain()
  owner = await chain.fundedAccount()
  treasury = await chain.fundedAccount()
  await deployDollar(chain.rpcUrl)
  const deployment = await deployContracts({
    rpcUrl: chain.rpcUrl,
    deployerPrivateKey: owner.privateKey,
    treasury: treasury.address,
    operators: [],
    dollar: localDollar,
  })
  wallet = deployment.platformWallet
  const factory = { address: deployment.projectFactory, abi: projectFactory.abi } as const
  const key = keccak256(toHex('project'))
  const args = [key, 'Project', 'PRJ', parseEther('1000'), someone()] as const
  const create = { ...factory, account: owner, functionName: 'create', args } as const
  const hash = await chain.node.extend(walletActions).writeContract({ ...create, chain: chain.node.chain })
  await receiptOf(chain.node, hash)
  const predict = { ...factory, functionName: 'predict', args: [owner.address, key] } as const
  ;[token, curve] = await chain.node.readContract(predict)
})

/** Runs a command, with the owner's key by default; returns its output. */
async function run(words: string, settings: Record<string, string | undefined> = {}): Promise<string> {
  const lines: string[] = []
  const environment = {
    CHAIN_RPC_URL: chain.rpcUrl,
    CHAIN_ID: '31337',
    PLATFORM_WALLET_ADDRESS: wallet,
    OWNER_PRIVATE_KEY: owner.privateKey,
    TREASURY_PRIVATE_KEY: treasury.privateKey,
    ...settings,
  }
  const wasSent = await administer(environment, words.split(' '), (line) => lines.push(line))
  expect(wasSent).toBe(lines.some((line) => line.startsWith('done: ')))
  return lines.join('\n')
}

const read = async (functionName: 'paused' | 'owner' | 'pendingOwner') =>
  chain.node.readContract({ address: wallet, abi: platformWallet.abi, functionName })

test('operators are added and removed', async () => {
  const operator = someone()
  const known = () =>
    chain.node.readContract({
      address: wallet,
      abi: platformWallet.abi,
      functionName: 'isOperator',
      args: [operator],
    })
  expect(await run(`add-operator ${operator}`)).toMatch(
    /^done: add operator 0x\w+; transaction 0x\w+, gas \d+$/,
  )
  expect(await known()).toBe(true)
  await run(`remove-operator ${operator}`)
  expect(await known()).toBe(false)
})

test('the key may be in a file', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'bounty-marketplace-test-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const path = join(directory, 'owner')
  await writeFile(path, `${owner.privateKey}\n`)
  const settings = { OWNER_PRIVATE_KEY: undefined, OWNER_PRIVATE_KEY_FILE: path }
  expect(await run(`remove-operator ${someone()}`, settings)).toMatch(/^done: /)
})

test('payouts are paused and resumed', async () => {
  await run('pause')
  expect(await read('paused')).toBe(true)
  await run('unpause')
  expect(await read('paused')).toBe(false)
})

describe('an operator key, without the owner’s,', () => {
  const owned = { OWNER_PRIVATE_KEY: undefined }

  test('pauses; it cannot resume', async () => {
    const operator = await chain.fundedAccount()
    const second = await chain.fundedAccount()
    await run(`add-operator ${operator.address}`)
    const keys = { ...owned, OPERATOR_PRIVATE_KEYS: `${operator.privateKey},${second.privateKey}` }
    await expect(run('pause', keys)).resolves.toMatch(/^done: stop all payouts/)
    expect(await read('paused')).toBe(true)
    await expect(run('unpause', keys)).resolves.toMatch(/^to resume payouts, send:/)
    expect(await read('paused')).toBe(true)
    await run('unpause')
    expect(await read('paused')).toBe(false)
  })

  test('resigns, and pauses no more', async () => {
    const operator = await chain.fundedAccount()
    await run(`add-operator ${operator.address}`)
    const keys = { ...owned, OPERATOR_PRIVATE_KEYS: operator.privateKey }
    await expect(run('resign', keys)).resolves.toMatch(/^done: stop being an operator/)
    await expect(run('pause', keys)).rejects.toThrow('The contract refuses: NotOperator')
    await expect(run('resign', keys)).rejects.toThrow('The contract refuses: NotOperator')
    expect(await read('paused')).toBe(false)
  })
})

test('the cap of dollars is set in whole dollars, and neither lifted nor set in units of a token', async () => {
  const args = [localDollar] as const
  const cap = () =>
    chain.node.readContract({ address: wallet, abi: platformWallet.abi, functionName: 'dailyCap', args })
  await expect(run(`dollar-cap ${localDollar} 250`)).resolves.toMatch(`cap ${localDollar} at 250 a day`)
  expect(await cap()).toBe(250_000_000n)
  await expect(run(`daily-cap ${localDollar} 250`)).rejects.toThrow('refuses: InvalidDollars')
  await expect(run(`daily-cap ${localDollar} none`)).rejects.toThrow('refuses: InvalidDollars')
  await expect(run(`dollar-cap ${localDollar} none`)).rejects.toThrow('whole dollars above zero')
  expect(await cap()).toBe(250_000_000n)
})

test('fees in dollars are sent for with any key; there are none yet', async () => {
  const stranger = await chain.fundedAccount()
  const keys = { OWNER_PRIVATE_KEY: undefined, TREASURY_PRIVATE_KEY: stranger.privateKey }
  await expect(run('withdraw-dollar-fees', keys)).rejects.toThrow('refuses: ZeroAmount')
})

test('a daily cap is set in whole tokens and lifted', async () => {
  const cap = () =>
    chain.node.readContract({
      address: wallet,
      abi: platformWallet.abi,
      functionName: 'dailyCap',
      args: [token],
    })
  await run(`daily-cap ${token} 250`)
  expect(await cap()).toBe(parseEther('250'))
  await run(`daily-cap ${token} none`)
  expect(await cap()).toBe(0n)
})

test('fees are sent to the treasury, by whoever pays the gas', async () => {
  const buyer = await chain.fundedAccount()
  await chain.buy(buyer, curve, parseEther('100'))
  const fees = await chain.node.readContract({
    address: curve,
    abi: bondingCurve.abi,
    functionName: 'accruedFees',
  })
  const balance = () => chain.node.getBalance({ address: treasury.address })
  const before = await balance()
  await run(`withdraw-fees ${curve}`, { TREASURY_PRIVATE_KEY: undefined })
  expect((await balance()) - before).toBe(fees)
})

test('without a key the call is printed, and works when it is sent by other means', async () => {
  const operator = someone()
  const printed = await run(`add-operator ${operator}`, { OWNER_PRIVATE_KEY: undefined })
  const to = /^to +(0x\w+)$/m.exec(printed)?.[1] as Address
  const data = /^data +(0x\w+)$/m.exec(printed)?.[1] as Hex
  await chain.send(owner, { to, data })
  await expect(run(`remove-operator ${operator}`)).resolves.toMatch(/^done/)
})

describe('is refused', () => {
  test('by the contract: the error is named and no transaction is sent', async () => {
    const outsider = await chain.fundedAccount()
    const attempt = run('unpause', { OWNER_PRIVATE_KEY: outsider.privateKey })
    await expect(attempt).rejects.toThrow(DeploymentError)
    await expect(attempt).rejects.toThrow('The contract refuses: NotOwner')
    expect(await chain.node.getTransactionCount(outsider)).toBe(0)
  })

  test('on the wrong chain, and without a platform wallet at the address', async () => {
    await expect(run('pause', { CHAIN_ID: '8453' })).rejects.toThrow('chain 8453 was expected')
    await expect(run('pause', { PLATFORM_WALLET_ADDRESS: someone() })).rejects.toThrow('no platform wallet')
  })

  test.each([
    ['destroy', 'is not a command'],
    ['pause now', 'takes 0 arguments'],
    ['add-operator', 'takes 1 arguments'],
    ['add-operator nobody', 'not 0x and 40 hex characters'],
    ['add-operator 0x70997970C51812dc3A010C7d01b50e0d17dc79c8', 'wrong checksum'],
    [`daily-cap 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 0`, 'whole tokens above zero, or none'],
    [`daily-cap 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 1.5`, 'whole tokens above zero, or none'],
  ])('%s: %s', async (words, message) => {
    const attempt = run(words)
    await expect(attempt).rejects.toThrow(ConfigError)
    await expect(attempt).rejects.toThrow(message)
  })

  test('an unknown command lists the known ones', async () => {
    await expect(run('help')).rejects.toThrow(administrativeCommands[0])
  })
})

test('ownership is transferred in two steps', async () => {
  const successor = await chain.fundedAccount()
  await run(`transfer-ownership ${successor.address}`)
  expect([await read('owner'), await read('pendingOwner')]).toEqual([owner.address, successor.address])
  await run('accept-ownership', { OWNER_PRIVATE_KEY: successor.privateKey })
  expect(await read('owner')).toBe(successor.address)
})
