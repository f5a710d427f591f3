import { spawn } from 'node:child_process'
import { open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readIfPresent } from '../files.ts'
import { EmbeddedError } from '../parts.ts'
import { choosePort } from '../ports.ts'
import { endAtExit, isAlive, signal, waitForExit } from '../processes.ts'
import { type Account, openFor } from './account.ts'
import { cannotRun } from './cluster.ts'

/** A running server of a cluster. */
export interface Postmaster {
  pid: number
  port: number
}

const readyWithinMs = 60_000
const logLimitBytes = 4 * 1024 * 1024

/** What `postmaster.pid` says: a server that runs, starts, or once ran. */
export async function readPidFile(data: string): Promise<(Postmaster & { status: string }) | undefined> {
  const lines = (await readIfPresent(join(data, 'postmaster.pid')))?.split('\n')
  const pid = Number(lines?.[0])
  if (!lines || !Number.isInteger(pid) || pid <= 0) return undefined
  return { pid, port: Number(lines[3]), status: (lines[7] ?? '').trim() }
}

/** Starts a server on a free port of 127.0.0.1 and waits until it takes connections. */
export async function launch(
  directory: string,
  options: { postgres: string; account: Account | undefined; settings: Record<string, string> },
): Promise<Postmaster> {
  for (let attempt = 1; ; attempt++) {
    const port = await choosePort()
    const outcome = await launchOnce(directory, port, options)
    if (typeof outcome === 'object') return outcome
    // Somebody took the port, or the last processes of a killed server still hold its shared memory.
    const passing = /already in use|still in use|could not create any TCP\/IP sockets/.test(outcome)
    if (!passing || attempt === 20) {
      throw new EmbeddedError(`Postgres did not start: ${outcome} (see ${join(directory, 'postgres.log')})`)
    }
    await sleep(250)
  }
}

async function launchOnce(
  directory: string,
  port: number,
  { postgres, account, settings }: Parameters<typeof launch>[1],
): Promise<Postmaster | string> {
  const data = join(directory, 'data')
  const logPath = join(directory, 'postgres.log')
  const oldSize = (await stat(logPath).catch(() => undefined))?.size ?? 0
  const log = await open(logPath, oldSize > logLimitBytes ? 'w' : 'a', 0o600)
  const logStart = (await log.stat()).size
  const opened = await openFor(account, data)
  try {
    const all = { ...defaults, ...settings, port: String(port) }
    const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = spawn(postgres, ['-D', opened.path, ...flags], {
      ...opened.options(['ignore', log.fd, log.fd]),
      detached: true, // a process group of its own: Ctrl-C must not reach it before we stop it
    })
    const spawned = new Promise<number>((resolve, reject) => {
      child.once('error', (error) => reject(cannotRun(error)))
      child.once('spawn', () => resolve(child.pid ?? 0))
    })
    child.unref()
    const pid = await spawned
    child.once('exit', endAtExit(pid, 'SIGINT'))
    if (await waitUntilReady(data, pid)) return { pid, port }
    const said = (await readFile(logPath)).subarray(logStart).toString()
    return /(?:FATAL|PANIC): +(.*)/.exec(said)?.[1] ?? (said.trim().split('\n').at(-1) || 'it ended at once')
  } finally {
    await opened.close()
    await log.close()
  }
}

const defaults: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Failing statements could carry values; the application reports them without.
  log_min_messages: 'log',
}

/** Resolves to `false` when the process ended instead. */
export async function waitUntilReady(data: string, pid: number): Promise<boolean> {
  const deadline = Date.now() + readyWithinMs
  while (await isAlive(pid)) {
    const file = await readPidFile(data)
    if (file?.pid === pid && file.status === 'ready') return true
    if (Date.now() > deadline) {
      throw new EmbeddedError(`Postgres (process ${pid}) does not become ready; see its log beside ${data}`)
    }
    await sleep(10)
  }
  return false
}

/** Ends the server with committed data on disk; sessions still open are cut. */
export async function shutDown(data: string, pid: number): Promise<void> {
  signal(pid, 'SIGINT') // "fast shutdown"
  if (await waitForExit(pid, 30_000)) return
  signal(pid, 'SIGQUIT') // "immediate": the next start recovers from the write-ahead log
  if (await waitForExit(pid, 5_000)) return
  signal(pid, 'SIGKILL')
  await waitForExit(pid, 5_000)
  await rm(join(data, 'postmaster.pid'), { force: true })
}
