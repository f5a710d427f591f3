import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, onTestFinished } from 'vitest'

const script = fileURLToPath(new URL('./service-process.ts', import.meta.url))
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** How a part runs, after which come its name and options. */
export const partProgram = ['--import', 'tsx', script]

/** Another user, and how a part runs for that user. */
export interface User {
  uid: number
  gid: number
  program: string[]
  cwd: string
}

export const isRoot = process.getuid?.() === 0

/** Collects what a part says. */
export function recorder() {
  const lines: string[] = []
  const add = (line: string) => void lines.push(line)
  return { lines, log: { info: add, warn: add } }
}

/** A directory of our own, which nobody else can enter; gone after the test. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'embedded-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
  return directory
}

/** The same for several tests: gone after the last of the file. */
export async function directoryForFile(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'embedded-'))
  directories.push(directory)
  return directory
}

const directories: string[] = []
afterAll(async () => {
  const options = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }
  await Promise.all(directories.splice(0).map((directory) => rm(directory, options)))
})

/** Runs one part in a process of its own. `user` is another one, for which we must be root. */
export function spawnPart(name: 'chain' | 'embedded' | 'github' | 'postgres', options: object, user?: User) {
  const { program, cwd, ...account } = user ?? { program: partProgram, cwd: root }
  const child = spawn(process.execPath, [...program, name, JSON.stringify(options)], {
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

/** Runs one part in a process of its own until it is up; `value` is what it returned. */
export async function runPart<T>(...args: Parameters<typeof spawnPart>) {
  const part = spawnPart(...args)
  const line = await part.line()
  if (!line.startsWith('{')) throw new Error(`no part: ${part.progress()}`)
  return { ...part, value: JSON.parse(line) as T & { error?: string } }
}

/** Waits for a condition; the test's own timeout ends a wait in vain. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await sleep(20)
}

/** An account that is neither root nor the one embedded Postgres uses by itself. */
export function ordinaryAccount(): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'daemon']))
  return { uid: id('-u'), gid: id('-g') }
}
