import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startInBackground } from '../background-process.ts'
import { readIfPresent } from '../durable-files.ts'
import { choosePort } from '../ports.ts'
import { endProcess, waitUntilReady } from '../processes.ts'
import { EmbeddedError } from '../reporting.ts'
import { type Account, openFor } from './account.ts'
import { cannotRun } from './cluster.ts'

/** A running server of a cluster. */
export interface Postmaster {
  pid: number
  port: number
}

/** The content of `postmaster.pid`: of a server that runs, starts, or ran once. */
export async function readPidFile(data: string): Promise<(Postmaster & { status: string }) | undefined> {
  const lines = (await readIfPresent(join(data, 'postmaster.pid')))?.split('\n')
  const pid = Number(lines?.[0])
  if (!lines || !Number.isInteger(pid) || pid <= 0) return undefined
  return { pid, port: Number(lines[3]), status: (lines[7] ?? '').trim() }
}

/** Starts a server on a free port of 127.0.0.1 and waits until it accepts connections. */
export async function launch(
  directory: string,
  options: { postgres: string; account: Account | undefined; settings: Record<string, string> },
): Promise<Postmaster> {
  for (let attempt = 1; ; attempt++) {
    const port = await choosePort()
    const outcome = await launchOnce(directory, port, options)
    if ('pid' in outcome) return { pid: outcome.pid, port }
    // Another program took the port, or the last processes of a killed server still hold its shared memory.
    const { reason } = outcome
    const isTemporary = /already in use|still in use|could not create any TCP\/IP sockets/.test(reason)
    if (!isTemporary || attempt === 20) {
      throw new EmbeddedError(`Postgres did not start: ${reason} (see ${join(directory, 'postgres.log')})`)
    }
    await sleep(250)
  }
}

async function launchOnce(
  directory: string,
  port: number,
  { postgres, account, settings }: Parameters<typeof launch>[1],
): Promise<{ pid: number } | { reason: string }> {
  const opened = await openFor(account, join(directory, 'data'))
  const flags = Object.entries({ ...defaults, ...settings, port: String(port) })
  try {
    const outcome = await startInBackground({
      program: postgres,
      args: ['-D', opened.path, ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      spawnOptions: (output) => opened.options(['ignore', output, output]),
      logPath: join(directory, 'postgres.log'),
      endSignal: 'SIGINT',
      cannotRun,
      untilReady: (pid) => untilAccepting(directory, pid),
    })
    if ('pid' in outcome) return outcome
    const { output } = outcome
    const reason = /(?:FATAL|PANIC): +(.*)/.exec(output)?.[1] ?? output.split('\n').at(-1)
    return { reason: reason || 'it ended at once' }
  } finally {
    await opened.close()
  }
}

const defaults: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // The log of a failing statement could contain values; the application reports errors without them.
  log_min_messages: 'log',
}

/** Resolves to `true` once the server accepts connections, to `false` if its process ended before. */
export function untilAccepting(directory: string, pid: number): Promise<boolean> {
  const isReady = async () => {
    const file = await readPidFile(join(directory, 'data'))
    return file?.pid === pid && file.status === 'ready'
  }
  return waitUntilReady(pid, isReady, { timeoutMs: 60_000, logPath: join(directory, 'postgres.log') })
}

/** Ends the server with committed data on disk; open sessions are disconnected. */
export async function shutDown(directory: string, pid: number): Promise<void> {
  const ended = await endProcess(pid, [
    ['SIGINT', 30_000], // "fast shutdown"
    ['SIGQUIT', 5_000], // "immediate": the next start recovers from the write-ahead log
  ])
  if (!ended) await rm(join(directory, 'data', 'postmaster.pid'), { force: true })
}
