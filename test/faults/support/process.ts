import { type ChildProcess, spawn } from 'node:child_process'
import type { Order } from '../child/serve.ts'
import type { Bundle } from './bundle.ts'

const keptLines = 400

/** An alarm that needs an operator. */
export interface RaisedAlarm {
  kind: string
  entityId?: string | null
}

/** The service as a process of its own. */
export interface ServiceProcess {
  pid: number
  /** Its address, as soon as it listens; rejects if it ends before. */
  ready: Promise<string>
  /** Resolves when it has ended, however. */
  ended: Promise<void>
  isAlive(): boolean
  /** Called when a switch has struck: it is stopped, or about to end. */
  onStrike(listener: (action: 'kill' | 'stop') => void): void
  kill(): void
  stop(): void
  /** Called with each alarm that it raises. */
  onAlarm(listener: (alarm: RaisedAlarm) => void): void
  /** Goes on after a stop. */
  resume(): void
  /** Its newest log lines. */
  log(): string[]
}

/** Keeps spare processes that have loaded the program and wait for their settings. */
export interface ProcessPool {
  start(order: Order): ServiceProcess
  close(): Promise<void>
}

export function createProcessPool(bundle: Bundle, spares: number): ProcessPool {
  const waiting: ChildProcess[] = []
  const all = new Set<ChildProcess>()
  const spawnSpare = () => {
    const child = spawn(process.execPath, [bundle.program], { stdio: ['pipe', 'pipe', 'pipe'] })
    all.add(child)
    child.once('exit', () => all.delete(child))
    // A process that was killed takes no more settings.
    child.stdin.on('error', () => undefined)
    return child
  }
  for (let count = 0; count < spares; count++) waiting.push(spawnSpare())
  return {
    start(order) {
      const child = waiting.shift() ?? spawnSpare()
      const service = watch(child)
      child.stdin?.write(`${JSON.stringify(order)}\n`)
      if (waiting.length < spares) waiting.push(spawnSpare())
      return service
    },
    async close() {
      const ends = [...all].map(
        (child) =>
          new Promise<void>((resolve) => {
            child.once('exit', () => resolve())
            child.kill('SIGKILL')
          }),
      )
      await Promise.all(ends)
    },
  }
}

function watch(child: ChildProcess): ServiceProcess {
  const lines: string[] = []
  const listeners: ((action: 'kill' | 'stop') => void)[] = []
  const alarmed: ((alarm: RaisedAlarm) => void)[] = []
  let settle: { ready(url: string): void; failed(error: Error): void }
  const ready = new Promise<string>((resolve, reject) => {
    settle = { ready: resolve, failed: reject }
  })
  ready.catch(() => undefined)
  let alive = true
  const ended = new Promise<void>((resolve) =>
    child.once('exit', (code, signal) => {
      alive = false
      settle.failed(new Error(`the service ended before it was ready (${signal ?? code}): ${lines.at(-1)}`))
      resolve()
    }),
  )
  onLines(child, (line) => {
    if (line.startsWith('@ready ')) settle.ready(`http://127.0.0.1:${line.slice(7)}`)
    const action = /^@(kill|stop) /.exec(line)?.[1] as 'kill' | 'stop' | undefined
    if (action) for (const listener of listeners) listener(action)
    if (line.startsWith('@alarm '))
      for (const listener of alarmed) listener(JSON.parse(line.slice(7)) as RaisedAlarm)
    lines.push(line)
    if (lines.length > keptLines) lines.shift()
  })
  return {
    pid: child.pid ?? 0,
    ready,
    ended,
    isAlive: () => alive,
    onStrike: (listener) => void listeners.push(listener),
    onAlarm: (listener) => void alarmed.push(listener),
    kill: () => void child.kill('SIGKILL'),
    stop: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    log: () => lines,
  }
}

function onLines(child: ChildProcess, listener: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    let rest = ''
    stream?.setEncoding('utf8')
    stream?.on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\n')
      rest = parts.pop() ?? ''
      for (const line of parts) listener(line)
    })
  }
}
