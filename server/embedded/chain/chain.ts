import { mkdir, realpath, rm } from 'node:fs/promises'
import type { Address } from 'viem'
import { errorCode } from '../files.ts'
import { EmbeddedError, type Log } from '../parts.ts'
import { rememberedPort } from '../ports.ts'
import { signal, waitForExit } from '../processes.ts'
import { anvilClient } from './client.ts'
import { hiddenEndpoint } from './endpoint.ts'
import { type Endpoint, openGate } from './gate.ts'
import { type AnvilNode, embeddedChainId, findOrphans, launchAnvil } from './node.ts'
import { keepSaving, saveState, unpackState } from './state.ts'

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
 * Starts a local EVM chain (anvil) that mines each transaction at once, its state in `directory`. The chain outlives
 * restarts; when every process is killed, at most the blocks of the last fraction of a second are lost. Programs on this
 * machine reach it, web pages do not.
 *
 * @param options.port preferred port; a port used before on this directory goes first, a taken one is replaced
 * @param options.args further anvil arguments; they go last
 * @param options.persist `false`: save nothing, for chains that are thrown away
 * @param options.gate `false`: the node itself listens on the port, for tests that count every millisecond
 * @throws EmbeddedError with one line of advice if this machine cannot run it
 */
export async function startChain(options: {
  directory: string
  port: number
  log: Log
  args?: string[]
  persist?: boolean
  gate?: boolean
}): Promise<EmbeddedChain> {
  const { log, args = [], persist = true } = options
  await mkdir(options.directory, { recursive: true })
  const directory = await realpath(options.directory)
  await endOrphans(directory, log)
  const state = await unpackState(directory)
  const choosePort = () => rememberedPort(directory, options.port, 'chain', log)
  const open = options.gate === false ? openly : behindGate
  const { node, port, close } = await open(choosePort, { directory, state, args })
  if (state) await rm(state, { force: true })
  const saver = persist ? keepSaving(directory, node.client, log) : undefined
  return {
    rpcUrl: `http://127.0.0.1:${port}`,
    chainId: embeddedChainId,
    pid: node.pid,
    async stop() {
      await close()
      await saver?.stop()
      await end(node.pid)
    },
  }
}

/**
 * Gives the account at least `wei`, for operator keys that no development mnemonic funds. Mines a block, so that
 * the balance is saved like everything else.
 */
export async function fundAccount(rpcUrl: string, address: Address, wei: bigint): Promise<void> {
  const client = anvilClient(rpcUrl)
  if ((await client.getBalance({ address })) >= wei) return
  await client.setBalance({ address, value: wei })
  await client.mine({ blocks: 1 })
}

/** A node whose parent was killed may know newer blocks than the saved state: save them, then end it. */
async function endOrphans(directory: string, log: Log): Promise<void> {
  for (const { pid, rpcUrl } of await findOrphans(directory)) {
    log.warn(`The chain of an earlier process still runs (process ${pid}): taking over its state`)
    await saveState(directory, anvilClient(rpcUrl)).catch(() => {})
    await end(pid)
  }
}

async function end(pid: number): Promise<void> {
  signal(pid, 'SIGTERM')
  if (await waitForExit(pid, 5_000)) return
  signal(pid, 'SIGKILL')
  await waitForExit(pid, 5_000)
}

type Launch = { directory: string; state: string | undefined; args: string[] }
type Opened = { node: AnvilNode; port: number; close(): Promise<void> }

/** The node where no web page reaches it, and a gate for programs on the port. */
async function behindGate(choosePort: () => Promise<number>, launch: Launch): Promise<Opened> {
  const node = await launchAt(hiddenEndpoint, launch)
  try {
    return await untilFree(async () => {
      const port = await choosePort()
      return { node, port, ...(await openGate(port, node.endpoint)) }
    })
  } catch (error) {
    await end(node.pid)
    throw error
  }
}

/** The node on the port. */
async function openly(choosePort: () => Promise<number>, launch: Launch): Promise<Opened> {
  const node = await launchAt(async () => ({ host: '127.0.0.1', port: await choosePort() }), launch)
  return { node, port: node.endpoint.port, close: async () => undefined }
}

function launchAt(choose: () => Promise<Endpoint>, launch: Launch): Promise<AnvilNode> {
  return untilFree(async () => launchAnvil({ ...launch, endpoint: await choose() }))
}

/** Somebody may take a port between our look and the start. */
async function untilFree<Part>(start: () => Promise<Part>): Promise<Part> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start()
    } catch (error) {
      const said = error instanceof EmbeddedError && /address.*in use|AddrInUse/i.test(error.message)
      if (!(said || errorCode(error) === 'EADDRINUSE') || attempt === 5) throw error
    }
  }
}
