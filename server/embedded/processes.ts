import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { EmbeddedError, errorCode } from './reporting.ts'

const run = promisify(execFile)
const pollMs = 10

/** Whether the process runs. A zombie, which a container without an init never reaps, does not run. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists and belongs to another account.
    if (errorCode(error) !== 'EPERM') return false
  }
  if (process.platform !== 'linux') return true
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const state = stat.slice(stat.lastIndexOf(')') + 2)[0]
  return state !== undefined && state !== 'Z' && state !== 'X'
}

/**
 * Polls until the process is ready.
 *
 * @returns `true` once `isReady` holds, `false` if the process ended first
 * @throws EmbeddedError after `timeoutMs`
 */
export async function waitUntilReady(
  pid: number,
  isReady: () => Promise<boolean>,
  { timeoutMs, logPath }: { timeoutMs: number; logPath: string },
): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  while (await isAlive(pid)) {
    // Checked again: if another program took the port and responded to `isReady`, our process has ended by now.
    if (await isReady()) return isAlive(pid)
    if (Date.now() > deadline)
      throw new EmbeddedError(`Process ${pid} does not become ready; see its log ${logPath}`)
    await sleep(pollMs)
  }
  return false
}

/**
 * Sends one signal after the other until the process has ended, `SIGKILL` last.
 *
 * @param signals each with the time in ms after which the next one is sent
 * @returns whether the process ended before `SIGKILL`
 */
export async function endProcess(pid: number, signals: [NodeJS.Signals, number][]): Promise<boolean> {
  for (const [name, timeoutMs] of signals) {
    sendSignal(pid, name)
    if (await waitForExit(pid, timeoutMs)) return true
  }
  sendSignal(pid, 'SIGKILL')
  await waitForExit(pid, 5_000)
  return false
}

async function waitForExit(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  while (await isAlive(pid)) {
    if (Date.now() > deadline) return false
    await sleep(pollMs)
  }
  return true
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error // ESRCH: it has ended already
  }
}

const signalsAtExit = new Map<number, NodeJS.Signals>()

/**
 * Sends the signal when our own process exits, for whatever reason.
 *
 * @returns cancels that, because the other process has ended
 */
export function endAtExit(pid: number, name: NodeJS.Signals): () => void {
  if (signalsAtExit.size === 0) process.on('exit', endAll)
  signalsAtExit.set(pid, name)
  return () => {
    signalsAtExit.delete(pid)
    if (signalsAtExit.size === 0) process.off('exit', endAll)
  }
}

function endAll(): void {
  for (const [pid, name] of signalsAtExit) sendSignal(pid, name)
}

/** Every running process with its command line (arguments joined by a space). Empty on Windows. */
export async function listProcesses(): Promise<{ pid: number; command: string }[]> {
  if (process.platform === 'win32') return []
  if (process.platform !== 'linux') {
    const { stdout } = await run('ps', ['-axww', '-o', 'pid=,command='], { maxBuffer: 16 * 1024 * 1024 })
    return stdout.split('\n').flatMap((line) => {
      const match = /^\s*(\d+)\s+(.*)$/.exec(line)
      return match ? [{ pid: Number(match[1]), command: match[2] ?? '' }] : []
    })
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  return Promise.all(
    pids.map(async (pid) => {
      const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return { pid, command: raw.replaceAll('\0', ' ').trimEnd() }
    }),
  )
}
