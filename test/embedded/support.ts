import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { bundled } from '../support/bundle.ts'
import { afterFile } from '../support/leaks/closing.ts'

const script = fileURLToPath(new URL('./service-process.ts', import.meta.url))
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A program that runs an embedded service; its arguments are the service's name and options. */
export const serviceProgram = () => bundled(script)

/** Another user, and how an embedded service is run for that user. */
export interface User {
  uid: number
  gid: number
  program: string
  cwd: string
}

export const isRoot = process.getuid?.() === 0

/** Collects log lines. */
export function recorder() {
  const lines: string[] = []
  const add = (line: string) => void lines.push(line)
  return { lines, log: { info: add, warn: add } }
}

/** How to clean up: after the test, or after the tests that share something. */
export type Finish = (work: () => Promise<void>) => void

/** A new directory that only we can enter; deleted after the test. */
export async function temporaryDirectory(finish: Finish = onTestFinished): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'embedded-'))
  finish(() => rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
  return directory
}

/** A new directory for all tests of a file; deleted after the last one. */
export async function directoryForFile(): Promise<string> {
  return temporaryDirectory(afterFile)
}

/** Starts an embedded service in a separate process. To run it as another `user`, we have to be root. */
export async function spawnService(
  name: 'chain' | 'embedded' | 'github' | 'postgres',
  options: object,
  user?: User,
) {
  const { program, cwd, ...account } = user ?? { program: await serviceProgram(), cwd: root }
  const child = spawn(process.execPath, [program, name, JSON.stringify(options)], {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...account,
    ...(user && { env: { PATH: process.env.PATH, HOME: '/nonexistent', TMPDIR: tmpdir() } }),
  })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let progress = ''
  child.stderr.on('data', (chunk) => {
    progress += chunk
  })
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  return {
    process: child,
    exited,
    kill,
    /** The next line the process prints on its standard output. */
    line: async (): Promise<string> => String((await lines.next()).value),
    /** What it printed on its standard error so far. */
    progress: () => progress,
  }
}

/** Starts an embedded service in a separate process and waits until it is up; `value` is the service it returned. */
export async function runService<T>(...args: Parameters<typeof spawnService>) {
  const service = await spawnService(...args)
  const line = await service.line()
  if (!line.startsWith('{')) throw new Error(`no service: ${service.progress()}`)
  return { ...service, value: JSON.parse(line) as T & { error?: string } }
}

/** An account that is neither root nor the default account of embedded Postgres. */
export function unprivilegedAccount(): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'daemon']))
  return { uid: id('-u'), gid: id('-g') }
}
