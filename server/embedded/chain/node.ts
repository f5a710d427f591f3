import { spawn } from 'node:child_process'
import { mkdir, open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedError } from '../parts.ts'
import { endAtExit, isAlive, listProcesses } from '../processes.ts'
import { type AnvilClient, anvilClient } from './client.ts'
import type { Endpoint } from './gate.ts'
import { locateFoundry } from './programs.ts'

/** Chain id of the embedded chain. */
export const embeddedChainId = 31_337

/** A running anvil. */
export interface AnvilNode {
  pid: number
  endpoint: Endpoint
  client: AnvilClient
}

const answersWithinMs = 30_000
const logLimitBytes = 4 * 1024 * 1024

function locateAnvil(): string {
  const program = locateFoundry('anvil')
  if (program !== undefined) return program
  throw new EmbeddedError(
    `There is no embedded chain for ${process.platform}-${process.arch}: set CHAIN_RPC_URL`,
  )
}

/** anvil processes of this directory that an earlier process left behind, and where they listen. */
export async function findOrphans(directory: string): Promise<{ pid: number; rpcUrl: string }[]> {
  const mark = ` --cache-path ${cachePath(directory)} `
  return (await listProcesses()).flatMap(({ pid, command }) => {
    const port = / --port (\d+) /.exec(`${command} `)?.[1]
    const host = / --host (\S+) /.exec(`${command} `)?.[1] ?? '127.0.0.1'
    return `${command} `.includes(mark) && port && pid !== process.pid
      ? [{ pid, rpcUrl: `http://${host}:${port}` }]
      : []
  })
}

/** Starts anvil at an endpoint that was free a moment ago, and waits until it answers. */
export async function launchAnvil(options: {
  directory: string
  endpoint: Endpoint
  state: string | undefined
  args: string[]
}): Promise<AnvilNode> {
  const { directory, endpoint, state } = options
  await mkdir(cachePath(directory), { recursive: true })
  const logPath = join(directory, 'anvil.log')
  const oldSize = (await stat(logPath).catch(() => undefined))?.size ?? 0
  const log = await open(logPath, oldSize > logLimitBytes ? 'w' : 'a', 0o600)
  const logStart = (await log.stat()).size
  const load = state ? ['--load-state', state] : []
  const flags = [
    ...['--host', endpoint.host],
    ...['--port', String(endpoint.port)],
    ...['--cache-path', cachePath(directory)],
    ...fixed,
    ...load,
    ...options.args,
  ]
  try {
    const child = spawn(locateAnvil(), flags, {
      cwd: directory,
      detached: true, // a process group of its own: Ctrl-C must not reach it before its state is saved
      windowsHide: true,
      env: { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, HOME: directory },
      stdio: ['ignore', log.fd, log.fd],
    })
    const spawned = new Promise<number>((resolve, reject) => {
      child.once('error', (error) => reject(new EmbeddedError(`anvil does not run here (${error.message})`)))
      child.once('spawn', () => resolve(child.pid ?? 0))
    })
    child.unref()
    const pid = await spawned
    child.once('exit', endAtExit(pid, 'SIGTERM'))
    const client = anvilClient(`http://${endpoint.host}:${endpoint.port}`)
    if (await waitUntilAnswering(client, pid)) return { pid, endpoint, client }
    const said = (await readFile(logPath)).subarray(logStart).toString().trim()
    throw new EmbeddedError(`anvil did not start: ${said.split('\n').at(-1)} (see ${logPath})`)
  } finally {
    await log.close()
  }
}

function cachePath(directory: string): string {
  return join(directory, 'cache')
}

const fixed = [
  '--quiet',
  // Otherwise it lets the pages of every origin call it.
  '--no-cors',
  ...['--chain-id', String(embeddedChainId)],
  // Otherwise the `safe` and `finalized` blocks stay 0 for 32 blocks and more.
  ...['--slots-in-an-epoch', '1'],
  // Keeps only the states of the last blocks. Without it, memory and ~/.foundry grow with every block.
  ...['--prune-history', '16'],
]

async function waitUntilAnswering(client: AnvilClient, pid: number): Promise<boolean> {
  const deadline = Date.now() + answersWithinMs
  while (await isAlive(pid)) {
    const id = await client.getChainId().catch(() => undefined)
    // Alive once more: should another program have taken the port, ours is gone by now.
    if (id === embeddedChainId) return isAlive(pid)
    if (Date.now() > deadline) throw new EmbeddedError(`anvil (process ${pid}) does not answer`)
    await sleep(10)
  }
  return false
}
