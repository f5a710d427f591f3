import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startInBackground } from '../background-process.ts'
import { listProcesses, waitUntilReady } from '../processes.ts'
import { EmbeddedError } from '../reporting.ts'
import { type AnvilClient, anvilClient } from './anvil-client.ts'
import { locateFoundry } from './foundry.ts'
import type { Endpoint } from './rpc-proxy.ts'

/** Chain id of the embedded chain. */
export const embeddedChainId = 31_337

/** A running anvil. */
export interface AnvilNode {
  pid: number
  endpoint: Endpoint
  client: AnvilClient
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

/**
 * Starts anvil at an endpoint that was free a moment ago, and waits until it responds.
 *
 * @param options.state file with the state to load
 * @throws EmbeddedError, with the code `EADDRINUSE` if another program took the endpoint
 */
export async function launchAnvil(options: {
  directory: string
  endpoint: Endpoint
  state: string | undefined
  args: string[]
}): Promise<AnvilNode> {
  const { directory, endpoint, state } = options
  await mkdir(cachePath(directory), { recursive: true })
  const logPath = join(directory, 'anvil.log')
  const client = anvilClient(`http://${endpoint.host}:${endpoint.port}`)
  const responds = async () => (await client.getChainId().catch(() => undefined)) === embeddedChainId
  const outcome = await startInBackground({
    program: locateAnvil(),
    args: [
      '--host',
      endpoint.host,
      '--port',
      String(endpoint.port),
      '--cache-path',
      cachePath(directory),
      ...fixedArgs,
      ...(state ? ['--load-state', state] : []),
      ...options.args,
    ],
    spawnOptions: (output) => ({
      cwd: directory,
      env: { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, HOME: directory },
      stdio: ['ignore', output, output],
    }),
    logPath,
    endSignal: 'SIGTERM',
    cannotRun: (error) => new EmbeddedError(`anvil does not run on this machine (${error.message})`),
    untilReady: (pid) => waitUntilReady(pid, responds, { timeoutMs: 30_000, logPath }),
  })
  if ('pid' in outcome) return { pid: outcome.pid, endpoint, client }
  const error = new EmbeddedError(
    `anvil did not start: ${outcome.output.split('\n').at(-1)} (see ${logPath})`,
  )
  const isPortTaken = /address.*in use|AddrInUse/i.test(outcome.output)
  throw isPortTaken ? Object.assign(error, { code: 'EADDRINUSE' }) : error
}

export function locateAnvil(): string {
  const program = locateFoundry('anvil')
  if (program !== undefined) return program
  throw new EmbeddedError(
    `There is no embedded chain for ${process.platform}-${process.arch}: set CHAIN_RPC_URL`,
  )
}

function cachePath(directory: string): string {
  return join(directory, 'cache')
}

const fixedArgs = [
  '--quiet',
  // Otherwise it lets the pages of every origin call it.
  '--no-cors',
  '--chain-id',
  String(embeddedChainId),
  // Otherwise the `safe` and `finalized` blocks stay 0 for at least 32 blocks.
  '--slots-in-an-epoch',
  '1',
  // Keeps the states of the last blocks only. Without it, memory and ~/.foundry grow with every block.
  '--prune-history',
  '16',
]
