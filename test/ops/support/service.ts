import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { sharedBuild } from '../../support/shared/shared.ts'

export const root = join(import.meta.dirname, '../../..')

/** How `npm start` runs the service, without npm. */
export const fromSource = [process.execPath, '--import', 'tsx', 'server/main.ts']

/** A command as the image runs it, which is ready in a fraction of the time that its source takes. */
export const built = async (
  command: 'main' | 'ops/backup' | 'ops/config-check' | 'ops/payouts/cli' | 'money/chain/deploy/cli',
) => [process.execPath, join(await sharedBuild(), 'server', `${command}.js`)]

/** A process of the service, or of one of its commands. */
export interface ServiceProcess {
  /** Everything it wrote so far, on standard output and standard error. */
  output(): string
  errors(): string
  /** Resolves with the address it serves at; throws with its output where it ended before. */
  ready(): Promise<string>
  /** Resolves with its status. */
  exited: Promise<number | null>
  signal(signal: NodeJS.Signals): void
}

/** Runs a command with exactly these variables and PATH. It is killed after the test at the latest. */
export function run(
  command: string[],
  env: Record<string, string>,
  options: { cwd?: string; account?: { uid: number; gid: number } } = {},
): ServiceProcess {
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd: options.cwd ?? root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options.account,
  })
  let output = ''
  let errors = ''
  const exited = once(child, 'close').then(([code]) => code as number | null)
  const told = new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output += chunk
      const address = /"address":"([^"]+)"|^ {2}API +(\S+)\/api$/m.exec(output)
      if (address) resolve((address[1] ?? address[2]) as string)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', (chunk) => {
      errors += chunk
      output += chunk
    })
    exited.then((code) => reject(new Error(`ended with ${code}:\n${output}`)))
  })
  told.catch(() => undefined)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return {
    output: () => output,
    errors: () => errors,
    ready: () => told,
    exited,
    signal: (signal) => void child.kill(signal),
  }
}
