import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { mkdir, readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { changeOwner, chooseAccount } from '../../../server/embedded/postgres/account.ts'
import { errorCode } from '../../../server/embedded/reporting.ts'

/** Makes the folder of a program that runs as another account where we are root. */
export async function ownFolder(parent: string, name: string): Promise<string> {
  const folder = join(parent, name)
  await mkdir(folder)
  await changeOwner(folder, await chooseAccount(folder))
  return folder
}

/** Starts a program in its folder, where it appends its output to `log`. Only these variables and PATH are its environment. */
export async function startProgram(
  folder: string,
  [file = '', ...args]: string[],
  environment?: Record<string, string>,
): Promise<void> {
  const output = openSync(join(folder, 'log'), 'a')
  const child = spawn(file, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, LC_ALL: 'C', HOME: folder, ...environment },
    stdio: ['ignore', output, output],
    ...(await chooseAccount(folder)),
  })
  await once(child, 'spawn')
}

/** Reads a program's metrics in Prometheus' text format. */
export const metricsAt = (port: number) => async (): Promise<string> =>
  (await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(5000) })).text()

/**
 * The processes whose working directory is the folder or lies below it. This finds all that a program has started
 * there: Patroni starts Postgres as a process that outlives it.
 */
export async function processesIn(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(
    pids.map(async (pid) => {
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '')
      return cwd === folder || cwd.startsWith(`${folder}/`) || cwd === `${folder} (deleted)` ? [pid] : []
    }),
  )
  return found.flat()
}

/** Kills every process of the folder, also those that start meanwhile. */
export async function killAll(folder: string): Promise<void> {
  for (let pids = await processesIn(folder); pids.length > 0; pids = await processesIn(folder)) {
    for (const pid of pids) signal(pid, 'SIGKILL')
    await delay(5)
  }
}

/** Stops every process of the folder, also those that start meanwhile. */
export async function stopAll(folder: string): Promise<void> {
  for (;;) {
    const pids = await processesIn(folder)
    const running = (await Promise.all(pids.map(async (pid) => ((await isStopped(pid)) ? [] : [pid])))).flat()
    if (running.length === 0) return
    for (const pid of running) signal(pid, 'SIGSTOP')
    await delay(5)
  }
}

/** Lets every stopped process of the folder go on. */
export async function resumeAll(folder: string): Promise<void> {
  for (const pid of await processesIn(folder)) signal(pid, 'SIGCONT')
}

async function isStopped(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const state = stat.slice(stat.lastIndexOf(')') + 2)[0]
  return state === undefined || 'TZX'.includes(state)
}

/** Sends a signal to a process that may have ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

/**
 * Kills every process below the folder as soon as our own process ends, even by `SIGKILL`: then the pipe closes.
 *
 * @returns ends the watch
 */
export function killWithUs(folder: string): () => void {
  const script = `cat > /dev/null
found=yes
while [ "$found" ]; do
  found=
  for process in /proc/[0-9]*; do
    case $(readlink "$process/cwd") in "$1"|"$1"/*) kill -9 "\${process#/proc/}" && found=yes ;; esac
  done
done
rm -rf "$1"`
  const child = spawn('sh', ['-c', script, 'sh', folder], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.unref()
  return () => void child.kill('SIGKILL')
}
