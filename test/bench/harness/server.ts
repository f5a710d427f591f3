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
  /** From the start of `node` to the first response, in ms. */
  stop(): Promise<void>
}

const longestStartMs = 60_000

/**
 * Starts a server as a process of its own on `cores` and waits until it responds. Its standard output goes to
 * /dev/null.
 */
export async function startServer(
  server: ServerUnderTest,
  cores: string | undefined,
): Promise<RunningServer> {
  const port = await choosePort()
  const [program = '', ...args] = onCores(
    [process.execPath, ...loaderOf(server.script), server.script],
    cores,
  )
  const started = performance.now()
  const child = spawn(program, args, {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      ...server.environment,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = once(child, 'exit')
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  const url = `http://127.0.0.1:${port}`
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

const loaderOf = (script: string) => (script.endsWith('.ts') ? ['--import', 'tsx'] : [])

async function responds(url: string): Promise<boolean> {
  try {
    await (await fetch(`${url}/healthz`)).arrayBuffer()
    return true
  } catch {
    return false
  }
}
