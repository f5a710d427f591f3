import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { errorCode, writeFileDurably } from '../files.ts'
import type { Log } from '../parts.ts'
import type { AnvilClient } from './client.ts'

const pollMs = 100
const largestShare = 4

/*
 * anvil's own `--state-interval` truncates its file and writes it anew every second, new blocks or not: a kill in
 * that moment costs the whole chain. So the state is asked for over RPC, after a new block only, and renamed into
 * place. Measured: 3 ms and 33 kB at 50 blocks, 30 ms and 0.6 MB at 500, 100 ms and 1.2 MB at 1,000.
 */

/** The saved state as a file anvil can load, or `undefined` for a new chain. */
export async function unpackState(directory: string): Promise<string | undefined> {
  const packed = await readFile(savedPath(directory)).catch((error) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
  if (!packed) return undefined
  const path = join(directory, 'loaded-state.json')
  await writeFile(path, await promisify(gunzip)(packed))
  return path
}

/** Saves the whole chain as it is now: blocks, transactions, accounts and the states of the last blocks. */
export async function saveState(directory: string, client: AnvilClient): Promise<void> {
  // viem types the method without its parameter, which adds the last states: reads at `finalized` need them.
  const dump = await client.request<{ Method: 'anvil_dumpState'; Parameters: [boolean]; ReturnType: string }>(
    {
      method: 'anvil_dumpState',
      params: [true],
    },
  )
  await writeFileDurably(savedPath(directory), Buffer.from(dump.slice(2), 'hex'))
}

/** Saves the state after each new block. `stop` saves once more. */
export function keepSaving(directory: string, client: AnvilClient, log: Log): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const worker = run()

  async function run(): Promise<void> {
    let saved: string | undefined
    let healthy = true
    while (!stopping.signal.aborted) {
      const started = Date.now()
      try {
        const { hash } = await client.getBlock()
        if (hash !== saved) await saveState(directory, client)
        saved = hash
        healthy = true
      } catch (error) {
        if (healthy && !stopping.signal.aborted) log.warn(`The chain cannot be saved: ${brief(error)}`)
        healthy = false
      }
      // A large state must not keep the node busy with saving.
      const pause = Math.max(pollMs, (Date.now() - started) * largestShare)
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  return {
    async stop() {
      stopping.abort()
      await worker
      await saveState(directory, client).catch((error) =>
        log.warn(`The chain cannot be saved: ${brief(error)}`),
      )
    },
  }
}

function savedPath(directory: string): string {
  return join(directory, 'state.json.gz')
}

function brief(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
}
