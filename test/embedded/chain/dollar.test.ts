import { type Address, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { anvilClient } from '../../../server/embedded/chain/anvil-client.ts'
import {
  deployDollar,
  dollarIssuer,
  giveDollars,
  localDollar,
} from '../../../server/embedded/chain/dollar.ts'
import { startChain } from '../../../server/embedded/chain/local-chain.ts'
import { readDollar } from '../../../server/money/chain/dollar.ts'
import { recorder, temporaryDirectory } from '../support.ts'

const abi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function symbol() view returns (string)',
  'function isMinter(address) view returns (bool)',
])
const coin = { address: localDollar, abi } as const

async function start(directory: string) {
  const chain = await startChain({ directory, port: 0, log: recorder().log })
  let running = true
  const stop = async () => {
    if (running) await chain.stop()
    running = false
  }
  onTestFinished(stop)
  const client = anvilClient(chain.rpcUrl)
  const balanceOf = (account: Address) =>
    client.readContract({ ...coin, functionName: 'balanceOf', args: [account] })
  return { rpcUrl: chain.rpcUrl, client, balanceOf, stop }
}

const someone = () => privateKeyToAddress(generatePrivateKey())

/** One call to the chain's gate, as a program sends it. */
async function gift(rpcUrl: string, to: string, init: RequestInit = { method: 'POST' }) {
  const response = await fetch(`${rpcUrl}/dollars/${to}`, init)
  return { status: response.status, text: await response.text() }
}

describe('the stablecoin of the local chain', () => {
  test('is one that founders can lock, and its issuer alone mints', async () => {
    const { rpcUrl, client } = await start(await temporaryDirectory())
    await deployDollar(rpcUrl)
    expect(await readDollar(client, localDollar)).toEqual({
      address: localDollar,
      name: 'USD Coin',
      version: '2',
    })
    expect(await client.readContract({ ...coin, functionName: 'symbol' })).toBe('USDC')
    expect(await client.readContract({ ...coin, functionName: 'totalSupply' })).toBe(0n)
    for (const [account, mints] of [
      [dollarIssuer, true],
      [someone(), false],
    ] as const)
      expect(await client.readContract({ ...coin, functionName: 'isMinter', args: [account] })).toBe(mints)
  })

  test('is made once, and from where a killed process has left off', async () => {
    const { rpcUrl, client, balanceOf } = await start(await temporaryDirectory())
    await deployDollar(rpcUrl)
    const height = Number(await client.getBlockNumber())
    await deployDollar(rpcUrl)
    expect(Number(await client.getBlockNumber())).toBe(height)
    for (let lost = 1; lost <= height; lost++) {
      await client.request({ method: 'anvil_rollback', params: [lost] } as never)
      await deployDollar(rpcUrl)
      expect(await readDollar(client, localDollar)).toEqual({
        address: localDollar,
        name: 'USD Coin',
        version: '2',
      })
      const account = someone()
      await giveDollars(rpcUrl, account)
      expect(await balanceOf(account)).toBe(1_000_000_000n)
      await client.request({ method: 'anvil_rollback', params: [1] } as never)
    }
  })

  test('comes to a chain that was saved without it, and stays with its balances', async () => {
    const directory = await temporaryDirectory()
    const first = await start(directory)
    await first.client.mine({ blocks: 3 })
    await first.stop()
    const second = await start(directory)
    await deployDollar(second.rpcUrl)
    const account = someone()
    await giveDollars(second.rpcUrl, account)
    await second.stop()
    const third = await start(directory)
    await deployDollar(third.rpcUrl)
    expect(await third.balanceOf(account)).toBe(1_000_000_000n)
    await giveDollars(third.rpcUrl, account)
    expect(await third.balanceOf(account)).toBe(2_000_000_000n)
  })
})

describe('the gate of the local chain', () => {
  test('gives an account 1,000 dollars in one call, and again in the next', async () => {
    const { rpcUrl, client, balanceOf } = await start(await temporaryDirectory())
    await deployDollar(rpcUrl)
    const account = someone()
    const { status, text } = await gift(rpcUrl, account)
    expect(status).toBe(200)
    const given = JSON.parse(text)
    expect(given).toEqual({
      wallet_address: account,
      dollars: '1000',
      transaction_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
    const receipt = await client.getTransactionReceipt({ hash: given.transaction_hash })
    expect(receipt.status).toBe('success')
    expect(await balanceOf(account)).toBe(1_000_000_000n)
    const both = await Promise.all([gift(rpcUrl, account.toLowerCase()), gift(rpcUrl, account)])
    expect(both.map((reply) => reply.status)).toEqual([200, 200])
    expect(await balanceOf(account)).toBe(3_000_000_000n)
  })

  test('gives nothing to web pages, to what is no address, or where the coin refuses or is missing', async () => {
    const { rpcUrl, client } = await start(await temporaryDirectory())
    const account = someone()
    expect(await gift(rpcUrl, account)).toMatchObject({
      status: 409,
      text: expect.stringContaining('no stablecoin'),
    })
    await deployDollar(rpcUrl)
    const page = { method: 'POST', headers: { origin: 'http://page.example' } }
    expect((await gift(rpcUrl, account, page)).status).toBe(403)
    expect((await gift(rpcUrl, account, {})).status).toBe(405)
    for (const wrong of ['', 'me', `${account}0`, account.replace('0x', '0X')])
      expect((await gift(rpcUrl, wrong)).status).toBe(400)
    // The coin blocks itself.
    expect(await gift(rpcUrl, localDollar)).toMatchObject({
      status: 409,
      text: expect.stringContaining('Nothing was given'),
    })
    expect(await client.readContract({ ...coin, functionName: 'totalSupply' })).toBe(0n)
  })
})
