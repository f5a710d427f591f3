import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Whether the process runs. A zombie, which a container without an init never reaps, does not. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it exists and belongs to somebody else.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  if (process.platform !== 'linux') return true
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const state = stat.slice(stat.lastIndexOf(')') + 2)[0]
  return state !== undefined && state !== 'Z' && state !== 'X'
}

/** Resolves to whether the process ended within `timeoutMs`. */
export async function waitForExit(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  while (await isAlive(pid)) {
    if (Date.now() > deadline) return false
    await sleep(10)
  }
  return true
}

/** Sends a signal; a process that is already gone is fine. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const ending = new Map<number, NodeJS.Signals>()

/**
 * Sends the signal should our process exit, for whatever reason, without having ended that one.
 *
 * @returns takes it back
 */
export function endAtExit(pid: number, name: NodeJS.Signals): () => void {
  if (ending.size === 0) process.on('exit', endAll)
  ending.set(pid, name)
  return () => {
    ending.delete(pid)
    if (ending.size === 0) process.off('exit', endAll)
  }
}

function endAll(): void {
  for (const [pid, name] of ending) signal(pid, name)
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
