import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { choosePort } from '../../../server/embedded/ports.ts'
import { onCores } from './placement.ts'

/** A server to measure: a script and the variables it runs with. */
export interface ServerUnderTest {
  /** Short, for the command line. */
  name: string
  /** For tables and charts. */
  label: string
  script: string
  environment: Record<string, string>
}

/** A server that responds. */
export interface RunningServer extends ServerUnderTest {
  pid: number
  url: string
  stop(): Promise<void>
}

const longestStartMs = 60_000

/** Starts a server as a process of its own on `cores`, without its standard output, and waits until it responds. */
export async function startServer(
  server: ServerUnderTest,
  cores: string | undefined,
): Promise<RunningServer> {
  const port = await choosePort()
  const url = `http://127.0.0.1:${port}`
  const loader = server.script.endsWith('.ts') ? ['--import', 'tsx'] : []
  const [program = '', ...args] = onCores([process.execPath, ...loader, server.script], cores)
  const { PATH } = process.env
  const own = { PATH, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port) }
  const child = spawn(program, args, {
    env: { ...own, ...server.environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = once(child, 'exit')
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  const started = performance.now()
  while (!(await responds(url))) {
    if (child.exitCode !== null) throw new Error(`${server.label} ended with ${child.exitCode}`)
    if (performance.now() - started > longestStartMs) throw new Error(`${server.label} does not respond`)
    await delay(2)
  }
  return {
    ...server,
    // taskset replaces itself by the program, so this is the program's process.
    pid: child.pid ?? 0,
    url,
    async stop() {
      child.kill('SIGTERM')
      const patience = setTimeout(kill, 15_000)
      await exited
      clearTimeout(patience)
      process.off('exit', kill)
    },
  }
}

const responds = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`).then(
    async (response) => (await response.arrayBuffer()) !== undefined,
    () => false,
  )
