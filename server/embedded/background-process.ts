import { type SpawnOptions, spawn } from 'node:child_process'
import { open, readFile, stat } from 'node:fs/promises'
import { endAtExit } from './processes.ts'
import type { EmbeddedError } from './reporting.ts'

const logLimitBytes = 4 * 1024 * 1024

/**
 * Starts a program in the background and waits until it is ready. It survives our own process being killed. Its output
 * is appended to a log file, which begins anew once it is larger than 4 MiB.
 *
 * @param options.spawnOptions given the file descriptor for the program's output
 * @param options.endSignal sent when our own process exits without having ended the program
 * @param options.cannotRun makes the error for a program that this machine cannot execute
 * @param options.untilReady resolves to whether the program became ready; `false`: it ended before
 * @returns its process id, or its output if it ended before it was ready
 * @throws what `cannotRun` makes and what `untilReady` throws
 */
export async function startInBackground(options: {
  program: string
  args: string[]
  spawnOptions: (output: number) => SpawnOptions
  logPath: string
  endSignal: NodeJS.Signals
  cannotRun: (error: Error) => EmbeddedError
  untilReady: (pid: number) => Promise<boolean>
}): Promise<{ pid: number } | { output: string }> {
  const { program, logPath } = options
  const oldSize = (await stat(logPath).catch(() => undefined))?.size ?? 0
  const log = await open(logPath, oldSize > logLimitBytes ? 'w' : 'a', 0o600)
  try {
    const logStart = (await log.stat()).size
    const child = spawn(program, options.args, {
      ...options.spawnOptions(log.fd),
      windowsHide: true,
      detached: true, // its own process group: Ctrl-C must not reach it before we have stopped it in order
    })
    const spawned = new Promise<number>((resolve, reject) => {
      child.once('error', (error) => reject(options.cannotRun(error)))
      child.once('spawn', () => resolve(child.pid ?? 0))
    })
    child.unref()
    const pid = await spawned
    child.once('exit', endAtExit(pid, options.endSignal))
    if (await options.untilReady(pid)) return { pid }
    return { output: (await readFile(logPath)).subarray(logStart).toString().trim() }
  } finally {
    await log.close()
  }
}
