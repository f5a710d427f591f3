import { chown, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import {
  type Address,
  createTestClient,
  type Hash,
  http,
  parseEther,
  publicActions,
  walletActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fundAccount, mineTowards, startChain } from '../../../server/embedded/chain/local-chain.ts'
import { isAlive } from '../../../server/embedded/processes.ts'
import { receiptOf } from '../../support/receipt.ts'
import { until } from '../../support/until.ts'
import { otherUser } from '../other-user.ts'
import { recorder, runService, temporaryDirectory } from '../support.ts'

const sender = privateKeyToAccount(`0x${'1'.repeat(64)}`)
const receiver: Address = '0x00000000000000000000000000000000000000AA'
/** Runtime code `LOG1(number)`: one log and one storage slot for each call. */
const logger = '0x67434355435f5fa1005f5260086018f3'

interface ChainValue {
  rpcUrl: string
  pid: number
}

async function start(directory: string, options: { port?: number; args?: string[] } = {}) {
  const { lines, log } = recorder()
  const chain = await startChain({ directory, port: 0, log, ...options })
  let running = true
  const stop = async () => {
    if (running) await chain.stop()
    running = false
  }
  onTestFinished(stop)
  return { ...chain, stop, lines, client: clientOf(chain.rpcUrl) }
}

function clientOf(rpcUrl: string) {
  return createTestClient({ mode: 'anvil', transport: http(rpcUrl), pollingInterval: 10, account: sender })
    .extend(publicActions)
    .extend(walletActions)
}

async function send(client: ReturnType<typeof clientOf>, to: Address | null, data?: `0x${string}`) {
  const hash = await client.sendTransaction({ chain: null, to, data, value: to === receiver ? 1n : 0n })
  return receiptOf(client, hash)
}

/** Height of the saved chain. */
async function savedHeight(directory: string): Promise<number> {
  const packed = await readFile(join(directory, 'state.json.gz')).catch(() => undefined)
  return packed ? Number(JSON.parse(gunzipSync(packed).toString()).best_block_number) : -1
}

describe('a fresh directory', () => {
  test('gives chain 31337, which mines each transaction at once', async () => {
    const chain = await start(await temporaryDirectory())
    expect(chain.chainId).toBe(31_337)
    expect(await chain.client.getChainId()).toBe(31_337)
    await fundAccount(chain.rpcUrl, sender.address, parseEther('10'))
    const receipt = await send(chain.client, receiver)
    expect(receipt.status).toBe('success')
    expect(await chain.client.getBalance({ address: receiver })).toBe(1n)
  })

  test('accepts further arguments', async () => {
    const chain = await start(await temporaryDirectory(), { args: ['--no-mining'] })
    expect(await chain.client.getAutomine()).toBe(false)
  })
})

test('fundAccount raises a balance and never lowers one', async () => {
  const { rpcUrl, client } = await start(await temporaryDirectory())
  await fundAccount(rpcUrl, receiver, 5n)
  await fundAccount(rpcUrl, receiver, 3n)
  expect(await client.getBalance({ address: receiver })).toBe(5n)
})

test('mines towards a depth above a block or a time that is over, and then stands still', async () => {
  const { rpcUrl, client } = await start(await temporaryDirectory())
  const heightAfter = async (wanted: { block: number | null; time: number | null }) => {
    for (let round = 0; round < 8; round++) await mineTowards(rpcUrl, { depth: 3, ...wanted })
    return Number(await client.getBlockNumber())
  }
  expect(await heightAfter({ block: null, time: null })).toBe(0)
  expect(await heightAfter({ block: 1, time: null })).toBe(4)
  const { timestamp } = await client.getBlock()
  expect(await heightAfter({ block: null, time: 2 * Number(timestamp) })).toBe(4)
  await client.increaseTime({ seconds: 1000 })
  await client.mine({ blocks: 1 })
  expect(await heightAfter({ block: 2, time: Number(timestamp) + 500 })).toBe(8)
})

describe('the chain', () => {
  test('continues after a stop: blocks, receipts, logs, nonces, and states at `finalized`', async () => {
    const directory = await temporaryDirectory()
    const first = await start(directory)
    await fundAccount(first.rpcUrl, sender.address, parseEther('10'))
    const { contractAddress } = await send(first.client, null, logger)
    const receipts: Hash[] = []
    for (let i = 0; i < 30; i++) receipts.push((await send(first.client, contractAddress!)).transactionHash)
    const before = await first.client.getBlock()
    await first.stop()
    expect(await isAlive(first.pid)).toBe(false)

    const { client, rpcUrl } = await start(directory)
    expect(rpcUrl).toBe(first.rpcUrl)
    expect((await client.getBlock()).hash).toBe(before.hash)
    for (const hash of receipts) {
      expect((await client.getTransactionReceipt({ hash })).status).toBe('success')
    }
    expect(await client.getLogs({ address: contractAddress!, fromBlock: 0n })).toHaveLength(30)
    expect(await client.getTransactionCount({ address: sender.address })).toBe(31)
    expect(await client.getTransactionCount({ address: sender.address, blockTag: 'finalized' })).toBe(29)
    const next = await send(client, receiver)
    expect(next.blockNumber).toBe(before.number + 1n)
  })

  test('continues after the parent was killed, with the blocks its node mined since', async () => {
    const directory = await temporaryDirectory()
    const service = await runService<ChainValue>('chain', { directory, port: 0, proxy: false })
    const client = clientOf(service.value.rpcUrl)
    await fundAccount(service.value.rpcUrl, sender.address, parseEther('10'))
    await service.kill()
    const { transactionHash } = await send(client, receiver)
    const second = await start(directory)
    expect(second.lines).toEqual([expect.stringContaining('earlier process')])
    expect(await isAlive(service.value.pid)).toBe(false)
    expect(second.rpcUrl).toBe(service.value.rpcUrl)
    expect((await second.client.getTransactionReceipt({ hash: transactionHash })).status).toBe('success')
  })

  test('continues after every process was killed, with the saved blocks', async () => {
    const directory = await temporaryDirectory()
    const service = await runService<ChainValue>('chain', { directory, port: 0 })
    await fundAccount(service.value.rpcUrl, sender.address, parseEther('10'))
    const { transactionHash, blockNumber } = await send(clientOf(service.value.rpcUrl), receiver)
    await until(async () => (await savedHeight(directory)) >= blockNumber)
    process.kill(service.value.pid, 'SIGKILL')
    await service.kill()
    const { client } = await start(directory)
    expect((await client.getTransactionReceipt({ hash: transactionHash })).status).toBe('success')
  })

  test('is never half saved, even if killed while saving', async () => {
    const directory = await temporaryDirectory()
    let height = 0n
    for (let round = 0; round < 4; round++) {
      const service = await runService<ChainValue>('chain', { directory, port: 0 })
      const client = clientOf(service.value.rpcUrl)
      expect(await client.getBlockNumber()).toBeGreaterThanOrEqual(height)
      height = await client.getBlockNumber()
      await client.mine({ blocks: 50 })
      await until(async () => (await savedHeight(directory)) > height) // the next save is due
      height = BigInt(await savedHeight(directory))
      void client.mine({ blocks: 50 }).catch(() => {})
      process.kill(service.value.pid, 'SIGKILL')
      await service.kill()
    }
    expect(height).toBeGreaterThanOrEqual(4n)
  })

  test('is not taken over from another directory', async () => {
    const one = await start(await temporaryDirectory())
    const two = await start(await temporaryDirectory())
    expect(one.rpcUrl).not.toBe(two.rpcUrl)
    expect(await isAlive(one.pid)).toBe(true)
    expect(await isAlive(two.pid)).toBe(true)
  })
})

test('a taken port is replaced by a free one, which is stored', async () => {
  const occupant = createServer()
  await new Promise<void>((resolve) => occupant.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void occupant.close())
  const { port } = occupant.address() as { port: number }
  const directory = await temporaryDirectory()
  const first = await start(directory, { port })
  expect(first.rpcUrl).not.toContain(`:${port}`)
  expect(first.lines).toEqual([expect.stringContaining(`Port ${port} is taken`)])
  await first.stop()
  const second = await start(directory, { port })
  expect(second.rpcUrl).toBe(first.rpcUrl)
  // Not a port that the system may give to an outgoing connection while no program listens on it.
  expect(Number(new URL(first.rpcUrl).port)).toBeLessThan(32_768)
})

test('Ctrl-C in the terminal ends the node only when its parent stops it', async () => {
  const directory = await temporaryDirectory()
  const service = await runService<ChainValue>('chain', { directory, port: 0, proxy: false })
  process.kill(service.process.pid!, 'SIGSTOP')
  process.kill(-service.process.pid!, 'SIGINT') // what a terminal does: the whole process group
  const client = clientOf(service.value.rpcUrl)
  await client.mine({ blocks: 7 })
  process.kill(service.process.pid!, 'SIGCONT')
  expect(await service.line()).toBe('stopped')
  expect(await isAlive(service.value.pid)).toBe(false)
  expect(await savedHeight(directory)).toBe(7)
})

test('runs as an unprivileged user', { tags: 'root' }, async ({ skip }) => {
  const directory = await temporaryDirectory()
  const account = await otherUser(skip)
  await chown(directory, account.uid, account.gid)
  const service = await runService<ChainValue>('chain', { directory, port: 0 }, account)
  expect(await clientOf(service.value.rpcUrl).getChainId()).toBe(31_337)
  service.process.kill('SIGINT')
  expect(await service.line()).toBe('stopped')
})
