import { mkdir, realpath, rm } from 'node:fs/promises'
import type { Address } from 'viem'
import { anvilClient } from './chain/client.ts'
import { embeddedChainId, findOrphans, launchAnvil } from './chain/node.ts'
import { keepSaving, saveState, unpackState } from './chain/state.ts'
import { EmbeddedError, type Log } from './parts.ts'
import { rememberedPort } from './ports.ts'
import { signal, waitForExit } from './processes.ts'

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
 * restarts; when every process is killed, at most the blocks of the last fraction of a second are lost.
 *
 * @param options.port preferred port; a port used before on this directory goes first, a taken one is replaced
 * @param options.args further anvil arguments; they go last
 * @param options.persist `false`: save nothing, for chains that are thrown away
 * @throws EmbeddedError with one line of advice if this machine cannot run it
 */
export async function startChain(options: {
  directory: string
  port: number
  log: Log
  args?: string[]
  persist?: boolean
}): Promise<EmbeddedChain> {
  const { log, args = [], persist = true } = options
  await mkdir(options.directory, { recursive: true })
  const directory = await realpath(options.directory)
  await endOrphans(directory, log)
  const state = await unpackState(directory)
  const node = await launchOnFreePort(() => rememberedPort(directory, options.port, 'chain', log), {
    directory,
    state,
    args,
  })
  if (state) await rm(state, { force: true })
  const saver = persist ? keepSaving(directory, node.client, log) : undefined
  return {
    rpcUrl: node.rpcUrl,
    chainId: embeddedChainId,
    pid: node.pid,
    async stop() {
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
  for (const { pid, port } of await findOrphans(directory)) {
    log.warn(`The chain of an earlier process still runs (process ${pid}): taking over its state`)
    await saveState(directory, anvilClient(`http://127.0.0.1:${port}`)).catch(() => {})
    await end(pid)
  }
}

async function end(pid: number): Promise<void> {
  signal(pid, 'SIGTERM')
  if (await waitForExit(pid, 5_000)) return
  signal(pid, 'SIGKILL')
  await waitForExit(pid, 5_000)
}

async function launchOnFreePort(
  choosePort: () => Promise<number>,
  options: { directory: string; state: string | undefined; args: string[] },
) {
  for (let attempt = 1; ; attempt++) {
    const port = await choosePort()
    try {
      return { ...(await launchAnvil({ ...options, port })), rpcUrl: `http://127.0.0.1:${port}` }
    } catch (error) {
      // Somebody may have taken the port between our look and the node's start.
      const lost = error instanceof EmbeddedError && /address.*in use|AddrInUse/i.test(error.message)
      if (!lost || attempt === 5) throw error
    }
  }
}
