import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestClient, http, publicActions, walletActions } from 'viem'
import { foundry } from 'viem/chains'
import { startChain } from '../../server/embedded/chain/local-chain.ts'
import { afterFile } from './leaks/closing.ts'

const quiet = { info: () => {}, warn: () => {} }

/** Starts a chain of the test's own, with further arguments for anvil. It ends with the test file, if not before. */
export async function startOwnChain(args: string[] = []) {
  const directory = await mkdtemp(join(tmpdir(), 'own-chain-'))
  const chain = await startChain({ directory, port: 0, log: quiet, persist: false, proxy: false, args })
  const transport = http(chain.rpcUrl, { retryCount: 0 })
  const node = createTestClient({
    mode: 'anvil',
    chain: foundry,
    transport,
    cacheTime: 0,
    pollingInterval: 20,
  })
    .extend(publicActions)
    .extend(walletActions)
  const stop = afterFile(async () => {
    await chain.stop()
    await rm(directory, { recursive: true, force: true })
  })
  return { rpcUrl: chain.rpcUrl, pid: chain.pid, node, stop }
}
