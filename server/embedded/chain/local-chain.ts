import { mkdir, realpath, rm } from 'node:fs/promises'
import type { Address } from 'viem'
import { rememberedPort, retryTakenPort } from '../ports.ts'
import { endProcess } from '../processes.ts'
import type { Log } from '../reporting.ts'
import { embeddedChainId, findOrphans, launchAnvil } from './anvil.ts'
import { anvilClient } from './anvil-client.ts'
import { hiddenEndpoint } from './hidden-endpoint.ts'
import { startRpcProxy } from './rpc-proxy.ts'
import { saveEachBlock, saveState, unpackState } from './state.ts'

/** A running local EVM chain. */
export interface EmbeddedChain {
  /** `http://127.0.0.1:<port>` */
  rpcUrl: string
  /** 31337 */
  chainId: number
  /** Process id of the node. */
  pid: number
  /** Saves the chain and ends the node. */
  stop(): Promise<void>
}

/**
 * Starts a local EVM chain (anvil) that mines each transaction at once and keeps its state in `directory`. The chain
 * survives restarts; if every process is killed, at most the blocks of the last fraction of a second are lost. Programs
 * on this machine can reach it, web pages cannot.
 *
 * @param options.port preferred port; a port used before on this directory takes precedence, a taken one is replaced
 * @param options.args further anvil arguments, put last
 * @param options.persist `false`: save nothing, for throw-away chains
 * @param options.proxy `false`: the node itself listens on the port, for tests that count every millisecond
 * @throws EmbeddedError with one line of advice if this machine cannot run it
 */
export async function startChain(options: {
  directory: string
  port: number
  log: Log
  args?: string[]
  persist?: boolean
  proxy?: boolean
}): Promise<EmbeddedChain> {
  const { log, args = [], persist = true } = options
  await mkdir(options.directory, { recursive: true })
  const directory = await realpath(options.directory)
  await endOrphans(directory, log)
  const state = await unpackState(directory)
  const choosePort = () => rememberedPort(directory, options.port, 'chain', log)
  const chooseEndpoint =
    options.proxy === false ? async () => ({ host: '127.0.0.1', port: await choosePort() }) : hiddenEndpoint
  const { pid, endpoint, client } = await retryTakenPort(async () =>
    launchAnvil({ directory, state, args, endpoint: await chooseEndpoint() }),
  )
  const proxy =
    options.proxy === false
      ? { port: endpoint.port, close: async () => undefined }
      : await retryTakenPort(async () => startRpcProxy(await choosePort(), endpoint)).catch(async (error) => {
          await endNode(pid)
          throw error
        })
  if (state) await rm(state, { force: true })
  const saver = persist ? saveEachBlock(directory, client, log) : undefined
  return {
    rpcUrl: `http://127.0.0.1:${proxy.port}`,
    chainId: embeddedChainId,
    pid,
    async stop() {
      await proxy.close()
      await saver?.stop()
      await endNode(pid)
    },
  }
}

/**
 * Raises the account's balance to at least `wei`, for operator keys that no development mnemonic funds. Mines a block,
 * because only new blocks are saved.
 */
export async function fundAccount(rpcUrl: string, address: Address, wei: bigint): Promise<void> {
  const client = anvilClient(rpcUrl)
  if ((await client.getBalance({ address })) >= wei) return
  await client.setBalance({ address, value: wei })
  await client.mine({ blocks: 1 })
}

/**
 * Mines an empty block, unless there are already `depth` blocks above `block` and above one of `time`. A time that is not
 * over needs none.
 *
 * @param wanted.time in seconds
 */
export async function mineTowards(
  rpcUrl: string,
  wanted: { block: number | null; time: number | null; depth: number },
): Promise<void> {
  const client = anvilClient(rpcUrl)
  const { block, time, depth } = wanted
  const { number, timestamp } = await client.getBlock()
  const buried = number - BigInt(depth)
  const isOver = time !== null && Math.max(Number(timestamp), Math.floor(Date.now() / 1000)) >= time
  const lacksTime = async () =>
    buried < 0n || Number((await client.getBlock({ blockNumber: buried })).timestamp) < Number(time)
  if ((block !== null && buried < block) || (isOver && (await lacksTime()))) await client.mine({ blocks: 1 })
}

/** A node whose parent was killed may have newer blocks than the saved state: saves them, then ends the node. */
async function endOrphans(directory: string, log: Log): Promise<void> {
  for (const { pid, rpcUrl } of await findOrphans(directory)) {
    log.warn(`The chain of an earlier process is still running (process ${pid}): taking over its state`)
    await saveState(directory, anvilClient(rpcUrl)).catch(() => {})
    await endNode(pid)
  }
}

async function endNode(pid: number): Promise<void> {
  await endProcess(pid, [['SIGTERM', 5_000]])
}
