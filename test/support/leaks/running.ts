import { ChildProcess } from 'node:child_process'
import { Server, Socket } from 'node:net'
import { relative } from 'node:path'

/** A part that was started: what it is, as long as it runs. */
interface Part {
  whileRunning: () => string | undefined
  started: Error
  /** Whether a part counts that a package has started by itself, such as a connection that `fetch` keeps for the next request. */
  ofPackages: boolean
}

const root = process.cwd()
const parts = new Set<Part>()
/** Number of parts at which those that have ended are thrown out, so that tests of memory measure the service. */
let sweepAt = 1000

/** Every server, connection, process, thread and timer that runs, with the places that have started it. */
export function running(): string[] {
  return [...parts].flatMap((part) => {
    const what = part.whileRunning()
    const places = what === undefined ? [] : placesOf(part.started)
    if (what !== undefined && (part.ofPackages || places.length > 0))
      return `${what}, started at ${places.join(' < ') || 'an unknown place'}`
    parts.delete(part)
    return []
  })
}

/** Forgets what runs, so that it is reported once. */
export function forget(): void {
  parts.clear()
}

function register(whileRunning: Part['whileRunning'], { ofPackages = true } = {}): void {
  if (parts.size >= sweepAt) {
    for (const part of parts) if (part.whileRunning() === undefined) parts.delete(part)
    sweepAt = 1000 + 2 * parts.size
  }
  const { stackTraceLimit } = Error
  // Each frame costs time in every timer and connection. The stack becomes a text only when that is read, which takes longer.
  Error.stackTraceLimit = 25
  parts.add({ whileRunning, started: new Error(), ofPackages })
  Error.stackTraceLimit = stackTraceLimit
}

/** The places in this repository that led to an error, the innermost first. */
function placesOf({ stack = '' }: Error): string[] {
  return [...stack.matchAll(/(?:file:\/\/)?(\/[^():\n]+:\d+):\d+\)?$/gm)]
    .map(([, place = '']) => relative(root, place))
    .filter((place) => !/^\.\.|^node_modules|^test\/support\/(leaks\/running|evidence)/.test(place))
    .slice(0, 3)
}

type Method = (...rest: unknown[]) => unknown

/** Calls `after` with each object whose method was called. */
function afterCalls<Target>(prototype: Target, name: string, after: (target: Target) => void): void {
  const method = (prototype as Record<string, Method>)[name] as Method
  Object.assign(prototype as object, {
    [name](this: Target, ...rest: unknown[]) {
      const result = Reflect.apply(method, this, rest)
      after(this)
      return result
    },
  })
}

afterCalls(Server.prototype, 'listen', (server) =>
  register(() => (server.listening ? `a server on ${JSON.stringify(server.address())}` : undefined)),
)

afterCalls(Socket.prototype, 'connect', (socket) => {
  const name = () => `a connection to port ${socket.remotePort}`
  register(() => (socket.destroyed || socket.readyState === 'closed' ? undefined : name()), {
    ofPackages: false,
  })
})

/** esbuild keeps one for all builds of a process. */
const keptByEsbuild = /esbuild --service/
const hasEnded = ({ pid, exitCode, signalCode }: ChildProcess) =>
  pid === undefined || exitCode !== null || signalCode !== null

afterCalls(ChildProcess.prototype, 'spawn', (child) => {
  const name = () => `process ${child.pid} (${child.spawnargs.join(' ').slice(0, 200)})`
  register(() => (hasEnded(child) || keptByEsbuild.test(child.spawnargs.join(' ')) ? undefined : name()))
})

process.on('worker', (worker) =>
  register(() => (worker.threadId === -1 ? undefined : `thread ${worker.threadId}`)),
)

// Timers that let a process end are left out: with them packages forget what they remember.
for (const name of ['setInterval', 'setTimeout'] as const) {
  const start = globalThis[name] as unknown as (
    ...rest: unknown[]
  ) => NodeJS.Timeout & { _destroyed: boolean }
  const registered = (...rest: unknown[]) => {
    const timer = start(...rest)
    const isRunning = () => timer.hasRef() && !timer._destroyed
    register(() => (isRunning() ? `${name} of ${rest[1]} ms` : undefined), { ofPackages: false })
    return timer
  }
  const members = Object.getOwnPropertyDescriptors(start)
  Object.assign(globalThis, { [name]: Object.defineProperties(registered, members) })
}
